DROP TABLE spent_notifications;
DROP TABLE held_notifications;
DROP TABLE shadow_notification_queue;
DROP TABLE notification_queue;

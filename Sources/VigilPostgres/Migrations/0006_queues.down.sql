DROP TABLE {{schema}}.spent_notifications;
DROP TABLE {{schema}}.held_notifications;
DROP TABLE {{schema}}.shadow_notification_queue;
DROP TABLE {{schema}}.notification_queue;
DROP FUNCTION {{schema}}.vigil_wake_senders();

DROP TABLE sms_log;
DROP TABLE push_tokens;
DROP TABLE contact_points;
DROP TABLE escalation_log;
DROP TABLE spent_notifications;
DROP TABLE held_notifications;
DROP TABLE shadow_notification_queue;
DROP TABLE notification_queue;

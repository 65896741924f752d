DROP TABLE outbox;
DROP TABLE provisional_notifications;
DROP TABLE provisional_alerts;

DROP TABLE {{schema}}.spent_notifications;
DROP TABLE {{schema}}.held_notifications;
DROP TABLE {{schema}}.shadow_notification_queue;
DROP TABLE {{schema}}.notification_queue;
DROP TRIGGER pings_wake_senders ON {{schema}}.pings;
DROP TRIGGER raised_alerts_wake_senders ON {{schema}}.raised_alerts;
DROP FUNCTION {{schema}}.vigil_wake_senders();

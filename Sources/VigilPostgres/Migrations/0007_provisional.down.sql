DROP TABLE {{schema}}.outbox;
DROP TABLE {{schema}}.provisional_notifications;
DROP TABLE {{schema}}.provisional_alerts;
DROP FUNCTION {{schema}}.vigil_announce_events();

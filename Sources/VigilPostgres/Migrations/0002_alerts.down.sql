DROP FUNCTION get_family_pattern_alerts(uuid, uuid);
DROP TABLE shadow_notification_queue;
DROP TABLE notification_queue;
DROP TABLE pattern_alert_state;

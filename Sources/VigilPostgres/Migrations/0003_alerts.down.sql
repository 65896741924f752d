DROP FUNCTION {{schema}}.get_family_silences(uuid, uuid, date);
DROP FUNCTION {{schema}}.get_family_pattern_alerts(uuid, uuid, date);
DROP FUNCTION {{schema}}.vigil_family_persons(uuid, uuid);
DROP TABLE {{schema}}.alert_reads;
DROP TABLE {{schema}}.alert_actions;
DROP TABLE {{schema}}.pattern_alert_state;
DROP TABLE {{schema}}.database_profile;

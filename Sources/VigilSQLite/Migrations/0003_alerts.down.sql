DROP TABLE alert_reads;
DROP TABLE alert_actions;
DROP TABLE pattern_alert_state;
DROP TABLE database_profile;

DROP TABLE channel_rests;
DROP TABLE sms_log;
DROP TABLE emergency_contacts;
DROP TABLE caregiver_availability;
DROP TABLE caregiver_priority;
DROP TABLE push_tokens;
DROP TABLE contact_points;
DROP TABLE escalation_log;

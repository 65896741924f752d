ALTER TABLE batch_checkpoints DROP COLUMN medication_digest;

DROP TABLE trend_insights;
DROP TABLE dose_analytics;
DROP TABLE schedule_versions;
DROP TABLE schedule_adjustments;
DROP TABLE timezone_events;
DROP TABLE dose_history;
DROP TABLE schedules;
DROP TABLE medications;

DROP INDEX dose_history_off_schedule;
DROP INDEX dose_history_by_medication;

CREATE INDEX dose_history_by_scheduled_time ON dose_history (medication_id, scheduled_time);
CREATE INDEX dose_history_by_actual_time ON dose_history (medication_id, actual_time);

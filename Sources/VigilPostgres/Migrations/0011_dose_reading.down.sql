DO $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_policies
    WHERE schemaname = current_schema() AND tablename = 'dose_history'
      AND policyname = 'vigil_engine'
  ) THEN
    RETURN;
  END IF;

  CREATE INDEX dose_history_by_scheduled_time ON dose_history (medication_id, scheduled_time);
  CREATE INDEX dose_history_by_actual_time ON dose_history (medication_id, actual_time);

  ALTER TABLE dose_history DROP CONSTRAINT IF EXISTS dose_history_timezone_not_too_long;
  DROP INDEX IF EXISTS dose_history_off_schedule;
  DROP INDEX IF EXISTS dose_history_by_medication;
END
$$;

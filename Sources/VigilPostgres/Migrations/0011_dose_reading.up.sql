-- Runs read the doses of some hundred medications over some months. A table has them in the order in which
-- they were logged, those of one medication as far apart as its days; an index that holds all that a run
-- reads has them side by side. It takes the place of two that hold less.
--
-- A table with a policy of Vigil is one that Vigil made; that of an app stays as it is.
DO $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_policies
    WHERE schemaname = current_schema() AND tablename = 'dose_history'
      AND policyname = 'vigil_engine'
  ) THEN
    RETURN;
  END IF;

  DROP INDEX IF EXISTS dose_history_by_scheduled_time;
  DROP INDEX IF EXISTS dose_history_by_actual_time;

  CREATE INDEX dose_history_by_scheduled_time ON dose_history (medication_id, scheduled_time)
    INCLUDE (id, schedule_id, status, actual_time, recorded_timezone, created_at);

  -- The few that were not due when they were taken, nor a day before or after; runs ask in these words.
  CREATE INDEX dose_history_off_schedule ON dose_history (medication_id, actual_time)
    INCLUDE (id, schedule_id, status, scheduled_time, recorded_timezone, created_at)
  WHERE CASE
    WHEN isfinite(scheduled_time) AND isfinite(actual_time)
      THEN actual_time - scheduled_time NOT BETWEEN INTERVAL '-24 hours' AND INTERVAL '24 hours'
    ELSE actual_time IS NOT NULL
  END;
END
$$;

-- Runs read the doses of some hundred medications over some months. A table has them in the order in which
-- they were logged, those of one medication as far apart as its days; an index that holds all that a run
-- reads has them side by side. Two take the place of two that hold less.
--
-- A table with a policy of Vigil is one that Vigil made; that of an app stays as it is.
DO $$
DECLARE
  unnamed bigint;
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_policies
    WHERE schemaname = current_schema() AND tablename = 'dose_history'
      AND policyname = 'vigil_engine'
  ) THEN
    RETURN;
  END IF;

  -- Nobody can log a dose from here on; what would keep them from reading, too, comes last.
  LOCK TABLE dose_history IN SHARE MODE;

  -- An index takes no texts of any length.
  SELECT count(*) INTO unnamed FROM dose_history WHERE octet_length(recorded_timezone) > 255;
  IF unnamed > 0 THEN
    RAISE EXCEPTION '% rows of dose_history have a recorded_timezone of more than 255 bytes', unnamed
      USING ERRCODE = 'object_not_in_prerequisite_state',
        HINT = 'no time zone has such a name and runs pass these doses over: correct or delete those of'
          ' SELECT id FROM dose_history WHERE octet_length(recorded_timezone) > 255';
  END IF;

  CREATE INDEX dose_history_by_medication ON dose_history (medication_id, scheduled_time)
    INCLUDE (id, schedule_id, status, actual_time, recorded_timezone, created_at);

  -- Doses without a planned time, and those taken more than a day off it; runs ask in these words.
  CREATE INDEX dose_history_off_schedule ON dose_history (medication_id, actual_time)
    INCLUDE (id, schedule_id, status, scheduled_time, recorded_timezone, created_at)
  WHERE CASE
    WHEN isfinite(scheduled_time) AND isfinite(actual_time)
      THEN actual_time - scheduled_time NOT BETWEEN INTERVAL '-24 hours' AND INTERVAL '24 hours'
    ELSE actual_time IS NOT NULL
  END;

  -- All rows have been looked at above.
  ALTER TABLE dose_history ADD CONSTRAINT dose_history_timezone_not_too_long
    CHECK (octet_length(recorded_timezone) <= 255) NOT VALID;
  DROP INDEX IF EXISTS dose_history_by_scheduled_time;
  DROP INDEX IF EXISTS dose_history_by_actual_time;
END
$$;

-- Fills a database without any person with doses; psql variables: people, night (the last day).
--
-- Constraints, indexes and references are put back before anything is measured; filling the table under
-- them would take many times as long.
SET session_replication_role = replica;

CREATE TEMPORARY TABLE taker AS
SELECT
  n, md5('taker ' || n)::uuid AS id,
  (ARRAY['Europe/Madrid', 'America/New_York', 'Asia/Kolkata', 'Australia/Sydney', 'UTC'])[n % 5 + 1] AS zone
FROM generate_series(1, :people) AS n;

INSERT INTO users (id, created_at, updated_at) SELECT id, now(), now() FROM taker;

CREATE TEMPORARY TABLE course AS
SELECT
  taker.n, m, taker.id AS taker, zone, md5(format('medication %s %s', n, m))::uuid AS medication,
  md5(format('schedule %s %s', n, m))::uuid AS schedule
FROM taker CROSS JOIN generate_series(1, 2) AS m;

INSERT INTO medications (id, user_id, name, dosage, form, start_date, created_at, updated_at)
SELECT medication, taker, '-', '-', 'pill', :'night'::date - 365, now(), now() FROM course;

INSERT INTO schedules (
  id, medication_id, type, reference_timezone, start_date, time_based_times, created_at, updated_at
)
SELECT
  schedule, medication, 'timeBased', zone, :'night'::date - 365, '["08:00", "20:00"]', now(), now()
FROM course;

CREATE TEMPORARY TABLE left_out AS
SELECT indexname, indexdef FROM pg_indexes
WHERE schemaname = current_schema() AND tablename = 'dose_history' AND indexname <> 'dose_history_pkey';

SELECT format('DROP INDEX %I', indexname) FROM left_out
\gexec
ALTER TABLE dose_history DROP CONSTRAINT dose_history_pkey;

INSERT INTO dose_history (
  id, medication_id, schedule_id, status, scheduled_time, actual_time, recorded_timezone, created_at,
  updated_at
)
SELECT
  md5(format('%s %s %s %s', n, m, day, hour))::uuid, medication, schedule,
  CASE WHEN luck < 85 THEN 'taken' WHEN luck < 88 THEN 'skipped' ELSE 'missed' END,
  due, CASE WHEN luck < 85 THEN due + make_interval(mins => luck) END, zone, due, due
FROM generate_series(0, 90) AS day
CROSS JOIN unnest(ARRAY[8, 20]) AS hour
CROSS JOIN course
CROSS JOIN LATERAL (
  SELECT
    ((:'night'::date - day) + make_interval(hours => hour)) AT TIME ZONE zone AS due,
    (n * 7 + m * 31 + day * 13 + hour) % 100 AS luck
) AS dose
WHERE luck < 90
-- As it was logged: all of an evening before the next morning.
ORDER BY day DESC, hour, n, m;

ALTER TABLE dose_history ADD PRIMARY KEY (id);
SELECT indexdef FROM left_out
\gexec
SET session_replication_role = DEFAULT;
VACUUM ANALYZE;

-- The records of a Health Connect export (SQLite), by day on the clock of each record. Times are in milliseconds, offsets
-- in seconds.

-- Of each app; several of them count the same steps.
-- name: Steps
SELECT date(start_time / 1000 + coalesce(start_zone_offset, 0), 'unixepoch') AS day, app_info_id AS app,
  sum(count) AS steps
FROM steps_record_table
GROUP BY 1, 2

-- Sessions with stages, by the day of waking: 1 awake, 2 asleep, 3 out of bed, 4 light, 5 deep, 6 REM, 7 awake in bed.
-- name: Sleep
SELECT date(session.end_time / 1000 + coalesce(session.end_zone_offset, 0), 'unixepoch') AS day,
  session.app_info_id AS app, session.row_id AS id,
  sum(CASE WHEN stage.stage_type IN (2, 4, 5, 6) THEN stage.stage_end_time - stage.stage_start_time ELSE 0 END)
    / 60000.0 AS asleep,
  sum(CASE WHEN stage.stage_type = 5 THEN stage.stage_end_time - stage.stage_start_time END) / 60000.0 AS deep,
  sum(CASE WHEN stage.stage_type = 6 THEN stage.stage_end_time - stage.stage_start_time END) / 60000.0 AS rem,
  sum(CASE WHEN stage.stage_type = 4 THEN stage.stage_end_time - stage.stage_start_time END) / 60000.0 AS light,
  sum(CASE WHEN stage.stage_type IN (1, 7) THEN stage.stage_end_time - stage.stage_start_time END) / 60000.0 AS awake
FROM sleep_session_record_table AS session
JOIN sleep_stages_table AS stage ON stage.parent_key = session.row_id
GROUP BY session.row_id
HAVING asleep > 0

-- The mean of a day, of the app with most records.
-- name: RestingHeartRate
SELECT date(time / 1000 + coalesce(zone_offset, 0), 'unixepoch') AS day, avg(beats_per_minute) AS value
FROM resting_heart_rate_record_table
WHERE app_info_id = (
  SELECT app_info_id FROM resting_heart_rate_record_table GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1
)
GROUP BY 1

-- name: HeartRateVariability
SELECT date(time / 1000 + coalesce(zone_offset, 0), 'unixepoch') AS day, avg(heart_rate_variability_millis) AS value
FROM heart_rate_variability_rmssd_record_table
WHERE app_info_id = (
  SELECT app_info_id FROM heart_rate_variability_rmssd_record_table GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1
)
GROUP BY 1

-- name: RespiratoryRate
SELECT date(time / 1000 + coalesce(zone_offset, 0), 'unixepoch') AS day, avg(rate) AS value
FROM respiratory_rate_record_table
WHERE app_info_id = (
  SELECT app_info_id FROM respiratory_rate_record_table GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1
)
GROUP BY 1

-- name: OxygenSaturation
SELECT date(time / 1000 + coalesce(zone_offset, 0), 'unixepoch') AS day, avg(percentage) AS value
FROM oxygen_saturation_record_table
WHERE app_info_id = (
  SELECT app_info_id FROM oxygen_saturation_record_table GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1
)
GROUP BY 1

-- A record has a baseline and what differs from it; without a baseline the temperature is not known.
-- name: SkinTemperature
SELECT date(record.end_time / 1000 + coalesce(record.end_zone_offset, 0), 'unixepoch') AS day,
  avg(record.baseline + delta.delta) AS value
FROM skin_temperature_record_table AS record
JOIN skin_temperature_delta_table AS delta ON delta.parent_key = record.row_id
WHERE record.baseline > 0 AND record.app_info_id = (
  SELECT app_info_id FROM skin_temperature_record_table GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1
)
GROUP BY 1

-- With times on the clock of each record. The types are those of ExerciseSessionType of Android's source.
-- name: Workouts
SELECT exercise_type AS activity,
  strftime('%Y-%m-%dT%H:%M:%S', start_time / 1000 + coalesce(start_zone_offset, 0), 'unixepoch')
    || printf('%s%02d:%02d', CASE WHEN coalesce(start_zone_offset, 0) < 0 THEN '-' ELSE '+' END,
      abs(coalesce(start_zone_offset, 0)) / 3600, abs(coalesce(start_zone_offset, 0)) / 60 % 60) AS start,
  strftime('%Y-%m-%dT%H:%M:%SZ', end_time / 1000, 'unixepoch') AS "end"
FROM exercise_session_record_table

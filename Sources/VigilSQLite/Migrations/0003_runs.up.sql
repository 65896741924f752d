-- What was run, on what, and which rows could not be used.

CREATE TABLE batch_runs (
  id TEXT PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL,
  from_date TEXT NOT NULL,
  to_date TEXT NOT NULL,
  mode TEXT NOT NULL,
  thresholds_version TEXT NOT NULL,
  thresholds_digest TEXT NOT NULL,
  engine_version TEXT NOT NULL,
  host TEXT NOT NULL,
  started_at TEXT NOT NULL,
  finished_at TEXT,
  persons INTEGER NOT NULL,
  series INTEGER NOT NULL,
  days_evaluated INTEGER NOT NULL,
  rows_read INTEGER NOT NULL,
  values_rejected INTEGER NOT NULL,
  episodes_opened INTEGER NOT NULL,
  episodes_escalated INTEGER NOT NULL,
  episodes_resolved INTEGER NOT NULL,
  notifications_enqueued INTEGER NOT NULL,
  data_quality TEXT NOT NULL,
  status TEXT NOT NULL,
  error TEXT,
  CONSTRAINT batch_runs_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT batch_runs_kind_known CHECK (kind IN ('run', 'backfill')),
  CONSTRAINT batch_runs_mode_known CHECK (mode IN ('shadow', 'live')),
  CONSTRAINT batch_runs_dates_are_dates CHECK (
    from_date IS date(from_date) AND to_date IS date(to_date) AND from_date <= to_date
  ),
  CONSTRAINT batch_runs_times_are_utc CHECK (
    started_at GLOB '????-??-??T??:??:??.??????Z'
    AND (finished_at IS NULL OR finished_at GLOB '????-??-??T??:??:??.??????Z')
  ),
  CONSTRAINT batch_runs_data_quality_is_json CHECK (json_valid(data_quality)),
  CONSTRAINT batch_runs_status_known CHECK (
    status IN ('running', 'succeeded', 'failed', 'interrupted')
  ),
  CONSTRAINT batch_runs_running_is_not_finished CHECK (
    status <> 'running' OR finished_at IS NULL
  )
) STRICT;

CREATE TABLE quarantined_rows (
  id INTEGER PRIMARY KEY,
  run_id TEXT,
  table_name TEXT NOT NULL,
  file TEXT,
  line INTEGER,
  column_name TEXT,
  reason TEXT NOT NULL,
  created_at TEXT NOT NULL,
  CONSTRAINT quarantined_rows_run_id_is_uuid CHECK (run_id IS NULL OR length(run_id) = 36),
  CONSTRAINT quarantined_rows_line_positive CHECK (line IS NULL OR line > 0)
) STRICT;

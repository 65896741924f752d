-- What was run, on what, and which rows could not be used.

CREATE TABLE batch_runs (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  from_date date NOT NULL,
  to_date date NOT NULL,
  mode text NOT NULL,
  thresholds_version text NOT NULL,
  thresholds_digest text NOT NULL,
  engine_version text NOT NULL,
  host text NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  persons bigint NOT NULL,
  series bigint NOT NULL,
  days_evaluated bigint NOT NULL,
  rows_read bigint NOT NULL,
  values_rejected bigint NOT NULL,
  episodes_opened bigint NOT NULL,
  episodes_escalated bigint NOT NULL,
  episodes_resolved bigint NOT NULL,
  notifications_enqueued bigint NOT NULL,
  data_quality jsonb NOT NULL,
  status text NOT NULL,
  error text,
  CONSTRAINT batch_runs_kind_known CHECK (kind IN ('run', 'backfill')),
  CONSTRAINT batch_runs_mode_known CHECK (mode IN ('shadow', 'live')),
  CONSTRAINT batch_runs_dates_are_dates CHECK (
    from_date >= DATE '0001-01-01' AND to_date <= DATE '9999-12-31' AND from_date <= to_date
  ),
  CONSTRAINT batch_runs_status_known CHECK (
    status IN ('running', 'succeeded', 'failed', 'interrupted')
  ),
  CONSTRAINT batch_runs_running_is_not_finished CHECK (
    status <> 'running' OR finished_at IS NULL
  )
);

CREATE TABLE quarantined_rows (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id uuid,
  table_name text NOT NULL,
  file text,
  line bigint,
  column_name text,
  reason text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT quarantined_rows_line_positive CHECK (line > 0)
);

-- MARK: Rights

ALTER TABLE batch_runs ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON batch_runs TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON batch_runs TO vigil_engine, vigil_backfill USING (TRUE);
GRANT SELECT, INSERT, UPDATE ON batch_runs TO vigil_engine, vigil_backfill;

ALTER TABLE quarantined_rows ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON quarantined_rows TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON quarantined_rows TO vigil_engine, vigil_backfill USING (TRUE);
GRANT SELECT, INSERT, UPDATE ON quarantined_rows TO vigil_engine, vigil_backfill;

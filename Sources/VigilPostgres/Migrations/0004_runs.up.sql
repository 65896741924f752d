-- What was run, with which settings and on which data, and which rows could not be used.

-- MARK: Tables

CREATE TABLE {{schema}}.batch_runs (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  from_date date NOT NULL,
  to_date date NOT NULL,
  mode text NOT NULL,
  is_silent boolean NOT NULL,
  parts text NOT NULL,
  shards integer NOT NULL,
  selection uuid,
  thresholds_version text NOT NULL,
  thresholds_digest text NOT NULL,
  candidate_version text,
  candidate_digest text,
  vitality_version text,
  vitality_digest text,
  zone_rules text,
  engine_version text NOT NULL,
  host text NOT NULL,
  begun_by name NOT NULL DEFAULT CURRENT_USER,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  persons bigint NOT NULL,
  series bigint NOT NULL,
  days_evaluated bigint NOT NULL,
  rows_read bigint NOT NULL,
  rows_changed bigint NOT NULL,
  values_rejected bigint NOT NULL,
  episodes_opened bigint NOT NULL,
  episodes_escalated bigint NOT NULL,
  episodes_resolved bigint NOT NULL,
  notifications_enqueued bigint NOT NULL,
  notifications_held bigint NOT NULL,
  scores_changed bigint NOT NULL,
  insights_found bigint NOT NULL,
  data_quality jsonb NOT NULL,
  feed text,
  dose_feed text,
  watermark timestamptz,
  status text NOT NULL,
  error text,
  CONSTRAINT batch_runs_kind_known CHECK (kind IN ('run', 'backfill', 'person')),
  CONSTRAINT batch_runs_mode_known CHECK (mode IN ('shadow', 'live')),
  CONSTRAINT batch_runs_dates_are_dates CHECK (
    from_date >= DATE '0001-01-01' AND to_date <= DATE '9999-12-31' AND from_date <= to_date
  ),
  CONSTRAINT batch_runs_parts_known CHECK (
    parts IN (
      'adherence', 'adherence,patterns', 'adherence,patterns,vitality', 'adherence,vitality',
      'patterns', 'patterns,vitality', 'vitality'
    )
  ),
  CONSTRAINT batch_runs_shards_positive CHECK (shards > 0),
  CONSTRAINT batch_runs_candidate_is_whole CHECK (
    (candidate_version IS NULL) = (candidate_digest IS NULL)
  ),
  CONSTRAINT batch_runs_candidate_is_another CHECK (
    candidate_digest IS NULL OR candidate_digest <> thresholds_digest
  ),
  CONSTRAINT batch_runs_vitality_is_whole CHECK (
    (vitality_version IS NULL) = (vitality_digest IS NULL)
  ),
  CONSTRAINT batch_runs_counts_not_negative CHECK (
    least(
      persons, series, days_evaluated, rows_read, values_rejected, episodes_opened,
      episodes_escalated, episodes_resolved, notifications_enqueued, rows_changed,
      notifications_held, scores_changed, insights_found
    ) >= 0
  ),
  CONSTRAINT batch_runs_feed_is_json CHECK (json_typeof(feed::json) = 'object'),
  CONSTRAINT batch_runs_dose_feed_is_json CHECK (json_typeof(dose_feed::json) = 'object'),
  CONSTRAINT batch_runs_status_known CHECK (
    status IN ('running', 'succeeded', 'failed', 'interrupted', 'held')
  ),
  CONSTRAINT batch_runs_running_is_not_finished CHECK (
    status <> 'running' OR finished_at IS NULL
  )
);

CREATE INDEX batch_runs_by_start ON {{schema}}.batch_runs (started_at);

COMMENT ON TABLE {{schema}}.batch_runs IS
  'Nightly runs and backfills. A run writes its own row; all shards of a run share it.';
COMMENT ON COLUMN {{schema}}.batch_runs.id IS
  'The run. Rows that it writes name it as run_id.';
COMMENT ON COLUMN {{schema}}.batch_runs.kind IS
  'run (a night), backfill, or person (the evaluations of single persons between nights: one row for a day, an '
  'evaluated day and a mode).';
COMMENT ON COLUMN {{schema}}.batch_runs.from_date IS
  'The first evaluated day; of a night the same as the last.';
COMMENT ON COLUMN {{schema}}.batch_runs.to_date IS
  'The last evaluated day.';
COMMENT ON COLUMN {{schema}}.batch_runs.mode IS
  'shadow (plans notifications) or live (enqueues them).';
COMMENT ON COLUMN {{schema}}.batch_runs.is_silent IS
  'Whether the run notified no member because the profile had been switched.';
COMMENT ON COLUMN {{schema}}.batch_runs.parts IS
  'What the run evaluated: adherence, patterns and vitality, separated by commas.';
COMMENT ON COLUMN {{schema}}.batch_runs.shards IS
  'How many processes shared the run, each with a part of the persons.';
COMMENT ON COLUMN {{schema}}.batch_runs.selection IS
  'UUIDv5 of the ids of the chosen persons (--users), the same for all of kind person. NULL where all persons '
  'were evaluated.';
COMMENT ON COLUMN {{schema}}.batch_runs.thresholds_version IS
  'Version of the thresholds file.';
COMMENT ON COLUMN {{schema}}.batch_runs.thresholds_digest IS
  'SHA-256 of the thresholds file, in 64 hexadecimal digits.';
COMMENT ON COLUMN {{schema}}.batch_runs.candidate_version IS
  'Version of the thresholds file whose episodes were followed beside those of the run (--candidate). '
  'NULL where there was none.';
COMMENT ON COLUMN {{schema}}.batch_runs.candidate_digest IS
  'SHA-256 of the candidate, in 64 hexadecimal digits. NULL where there was none.';
COMMENT ON COLUMN {{schema}}.batch_runs.vitality_version IS
  'Version of the vitality settings. NULL where parts is without vitality.';
COMMENT ON COLUMN {{schema}}.batch_runs.vitality_digest IS
  'SHA-256 of the vitality settings. NULL where parts is without vitality.';
COMMENT ON COLUMN {{schema}}.batch_runs.zone_rules IS
  'Version of the time zone rules that the run used, such as 2026a. NULL where the run did not record '
  'it.';
COMMENT ON COLUMN {{schema}}.batch_runs.engine_version IS
  'Version of Vigil.';
COMMENT ON COLUMN {{schema}}.batch_runs.host IS
  'The machine that began the run.';
COMMENT ON COLUMN {{schema}}.batch_runs.begun_by IS
  'The login that began the run; PostgreSQL only. A backfill changes runs of its own login only.';
COMMENT ON COLUMN {{schema}}.batch_runs.started_at IS
  'When the run began; of kind person, the first evaluation.';
COMMENT ON COLUMN {{schema}}.batch_runs.finished_at IS
  'When the run ended; of kind person, the last evaluation. NULL while it is running.';
COMMENT ON COLUMN {{schema}}.batch_runs.persons IS
  'Persons that were evaluated; of kind person, evaluations.';
COMMENT ON COLUMN {{schema}}.batch_runs.series IS
  'Series with at least one value in the loaded days.';
COMMENT ON COLUMN {{schema}}.batch_runs.days_evaluated IS
  'Series times evaluated days.';
COMMENT ON COLUMN {{schema}}.batch_runs.rows_read IS
  'Metric rows that were read.';
COMMENT ON COLUMN {{schema}}.batch_runs.rows_changed IS
  'Metric rows that are newer than the watermark of the last run that succeeded.';
COMMENT ON COLUMN {{schema}}.batch_runs.values_rejected IS
  'Values that could not be used and counted as missing.';
COMMENT ON COLUMN {{schema}}.batch_runs.episodes_opened IS
  'Episodes that began.';
COMMENT ON COLUMN {{schema}}.batch_runs.episodes_escalated IS
  'Episodes that reached a higher level.';
COMMENT ON COLUMN {{schema}}.batch_runs.episodes_resolved IS
  'Episodes that ended.';
COMMENT ON COLUMN {{schema}}.batch_runs.notifications_enqueued IS
  'Notifications that entered the queue of the mode.';
COMMENT ON COLUMN {{schema}}.batch_runs.notifications_held IS
  'Notifications of a live run that are held: neither enqueued nor given up.';
COMMENT ON COLUMN {{schema}}.batch_runs.scores_changed IS
  'Rows of vitality_scores that the run added, changed or removed.';
COMMENT ON COLUMN {{schema}}.batch_runs.insights_found IS
  'Insights of the evaluated days that are not suppressed, co-occurrences included.';
COMMENT ON COLUMN {{schema}}.batch_runs.data_quality IS
  'What was wrong with the data: a JSON array of counts with metric and reason.';
COMMENT ON COLUMN {{schema}}.batch_runs.feed IS
  'What brings metric rows in: sending, the persons with a row on the last evaluated day, of at most 1,000 '
  'who were looked at; usual, those of a usual day before; broken_days, the days on which the feed counts '
  'as broken, so that no silence opened an alert. NULL where the profile does not follow silence.';
COMMENT ON COLUMN {{schema}}.batch_runs.dose_feed IS
  'The same of what brings dose rows in, of persons with an active schedule; on the broken_days doses without a '
  'record were no misses. NULL where the profile does not weigh missed doses.';
COMMENT ON COLUMN {{schema}}.batch_runs.watermark IS
  'The newest updated_at of the metric rows that the run read. NULL where the input has none.';
COMMENT ON COLUMN {{schema}}.batch_runs.status IS
  'running, succeeded, failed, interrupted or held (its notifications wait for a decision).';
COMMENT ON COLUMN {{schema}}.batch_runs.error IS
  'One line on why the run failed, without any value of a person.';

CREATE TABLE {{schema}}.run_shards (
  run_id uuid NOT NULL,
  shard integer NOT NULL,
  status text NOT NULL,
  host text NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  error text,
  data_quality jsonb NOT NULL,
  carried jsonb NOT NULL,
  PRIMARY KEY (run_id, shard),
  CONSTRAINT run_shards_run FOREIGN KEY (run_id) REFERENCES {{schema}}.batch_runs (id)
    ON DELETE CASCADE,
  CONSTRAINT run_shards_shard_positive CHECK (shard > 0),
  CONSTRAINT run_shards_status_known CHECK (
    status IN ('running', 'succeeded', 'failed', 'interrupted', 'held')
  )
);

COMMENT ON TABLE {{schema}}.run_shards IS
  'Processes that share a run. Each process writes its own row.';
COMMENT ON COLUMN {{schema}}.run_shards.run_id IS
  'The run.';
COMMENT ON COLUMN {{schema}}.run_shards.shard IS
  'Number of the part of the persons, from 1.';
COMMENT ON COLUMN {{schema}}.run_shards.status IS
  'running, succeeded, failed, interrupted or held (its notifications wait for a decision).';
COMMENT ON COLUMN {{schema}}.run_shards.host IS
  'The machine of the process.';
COMMENT ON COLUMN {{schema}}.run_shards.started_at IS
  'When the process began.';
COMMENT ON COLUMN {{schema}}.run_shards.finished_at IS
  'When the process ended. NULL while it is running.';
COMMENT ON COLUMN {{schema}}.run_shards.error IS
  'One line on why the process failed, without any value of a person.';
COMMENT ON COLUMN {{schema}}.run_shards.data_quality IS
  'What the process found before its first batch, as in batch_runs. Checkpoints hold the rest.';
COMMENT ON COLUMN {{schema}}.run_shards.carried IS
  'Counts of batches whose checkpoints were removed since, as a JSON object.';

CREATE TABLE {{schema}}.batch_checkpoints (
  run_id uuid NOT NULL,
  shard integer NOT NULL,
  first_person uuid NOT NULL,
  last_person uuid NOT NULL,
  persons integer NOT NULL,
  counts jsonb NOT NULL,
  data_quality jsonb NOT NULL,
  metric_rows bigint NOT NULL,
  newest_update timestamptz,
  update_seconds bigint,
  workout_days bigint NOT NULL,
  medication_digest bigint,
  vitality_digest bigint,
  sensitivity_digest bigint,
  written_at timestamptz NOT NULL,
  PRIMARY KEY (run_id, shard, first_person),
  CONSTRAINT batch_checkpoints_run FOREIGN KEY (run_id) REFERENCES {{schema}}.batch_runs (id)
    ON DELETE CASCADE,
  CONSTRAINT batch_checkpoints_persons_in_order CHECK (first_person <= last_person),
  CONSTRAINT batch_checkpoints_counts_in_range CHECK (
    shard > 0 AND persons > 0 AND metric_rows >= 0 AND workout_days >= 0
  )
);

COMMENT ON TABLE {{schema}}.batch_checkpoints IS
  'What a run has written so far: one row for each batch of persons, added in the transaction of that '
  'batch. A continued run skips batches whose input is unchanged.';
COMMENT ON COLUMN {{schema}}.batch_checkpoints.run_id IS
  'The run.';
COMMENT ON COLUMN {{schema}}.batch_checkpoints.shard IS
  'Number of the part of the persons, from 1.';
COMMENT ON COLUMN {{schema}}.batch_checkpoints.first_person IS
  'The first person of the batch, by id.';
COMMENT ON COLUMN {{schema}}.batch_checkpoints.last_person IS
  'The last person of the batch, by id.';
COMMENT ON COLUMN {{schema}}.batch_checkpoints.persons IS
  'Persons of the batch.';
COMMENT ON COLUMN {{schema}}.batch_checkpoints.counts IS
  'What the batch read and did: a JSON object with the counts of batch_runs.';
COMMENT ON COLUMN {{schema}}.batch_checkpoints.data_quality IS
  'What was wrong with the data of the batch, as in batch_runs.';
COMMENT ON COLUMN {{schema}}.batch_checkpoints.metric_rows IS
  'Metric rows that the batch read.';
COMMENT ON COLUMN {{schema}}.batch_checkpoints.newest_update IS
  'The newest updated_at of those rows. NULL where there is none.';
COMMENT ON COLUMN {{schema}}.batch_checkpoints.update_seconds IS
  'The sum of updated_at of those rows, each in seconds since 1970. NULL where a row has none.';
COMMENT ON COLUMN {{schema}}.batch_checkpoints.workout_days IS
  'Days of the persons with an exercise session.';
COMMENT ON COLUMN {{schema}}.batch_checkpoints.medication_digest IS
  'Digest of the medications, schedules, doses and check-ins that the batch read. NULL where it read none.';
COMMENT ON COLUMN {{schema}}.batch_checkpoints.vitality_digest IS
  'Digest of the scores of other sources and the birth dates that the batch read. NULL where it read '
  'none.';
COMMENT ON COLUMN {{schema}}.batch_checkpoints.sensitivity_digest IS
  'Digest of the sensitivity_overrides and person_limits of the persons, 0 where there are none. NULL where the run follows no '
  'patterns.';
COMMENT ON COLUMN {{schema}}.batch_checkpoints.written_at IS
  'When the batch was written.';

CREATE TABLE {{schema}}.quarantined_rows (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id uuid,
  table_name text NOT NULL,
  file text,
  line bigint,
  row_key text,
  column_name text,
  reason text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT quarantined_rows_line_positive CHECK (line > 0)
);

-- A row is listed once, however many runs find it.
CREATE UNIQUE INDEX quarantined_rows_once
ON {{schema}}.quarantined_rows (table_name, row_key, reason)
WHERE row_key IS NOT NULL;

COMMENT ON TABLE {{schema}}.quarantined_rows IS
  'Input rows that cannot be used. Runs and imports add them and go on.';
COMMENT ON COLUMN {{schema}}.quarantined_rows.id IS
  'Number of the row.';
COMMENT ON COLUMN {{schema}}.quarantined_rows.run_id IS
  'The run that last found the row. NULL for an import.';
COMMENT ON COLUMN {{schema}}.quarantined_rows.table_name IS
  'The input table of the row.';
COMMENT ON COLUMN {{schema}}.quarantined_rows.file IS
  'The imported file. NULL for a row of the database.';
COMMENT ON COLUMN {{schema}}.quarantined_rows.line IS
  'The line of the file, from 1. NULL for a row of the database.';
COMMENT ON COLUMN {{schema}}.quarantined_rows.row_key IS
  'Key of a row of the database. NULL for an import.';
COMMENT ON COLUMN {{schema}}.quarantined_rows.column_name IS
  'The column that cannot be used. NULL where the whole row is concerned.';
COMMENT ON COLUMN {{schema}}.quarantined_rows.reason IS
  'Why the row cannot be used, without any value of it.';
COMMENT ON COLUMN {{schema}}.quarantined_rows.created_at IS
  'When the row was first found.';

-- MARK: Locks

-- Locks are locks of tables, which only roles with rights on them can take. Each login of the database could take
-- an advisory lock. A table of locks is not logged: what it says is about sessions, which end with the server.

CREATE UNLOGGED TABLE {{schema}}.run_locks (
  name text PRIMARY KEY,
  process integer NOT NULL
);

COMMENT ON TABLE {{schema}}.run_locks IS
  'PostgreSQL only. The lock of runs: a run holds the table in EXCLUSIVE mode, processes that share a run hold it '
  'in ROW SHARE mode, and each has a row.';
COMMENT ON COLUMN {{schema}}.run_locks.name IS
  'The part of the persons that the process evaluates, such as 1/3.';
COMMENT ON COLUMN {{schema}}.run_locks.process IS
  'The server process that holds the lock. A process that does not hold the table has ended, and its row counts '
  'for nothing.';

CREATE UNLOGGED TABLE {{schema}}.person_locks (
  name text PRIMARY KEY,
  process integer NOT NULL
);

COMMENT ON TABLE {{schema}}.person_locks IS
  'PostgreSQL only. Persons who are being evaluated one by one. Each evaluation has a row, and holds the table in '
  'ROW SHARE mode.';
COMMENT ON COLUMN {{schema}}.person_locks.name IS
  'Id of the person.';
COMMENT ON COLUMN {{schema}}.person_locks.process IS
  'The server process that holds the lock. A process that does not hold the table has ended, and its row counts '
  'for nothing.';

CREATE UNLOGGED TABLE {{schema}}.change_lock ();

COMMENT ON TABLE {{schema}}.change_lock IS
  'PostgreSQL only. Always empty. Transactions that change runs, alerts or the queue hold it, one after the other.';

CREATE UNLOGGED TABLE {{schema}}.settlement_lock ();

COMMENT ON TABLE {{schema}}.settlement_lock IS
  'PostgreSQL only. Always empty. It keeps the evaluation of one person and the batches of runs from being written at '
  'the same moment.';

-- MARK: Rights

-- The right to delete is the one with which a role may lock a table, in each version of the server.
ALTER TABLE {{schema}}.run_locks ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.run_locks TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.run_locks TO vigil_engine, vigil_backfill USING (TRUE);
GRANT SELECT, INSERT, DELETE ON {{schema}}.run_locks TO vigil_engine, vigil_backfill;
ALTER TABLE {{schema}}.person_locks ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.person_locks TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.person_locks TO vigil_engine USING (TRUE);
GRANT SELECT, INSERT, DELETE ON {{schema}}.person_locks TO vigil_engine;
ALTER TABLE {{schema}}.change_lock ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.change_lock TO CURRENT_USER USING (TRUE);
GRANT DELETE ON {{schema}}.change_lock TO vigil_engine, vigil_backfill;
ALTER TABLE {{schema}}.settlement_lock ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.settlement_lock TO CURRENT_USER USING (TRUE);
GRANT DELETE ON {{schema}}.settlement_lock TO vigil_engine, vigil_backfill;

-- A backfill adds shadow runs under its own login, and changes only those.
ALTER TABLE {{schema}}.batch_runs ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.batch_runs TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.batch_runs TO vigil_engine USING (TRUE);
CREATE POLICY vigil_backfill ON {{schema}}.batch_runs FOR SELECT TO vigil_backfill USING (TRUE);
CREATE POLICY vigil_backfill_insert ON {{schema}}.batch_runs FOR INSERT TO vigil_backfill
WITH CHECK (begun_by = CURRENT_USER AND mode = 'shadow');
CREATE POLICY vigil_backfill_update ON {{schema}}.batch_runs FOR UPDATE TO vigil_backfill
USING (begun_by = CURRENT_USER AND mode = 'shadow');
GRANT SELECT, INSERT, UPDATE ON {{schema}}.batch_runs TO vigil_engine, vigil_backfill;
-- A sender compares its clock with that of nights.
CREATE POLICY vigil_sender ON {{schema}}.batch_runs FOR SELECT TO vigil_sender USING (TRUE);
GRANT SELECT (started_at) ON {{schema}}.batch_runs TO vigil_sender;

ALTER TABLE {{schema}}.run_shards ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.run_shards TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.run_shards TO vigil_engine USING (TRUE);
CREATE POLICY vigil_backfill ON {{schema}}.run_shards FOR SELECT TO vigil_backfill USING (TRUE);
CREATE POLICY vigil_backfill_insert ON {{schema}}.run_shards FOR INSERT TO vigil_backfill
WITH CHECK (EXISTS (
  SELECT FROM {{schema}}.batch_runs AS run WHERE run.id = run_id AND run.begun_by = CURRENT_USER
));
CREATE POLICY vigil_backfill_update ON {{schema}}.run_shards FOR UPDATE TO vigil_backfill
USING (EXISTS (
  SELECT FROM {{schema}}.batch_runs AS run WHERE run.id = run_id AND run.begun_by = CURRENT_USER
));
GRANT SELECT, INSERT, UPDATE ON {{schema}}.run_shards TO vigil_engine, vigil_backfill;

-- Runs add checkpoints and never change one. A continued run removes those whose input has changed.
ALTER TABLE {{schema}}.batch_checkpoints ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.batch_checkpoints TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.batch_checkpoints TO vigil_engine USING (TRUE);
CREATE POLICY vigil_backfill ON {{schema}}.batch_checkpoints
FOR SELECT TO vigil_backfill USING (TRUE);
CREATE POLICY vigil_backfill_insert ON {{schema}}.batch_checkpoints FOR INSERT TO vigil_backfill
WITH CHECK (EXISTS (
  SELECT FROM {{schema}}.batch_runs AS run WHERE run.id = run_id AND run.begun_by = CURRENT_USER
));
CREATE POLICY vigil_backfill_delete ON {{schema}}.batch_checkpoints FOR DELETE TO vigil_backfill
USING (EXISTS (
  SELECT FROM {{schema}}.batch_runs AS run WHERE run.id = run_id AND run.begun_by = CURRENT_USER
));
GRANT SELECT, INSERT, DELETE ON {{schema}}.batch_checkpoints TO vigil_engine, vigil_backfill;

-- A row that is found again gets the run that has found it.
ALTER TABLE {{schema}}.quarantined_rows ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.quarantined_rows TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.quarantined_rows
TO vigil_engine, vigil_backfill USING (TRUE);
GRANT SELECT, INSERT, UPDATE (run_id) ON {{schema}}.quarantined_rows TO vigil_engine, vigil_backfill;

-- Runs that several processes share and that can be continued, and notifications that wait until a run
-- has seen all of them.

ALTER TABLE batch_runs
  ADD COLUMN shards integer NOT NULL DEFAULT 1,
  ADD COLUMN selection uuid,
  ADD COLUMN rows_changed bigint NOT NULL DEFAULT 0,
  ADD COLUMN notifications_held bigint NOT NULL DEFAULT 0,
  ADD COLUMN watermark timestamptz,
  ADD CONSTRAINT batch_runs_shards_positive CHECK (shards > 0);

CREATE INDEX batch_runs_by_start ON batch_runs (started_at);

CREATE TABLE run_shards (
  run_id uuid NOT NULL,
  shard integer NOT NULL,
  status text NOT NULL,
  host text NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  error text,
  -- What batches have written whose checkpoints were forgotten.
  carried jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (run_id, shard),
  CONSTRAINT run_shards_run FOREIGN KEY (run_id) REFERENCES batch_runs (id) ON DELETE CASCADE,
  CONSTRAINT run_shards_shard_positive CHECK (shard > 0),
  CONSTRAINT run_shards_status_known CHECK (
    status IN ('running', 'succeeded', 'failed', 'interrupted', 'held')
  )
);

-- Nothing has read a checkpoint so far, and those of runs that have ended say nothing any more.
DROP TABLE batch_checkpoints;

CREATE TABLE batch_checkpoints (
  run_id uuid NOT NULL,
  shard integer NOT NULL,
  first_person uuid NOT NULL,
  last_person uuid NOT NULL,
  persons integer NOT NULL,
  -- What the batch read and did.
  counts jsonb NOT NULL,
  data_quality jsonb NOT NULL,
  -- What of the input it was computed from.
  metric_rows bigint NOT NULL,
  newest_update timestamptz,
  update_seconds bigint,
  workout_days bigint NOT NULL,
  written_at timestamptz NOT NULL,
  PRIMARY KEY (run_id, shard, first_person),
  CONSTRAINT batch_checkpoints_run FOREIGN KEY (run_id) REFERENCES batch_runs (id)
    ON DELETE CASCADE,
  CONSTRAINT batch_checkpoints_persons_in_order CHECK (first_person <= last_person),
  CONSTRAINT batch_checkpoints_counts_in_range CHECK (
    shard > 0 AND persons > 0 AND metric_rows >= 0 AND workout_days >= 0
  )
);

-- What a live run wants to send, until all of it is known to be few enough or somebody decides.
CREATE TABLE held_notifications (
  id uuid NOT NULL,
  recipient_user_id uuid NOT NULL,
  member_user_id uuid NOT NULL,
  alert_state_id uuid NOT NULL,
  notification_type text NOT NULL,
  template_id text NOT NULL,
  channel text NOT NULL,
  payload jsonb NOT NULL,
  priority text NOT NULL,
  scheduled_for timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  max_attempts integer NOT NULL,
  dedupe_key text NOT NULL,
  run_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  level integer NOT NULL,
  shard integer NOT NULL,
  -- What became of it; NULL while nobody has decided.
  outcome text,
  decided_at timestamptz,
  PRIMARY KEY (run_id, dedupe_key),
  CONSTRAINT held_notifications_run FOREIGN KEY (run_id) REFERENCES batch_runs (id),
  CONSTRAINT held_notifications_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES pattern_alert_state (id),
  CONSTRAINT held_notifications_channel_known CHECK (
    channel IN ('push', 'whatsapp', 'sms', 'email', 'in_app')
  ),
  CONSTRAINT held_notifications_priority_known CHECK (
    priority IN ('low', 'normal', 'high', 'critical')
  ),
  CONSTRAINT held_notifications_level_known CHECK (level IN (3, 7, 14, 21)),
  CONSTRAINT held_notifications_expires_after_schedule CHECK (expires_at >= scheduled_for),
  CONSTRAINT held_notifications_outcome_known CHECK (
    outcome IN ('released', 'discarded', 'superseded', 'resolved', 'dismissed', 'snoozed')
  ),
  CONSTRAINT held_notifications_outcome_has_time CHECK ((outcome IS NULL) = (decided_at IS NULL))
);

CREATE INDEX held_notifications_undecided ON held_notifications (alert_state_id)
WHERE outcome IS NULL;

-- A foreign key can refer to a table only, and users may be a view.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_class WHERE oid = 'users'::regclass AND relkind IN ('r', 'p')) THEN
    ALTER TABLE held_notifications
      ADD CONSTRAINT held_notifications_recipient
        FOREIGN KEY (recipient_user_id) REFERENCES users (id),
      ADD CONSTRAINT held_notifications_member FOREIGN KEY (member_user_id) REFERENCES users (id);
  END IF;
END
$$;

-- MARK: Rights

ALTER TABLE run_shards ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON run_shards TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON run_shards TO vigil_engine, vigil_backfill USING (TRUE);
GRANT SELECT, INSERT, UPDATE ON run_shards TO vigil_engine, vigil_backfill;

-- A continued run forgets the checkpoints of batches whose input has changed.
ALTER TABLE batch_checkpoints ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON batch_checkpoints TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON batch_checkpoints TO vigil_engine, vigil_backfill USING (TRUE);
GRANT SELECT, INSERT, UPDATE, DELETE ON batch_checkpoints TO vigil_engine, vigil_backfill;

-- What is held will be sent, so a backfill has no right to it.
ALTER TABLE held_notifications ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON held_notifications TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON held_notifications TO vigil_engine USING (TRUE);
CREATE POLICY vigil_backfill ON held_notifications FOR SELECT TO vigil_backfill USING (TRUE);
GRANT SELECT, INSERT, UPDATE ON held_notifications TO vigil_engine;
GRANT SELECT ON held_notifications TO vigil_backfill;

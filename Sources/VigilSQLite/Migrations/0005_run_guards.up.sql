-- Runs that several processes share and that can be continued, and notifications that wait until a run
-- has seen all of them.

ALTER TABLE batch_runs ADD COLUMN shards INTEGER NOT NULL DEFAULT 1
  CONSTRAINT batch_runs_shards_positive CHECK (shards > 0);
ALTER TABLE batch_runs ADD COLUMN selection TEXT
  CONSTRAINT batch_runs_selection_is_uuid CHECK (selection IS NULL OR length(selection) = 36);
ALTER TABLE batch_runs ADD COLUMN rows_changed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE batch_runs ADD COLUMN notifications_held INTEGER NOT NULL DEFAULT 0;
ALTER TABLE batch_runs ADD COLUMN watermark TEXT
  CONSTRAINT batch_runs_watermark_is_utc CHECK (watermark GLOB '????-??-??T??:??:??.??????Z');

CREATE INDEX batch_runs_by_start ON batch_runs (started_at);

CREATE TABLE run_shards (
  run_id TEXT NOT NULL,
  shard INTEGER NOT NULL,
  status TEXT NOT NULL,
  host TEXT NOT NULL,
  started_at TEXT NOT NULL,
  finished_at TEXT,
  error TEXT,
  -- What batches have written whose checkpoints were forgotten.
  carried TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (run_id, shard),
  CONSTRAINT run_shards_run FOREIGN KEY (run_id) REFERENCES batch_runs (id) ON DELETE CASCADE,
  CONSTRAINT run_shards_shard_positive CHECK (shard > 0),
  CONSTRAINT run_shards_status_known CHECK (
    status IN ('running', 'succeeded', 'failed', 'interrupted', 'held')
  ),
  CONSTRAINT run_shards_carried_is_json CHECK (json_valid(carried)),
  CONSTRAINT run_shards_times_are_utc CHECK (
    started_at GLOB '????-??-??T??:??:??.??????Z'
    AND (finished_at IS NULL OR finished_at GLOB '????-??-??T??:??:??.??????Z')
  )
) STRICT, WITHOUT ROWID;

-- Nothing has read a checkpoint so far, and those of runs that have ended say nothing any more.
DROP TABLE batch_checkpoints;

CREATE TABLE batch_checkpoints (
  run_id TEXT NOT NULL,
  shard INTEGER NOT NULL,
  first_person TEXT NOT NULL,
  last_person TEXT NOT NULL,
  persons INTEGER NOT NULL,
  -- What the batch read and did.
  counts TEXT NOT NULL,
  data_quality TEXT NOT NULL,
  -- What of the input it was computed from.
  metric_rows INTEGER NOT NULL,
  newest_update TEXT,
  update_seconds INTEGER,
  workout_days INTEGER NOT NULL,
  written_at TEXT NOT NULL,
  PRIMARY KEY (run_id, shard, first_person),
  CONSTRAINT batch_checkpoints_run FOREIGN KEY (run_id) REFERENCES batch_runs (id)
    ON DELETE CASCADE,
  CONSTRAINT batch_checkpoints_persons_in_order CHECK (first_person <= last_person),
  CONSTRAINT batch_checkpoints_counts_in_range CHECK (
    shard > 0 AND persons > 0 AND metric_rows >= 0 AND workout_days >= 0
  ),
  CONSTRAINT batch_checkpoints_counts_are_json CHECK (
    json_valid(counts) AND json_valid(data_quality)
  ),
  CONSTRAINT batch_checkpoints_times_are_utc CHECK (
    written_at GLOB '????-??-??T??:??:??.??????Z'
    AND (newest_update IS NULL OR newest_update GLOB '????-??-??T??:??:??.??????Z')
  )
) STRICT, WITHOUT ROWID;

-- What a live run wants to send, until all of it is known to be few enough or somebody decides.
CREATE TABLE held_notifications (
  id TEXT NOT NULL,
  recipient_user_id TEXT NOT NULL,
  member_user_id TEXT NOT NULL,
  alert_state_id TEXT NOT NULL,
  notification_type TEXT NOT NULL,
  template_id TEXT NOT NULL,
  channel TEXT NOT NULL,
  payload TEXT NOT NULL,
  priority TEXT NOT NULL,
  scheduled_for TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  max_attempts INTEGER NOT NULL,
  dedupe_key TEXT NOT NULL,
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  level INTEGER NOT NULL,
  shard INTEGER NOT NULL,
  -- What became of it; NULL while nobody has decided.
  outcome TEXT,
  decided_at TEXT,
  PRIMARY KEY (run_id, dedupe_key),
  CONSTRAINT held_notifications_run FOREIGN KEY (run_id) REFERENCES batch_runs (id),
  CONSTRAINT held_notifications_recipient FOREIGN KEY (recipient_user_id) REFERENCES users (id),
  CONSTRAINT held_notifications_member FOREIGN KEY (member_user_id) REFERENCES users (id),
  CONSTRAINT held_notifications_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES pattern_alert_state (id),
  CONSTRAINT held_notifications_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT held_notifications_channel_known CHECK (
    channel IN ('push', 'whatsapp', 'sms', 'email', 'in_app')
  ),
  CONSTRAINT held_notifications_payload_is_json CHECK (json_valid(payload)),
  CONSTRAINT held_notifications_priority_known CHECK (
    priority IN ('low', 'normal', 'high', 'critical')
  ),
  CONSTRAINT held_notifications_level_known CHECK (level IN (3, 7, 14, 21)),
  CONSTRAINT held_notifications_times_are_utc CHECK (
    scheduled_for GLOB '????-??-??T??:??:??.??????Z'
    AND expires_at GLOB '????-??-??T??:??:??.??????Z'
    AND (decided_at IS NULL OR decided_at GLOB '????-??-??T??:??:??.??????Z')
  ),
  CONSTRAINT held_notifications_expires_after_schedule CHECK (expires_at >= scheduled_for),
  CONSTRAINT held_notifications_outcome_known CHECK (
    outcome IS NULL OR outcome IN (
      'released', 'discarded', 'superseded', 'resolved', 'dismissed', 'snoozed'
    )
  ),
  CONSTRAINT held_notifications_outcome_has_time CHECK ((outcome IS NULL) = (decided_at IS NULL))
) STRICT;

CREATE INDEX held_notifications_undecided ON held_notifications (alert_state_id)
WHERE outcome IS NULL;

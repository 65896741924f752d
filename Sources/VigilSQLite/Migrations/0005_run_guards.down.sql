DROP TABLE held_notifications;
DROP TABLE run_shards;
DROP TABLE batch_checkpoints;

CREATE TABLE batch_checkpoints (
  run_id TEXT NOT NULL,
  first_person TEXT NOT NULL,
  last_person TEXT NOT NULL,
  persons INTEGER NOT NULL,
  notifications_enqueued INTEGER NOT NULL,
  written_at TEXT NOT NULL,
  PRIMARY KEY (run_id, first_person),
  CONSTRAINT batch_checkpoints_run FOREIGN KEY (run_id) REFERENCES batch_runs (id)
    ON DELETE CASCADE,
  CONSTRAINT batch_checkpoints_persons_in_order CHECK (first_person <= last_person),
  CONSTRAINT batch_checkpoints_counts_in_range CHECK (
    persons > 0 AND notifications_enqueued >= 0
  ),
  CONSTRAINT batch_checkpoints_written_at_is_utc CHECK (
    written_at GLOB '????-??-??T??:??:??.??????Z'
  )
) STRICT, WITHOUT ROWID;

DROP INDEX batch_runs_by_start;
ALTER TABLE batch_runs DROP COLUMN watermark;
ALTER TABLE batch_runs DROP COLUMN notifications_held;
ALTER TABLE batch_runs DROP COLUMN rows_changed;
ALTER TABLE batch_runs DROP COLUMN selection;
ALTER TABLE batch_runs DROP COLUMN shards;

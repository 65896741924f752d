DROP TABLE held_notifications;
DROP TABLE run_shards;
DROP TABLE batch_checkpoints;

CREATE TABLE batch_checkpoints (
  run_id uuid NOT NULL,
  first_person uuid NOT NULL,
  last_person uuid NOT NULL,
  persons integer NOT NULL,
  notifications_enqueued integer NOT NULL,
  written_at timestamptz NOT NULL,
  PRIMARY KEY (run_id, first_person),
  CONSTRAINT batch_checkpoints_run FOREIGN KEY (run_id) REFERENCES batch_runs (id)
    ON DELETE CASCADE,
  CONSTRAINT batch_checkpoints_persons_in_order CHECK (first_person <= last_person),
  CONSTRAINT batch_checkpoints_counts_in_range CHECK (
    persons > 0 AND notifications_enqueued >= 0
  )
);

-- MARK: Rights

ALTER TABLE batch_checkpoints ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON batch_checkpoints TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON batch_checkpoints TO vigil_engine, vigil_backfill USING (TRUE);
GRANT SELECT, INSERT, UPDATE ON batch_checkpoints TO vigil_engine, vigil_backfill;

DROP INDEX batch_runs_by_start;
ALTER TABLE batch_runs
  DROP CONSTRAINT batch_runs_shards_positive,
  DROP COLUMN watermark,
  DROP COLUMN notifications_held,
  DROP COLUMN rows_changed,
  DROP COLUMN selection,
  DROP COLUMN shards;

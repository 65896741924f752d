-- What an input table knows an unusable row by, so that it is listed once however many runs find it.

ALTER TABLE quarantined_rows ADD COLUMN row_key text;

CREATE UNIQUE INDEX quarantined_rows_once ON quarantined_rows (table_name, row_key, reason)
WHERE row_key IS NOT NULL;

-- What a shard has found before its first batch; that of its batches is in their checkpoints.
ALTER TABLE run_shards ADD COLUMN data_quality jsonb NOT NULL DEFAULT '[]';

ALTER TABLE run_shards DROP COLUMN data_quality;
DROP INDEX quarantined_rows_once;
ALTER TABLE quarantined_rows DROP COLUMN row_key;

DROP TABLE quarantined_rows;
DROP TABLE batch_checkpoints;
DROP TABLE run_shards;
DROP TABLE batch_runs;

DROP TABLE {{schema}}.quarantined_rows;
DROP TABLE {{schema}}.batch_checkpoints;
DROP TABLE {{schema}}.run_shards;
DROP TABLE {{schema}}.batch_runs;

DROP TABLE {{schema}}.settlement_lock;
DROP TABLE {{schema}}.change_lock;
DROP TABLE {{schema}}.person_locks;
DROP TABLE {{schema}}.run_locks;
DROP TABLE {{schema}}.quarantined_rows;
DROP TABLE {{schema}}.batch_checkpoints;
DROP TABLE {{schema}}.run_shards;
DROP TABLE {{schema}}.batch_runs;

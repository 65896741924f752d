DROP TABLE quarantined_rows;
DROP TABLE batch_runs;

DROP TABLE batch_checkpoints;

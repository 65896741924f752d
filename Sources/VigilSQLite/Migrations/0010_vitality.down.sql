ALTER TABLE batch_checkpoints DROP COLUMN vitality_digest;
ALTER TABLE dose_analytics DROP COLUMN day_digest;

ALTER TABLE batch_runs DROP COLUMN insights_found;
ALTER TABLE batch_runs DROP COLUMN scores_changed;
ALTER TABLE batch_runs DROP COLUMN vitality_digest;
ALTER TABLE batch_runs DROP COLUMN vitality_version;
ALTER TABLE batch_runs DROP COLUMN parts;

DROP TABLE trend_coverage;
DROP TABLE vitality_scores;

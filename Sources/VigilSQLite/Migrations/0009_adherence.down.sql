DROP TABLE dose_analytics;
DROP TABLE schedule_versions;

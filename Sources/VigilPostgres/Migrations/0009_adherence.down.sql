DROP TABLE {{schema}}.dose_analytics;
DROP TABLE {{schema}}.schedule_versions;

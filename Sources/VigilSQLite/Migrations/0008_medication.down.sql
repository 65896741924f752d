DROP TABLE schedule_adjustments;
DROP TABLE timezone_events;
DROP TABLE dose_history;
DROP TABLE schedules;
DROP TABLE medications;

DROP TABLE check_in_plans;
DROP TABLE check_ins;
DROP TABLE exercise_sessions;
DROP TABLE wearable_daily_metrics;
DROP TABLE alert_recipient_exclusions;
DROP TABLE family_members;
DROP TABLE user_profiles;
DROP TABLE users;

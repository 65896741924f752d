-- What detection reads of persons, families, daily metrics and exercise.
--
-- docs/tables.md says what each column means. In this and all later migrations UUIDs are lower-case text
-- of 36 characters, dates YYYY-MM-DD, instants YYYY-MM-DDTHH:MM:SS.ffffffZ and booleans 0 or 1. Columns
-- that refer to users are not checked for the form of a UUID again: the foreign key sees to it.

CREATE TABLE users (
  id TEXT PRIMARY KEY NOT NULL,
  external_id TEXT,
  email TEXT,
  display_name TEXT,
  birth_date TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT users_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT users_birth_date_is_date CHECK (birth_date IS date(birth_date))
) STRICT, WITHOUT ROWID;

CREATE TABLE user_profiles (
  user_id TEXT PRIMARY KEY NOT NULL,
  timezone TEXT,
  notify_in_app INTEGER,
  notify_push INTEGER,
  notify_email INTEGER,
  notify_call INTEGER,
  champion_notify_email INTEGER,
  champion_notify_sms INTEGER,
  is_champion INTEGER,
  quiet_hours_start TEXT,
  quiet_hours_end TEXT,
  quiet_hours_apply_critical INTEGER,
  CONSTRAINT user_profiles_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT user_profiles_booleans CHECK (
    (notify_in_app IS NULL OR notify_in_app IN (0, 1))
    AND (notify_push IS NULL OR notify_push IN (0, 1))
    AND (notify_email IS NULL OR notify_email IN (0, 1))
    AND (notify_call IS NULL OR notify_call IN (0, 1))
    AND (champion_notify_email IS NULL OR champion_notify_email IN (0, 1))
    AND (champion_notify_sms IS NULL OR champion_notify_sms IN (0, 1))
    AND (is_champion IS NULL OR is_champion IN (0, 1))
    AND (quiet_hours_apply_critical IS NULL OR quiet_hours_apply_critical IN (0, 1))
  ),
  CONSTRAINT user_profiles_quiet_hours_are_times CHECK (
    (
      quiet_hours_start IS NULL
      OR (quiet_hours_start GLOB '[0-2][0-9]:[0-5][0-9]' AND quiet_hours_start < '24:00')
    )
    AND (
      quiet_hours_end IS NULL
      OR (quiet_hours_end GLOB '[0-2][0-9]:[0-5][0-9]' AND quiet_hours_end < '24:00')
    )
  )
) STRICT, WITHOUT ROWID;

CREATE TABLE family_members (
  family_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  role TEXT NOT NULL,
  invite_status TEXT NOT NULL,
  PRIMARY KEY (family_id, user_id),
  CONSTRAINT family_members_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT family_members_family_is_uuid CHECK (
    family_id GLOB '????????-????-????-????-????????????' AND family_id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT family_members_role_known CHECK (role IN ('superadmin', 'admin', 'member', 'responder', 'dependent')),
  CONSTRAINT family_members_invite_status_known CHECK (
    invite_status IN ('pending', 'accepted', 'declined')
  )
) STRICT, WITHOUT ROWID;

CREATE INDEX family_members_by_user ON family_members (user_id);

CREATE TABLE alert_recipient_exclusions (
  subject_user_id TEXT NOT NULL,
  excluded_user_id TEXT NOT NULL,
  PRIMARY KEY (subject_user_id, excluded_user_id),
  CONSTRAINT alert_recipient_exclusions_subject
    FOREIGN KEY (subject_user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT alert_recipient_exclusions_excluded
    FOREIGN KEY (excluded_user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT alert_recipient_exclusions_are_of_others CHECK (
    subject_user_id <> excluded_user_id
  )
) STRICT, WITHOUT ROWID;

CREATE TABLE wearable_daily_metrics (
  user_id TEXT NOT NULL,
  metric_date TEXT NOT NULL,
  source TEXT NOT NULL,
  steps REAL,
  sleep_minutes REAL,
  hrv_ms REAL,
  resting_hr REAL,
  sleep_efficiency_pct REAL,
  movement_minutes REAL,
  deep_sleep_minutes REAL,
  rem_sleep_minutes REAL,
  light_sleep_minutes REAL,
  awake_minutes REAL,
  active_calories REAL,
  breathing_rate REAL,
  spo2_avg_pct REAL,
  skin_temperature_c REAL,
  worn_minutes REAL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (user_id, metric_date, source),
  CONSTRAINT wearable_daily_metrics_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT wearable_daily_metrics_date_is_date CHECK (metric_date IS date(metric_date)),
  CONSTRAINT wearable_daily_metrics_source_not_empty CHECK (source <> '')
) STRICT, WITHOUT ROWID;

CREATE TABLE exercise_sessions (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL,
  metric_date TEXT NOT NULL,
  activity_type_name TEXT,
  started_at TEXT,
  ended_at TEXT,
  CONSTRAINT exercise_sessions_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT exercise_sessions_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT exercise_sessions_date_is_date CHECK (metric_date IS date(metric_date))
) STRICT, WITHOUT ROWID;

CREATE INDEX exercise_sessions_by_user_and_date ON exercise_sessions (user_id, metric_date);

CREATE TABLE check_ins (
  user_id TEXT NOT NULL,
  checked_in_at TEXT NOT NULL,
  kind TEXT NOT NULL DEFAULT 'manual',
  PRIMARY KEY (user_id, checked_in_at),
  CONSTRAINT check_ins_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT check_ins_time_is_instant CHECK (
    checked_in_at GLOB '????-??-??T??:??:??.??????Z'
  ),
  CONSTRAINT check_ins_kind_known CHECK (kind IN ('manual', 'automatic', 'responder'))
) STRICT, WITHOUT ROWID;

CREATE TABLE check_in_plans (
  user_id TEXT PRIMARY KEY NOT NULL,
  interval_minutes INTEGER NOT NULL,
  grace_minutes INTEGER NOT NULL DEFAULT 0,
  starts_at TEXT NOT NULL,
  reminder_minutes INTEGER,
  CONSTRAINT check_in_plans_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT check_in_plans_minutes_in_range CHECK (
    interval_minutes BETWEEN 1 AND 5256000 AND grace_minutes BETWEEN 0 AND 5256000
  ),
  CONSTRAINT check_in_plans_reminder_in_interval CHECK (
    reminder_minutes > 0 AND reminder_minutes < interval_minutes
  ),
  CONSTRAINT check_in_plans_start_is_instant CHECK (
    starts_at GLOB '????-??-??T??:??:??.??????Z'
  )
) STRICT, WITHOUT ROWID;

CREATE TABLE sensitivity_overrides (
  user_id TEXT NOT NULL,
  metric_type TEXT NOT NULL,
  sensitivity TEXT NOT NULL,
  PRIMARY KEY (user_id, metric_type),
  CONSTRAINT sensitivity_overrides_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT sensitivity_overrides_sensitivity_known CHECK (
    sensitivity IN ('off', 'lower', 'normal', 'higher')
  )
) STRICT, WITHOUT ROWID;

CREATE TABLE person_limits (
  user_id TEXT NOT NULL,
  metric_type TEXT NOT NULL,
  direction TEXT NOT NULL,
  limit_value REAL NOT NULL,
  days INTEGER NOT NULL DEFAULT 1,
  severity TEXT NOT NULL DEFAULT 'attention',
  starts_on TEXT NOT NULL,
  ends_on TEXT NOT NULL,
  set_by TEXT NOT NULL,
  note TEXT,
  PRIMARY KEY (user_id, metric_type, direction, days, starts_on),
  CONSTRAINT person_limits_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT person_limits_direction_known CHECK (direction IN ('below', 'above')),
  CONSTRAINT person_limits_value_finite CHECK (abs(limit_value) < 9e999),
  CONSTRAINT person_limits_value_possible CHECK ({{limit_is_possible}}),
  CONSTRAINT person_limits_days_possible CHECK (days BETWEEN 1 AND 7),
  CONSTRAINT person_limits_severity_known CHECK (severity IN ('watch', 'attention', 'critical')),
  CONSTRAINT person_limits_days_in_order CHECK (
    starts_on GLOB '????-??-??' AND ends_on GLOB '????-??-??' AND starts_on <= ends_on
  ),
  CONSTRAINT person_limits_set_by_named CHECK (trim(set_by) <> '')
) STRICT, WITHOUT ROWID;

CREATE TABLE do_not_disturb (
  user_id TEXT NOT NULL,
  weekday INTEGER NOT NULL,
  starts_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  PRIMARY KEY (user_id, weekday, starts_at),
  CONSTRAINT do_not_disturb_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT do_not_disturb_weekday_known CHECK (weekday BETWEEN 0 AND 6),
  CONSTRAINT do_not_disturb_are_times CHECK (
    starts_at IS strftime('%H:%M', starts_at) AND ends_at IS strftime('%H:%M', ends_at)
  )
) STRICT, WITHOUT ROWID;

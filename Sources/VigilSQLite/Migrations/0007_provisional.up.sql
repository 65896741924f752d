-- What runs of one person leave until the next night, and the changes that apps learn of.

CREATE TABLE provisional_alerts (
  alert_state_id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL,
  evaluated_on TEXT NOT NULL,
  revision INTEGER NOT NULL,
  confirmed TEXT,
  notified_level INTEGER,
  shadow_notified_level INTEGER,
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT provisional_alerts_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES pattern_alert_state (id) ON DELETE RESTRICT,
  CONSTRAINT provisional_alerts_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT provisional_alerts_ids_are_uuids CHECK (
    length(alert_state_id) = 36 AND length(user_id) = 36 AND length(run_id) = 36
  ),
  CONSTRAINT provisional_alerts_evaluated_on_is_date CHECK (evaluated_on IS date(evaluated_on)),
  CONSTRAINT provisional_alerts_revision_positive CHECK (revision > 0),
  CONSTRAINT provisional_alerts_confirmed_is_json CHECK (confirmed IS NULL OR json_valid(confirmed)),
  CONSTRAINT provisional_alerts_levels_known CHECK (
    notified_level IN (3, 7, 14, 21) AND shadow_notified_level IN (3, 7, 14, 21)
  ),
  CONSTRAINT provisional_alerts_times_are_utc CHECK (
    created_at GLOB '????-??-??T??:??:??.??????Z'
    AND updated_at GLOB '????-??-??T??:??:??.??????Z'
  )
) STRICT;

CREATE INDEX provisional_alerts_by_user ON provisional_alerts (user_id);

CREATE TABLE provisional_notifications (
  id TEXT PRIMARY KEY NOT NULL,
  alert_state_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  level INTEGER NOT NULL,
  CONSTRAINT provisional_notifications_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT provisional_notifications_ids_are_uuids CHECK (
    length(id) = 36 AND length(alert_state_id) = 36 AND length(user_id) = 36
  ),
  CONSTRAINT provisional_notifications_level_known CHECK (level IN (3, 7, 14, 21))
) STRICT;

CREATE INDEX provisional_notifications_by_alert ON provisional_notifications (alert_state_id);

CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  user_id TEXT NOT NULL,
  alert_state_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  CONSTRAINT outbox_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT outbox_kind_known CHECK (
    kind IN ('opened', 'escalated', 'ended', 'provisional', 'confirmed', 'retracted')
  ),
  CONSTRAINT outbox_ids_are_uuids CHECK (
    length(user_id) = 36 AND length(alert_state_id) = 36 AND length(run_id) = 36
  ),
  CONSTRAINT outbox_created_at_is_utc CHECK (created_at GLOB '????-??-??T??:??:??.??????Z')
) STRICT;

CREATE INDEX outbox_by_time ON outbox (created_at);

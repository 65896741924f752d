-- Copies of metric rows, which spare a night to read again what it knows, and digests, which spare it to judge it again.

CREATE TABLE metric_history (
  user_id TEXT PRIMARY KEY NOT NULL,
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  layout TEXT NOT NULL,
  rows BLOB NOT NULL,
  CONSTRAINT metric_history_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT metric_history_days_are_dates CHECK (first_day IS date(first_day) AND last_day IS date(last_day)),
  CONSTRAINT metric_history_days_in_order CHECK (first_day <= last_day)
) STRICT;

-- At most one row. Most metric rows are of days after `last_day`, of which no copy is made: they change nothing.
CREATE TABLE history_state (
  is_only INTEGER PRIMARY KEY,
  generation INTEGER NOT NULL,
  last_day TEXT NOT NULL,
  CONSTRAINT history_state_is_one_row CHECK (is_only = 1)
) STRICT;

CREATE TABLE calm_digests (
  id INTEGER PRIMARY KEY,
  metric_date TEXT NOT NULL,
  digests BLOB NOT NULL,
  CONSTRAINT calm_digests_date_is_date CHECK (metric_date IS date(metric_date))
) STRICT;
CREATE INDEX calm_digests_by_date ON calm_digests (metric_date);

CREATE TRIGGER vigil_history_insert AFTER INSERT ON wearable_daily_metrics
WHEN new.metric_date <= (SELECT last_day FROM history_state)
BEGIN
  DELETE FROM metric_history
  WHERE user_id = new.user_id AND new.metric_date BETWEEN first_day AND last_day;
  UPDATE history_state SET generation = generation + 1;
END;

CREATE TRIGGER vigil_history_update AFTER UPDATE ON wearable_daily_metrics
WHEN min(new.metric_date, old.metric_date) <= (SELECT last_day FROM history_state)
BEGIN
  DELETE FROM metric_history
  WHERE (user_id = new.user_id AND new.metric_date BETWEEN first_day AND last_day)
    OR (user_id = old.user_id AND old.metric_date BETWEEN first_day AND last_day);
  UPDATE history_state SET generation = generation + 1;
END;

CREATE TRIGGER vigil_history_delete AFTER DELETE ON wearable_daily_metrics
WHEN old.metric_date <= (SELECT last_day FROM history_state)
BEGIN
  DELETE FROM metric_history
  WHERE user_id = old.user_id AND old.metric_date BETWEEN first_day AND last_day;
  UPDATE history_state SET generation = generation + 1;
END;

-- Copies of rows, which spare a night to read again what it knows, and digests, which spare it to judge it again.

CREATE TABLE metric_history (
  user_id TEXT NOT NULL,
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  layout INTEGER NOT NULL,
  rows BLOB NOT NULL,
  PRIMARY KEY (user_id, first_day),
  CONSTRAINT metric_history_owner FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT metric_history_days_are_dates CHECK (first_day IS date(first_day) AND last_day IS date(last_day)),
  CONSTRAINT metric_history_days_in_order CHECK (first_day <= last_day)
) STRICT;

CREATE TABLE medication_history (
  medication_id TEXT NOT NULL,
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  layout INTEGER NOT NULL,
  rows BLOB NOT NULL,
  PRIMARY KEY (medication_id, first_day),
  CONSTRAINT medication_history_owner FOREIGN KEY (medication_id) REFERENCES medications (id) ON DELETE CASCADE,
  CONSTRAINT medication_history_days_are_dates CHECK (first_day IS date(first_day) AND last_day IS date(last_day)),
  CONSTRAINT medication_history_days_in_order CHECK (first_day <= last_day)
) STRICT;

-- Most rows are of days after `last_day`, of which no copy is made: they change nothing.
CREATE TABLE history_state (
  subject TEXT PRIMARY KEY NOT NULL,
  generation INTEGER NOT NULL,
  last_day TEXT NOT NULL,
  CONSTRAINT history_state_subject_known CHECK (subject IN ('metrics', 'doses'))
) STRICT;

CREATE TABLE calm_digests (
  id INTEGER PRIMARY KEY,
  metric_date TEXT NOT NULL,
  digests BLOB NOT NULL,
  CONSTRAINT calm_digests_date_is_date CHECK (metric_date IS date(metric_date))
) STRICT;
CREATE INDEX calm_digests_by_date ON calm_digests (metric_date);

CREATE TRIGGER vigil_history_insert AFTER INSERT ON wearable_daily_metrics
WHEN new.metric_date <= (SELECT last_day FROM history_state WHERE subject = 'metrics')
BEGIN
  DELETE FROM metric_history
  WHERE user_id = new.user_id AND new.metric_date BETWEEN first_day AND last_day;
  UPDATE history_state SET generation = generation + 1 WHERE subject = 'metrics';
END;

CREATE TRIGGER vigil_history_update AFTER UPDATE ON wearable_daily_metrics
WHEN min(new.metric_date, old.metric_date) <= (SELECT last_day FROM history_state WHERE subject = 'metrics')
BEGIN
  DELETE FROM metric_history
  WHERE (user_id = new.user_id AND new.metric_date BETWEEN first_day AND last_day)
    OR (user_id = old.user_id AND old.metric_date BETWEEN first_day AND last_day);
  UPDATE history_state SET generation = generation + 1 WHERE subject = 'metrics';
END;

CREATE TRIGGER vigil_history_delete AFTER DELETE ON wearable_daily_metrics
WHEN old.metric_date <= (SELECT last_day FROM history_state WHERE subject = 'metrics')
BEGIN
  DELETE FROM metric_history
  WHERE user_id = old.user_id AND old.metric_date BETWEEN first_day AND last_day;
  UPDATE history_state SET generation = generation + 1 WHERE subject = 'metrics';
END;

-- A dose was due on one day and taken on another, and is in the copies of both. A day comes before all of its instants.
CREATE TRIGGER vigil_doses_insert AFTER INSERT ON dose_history
WHEN min(coalesce(new.scheduled_time, '~'), coalesce(new.actual_time, '~'))
  < (SELECT date(last_day, '+1 day') FROM history_state WHERE subject = 'doses')
BEGIN
  DELETE FROM medication_history
  WHERE medication_id = new.medication_id
    AND (substr(new.scheduled_time, 1, 10) BETWEEN first_day AND last_day
      OR substr(new.actual_time, 1, 10) BETWEEN first_day AND last_day);
  UPDATE history_state SET generation = generation + 1 WHERE subject = 'doses';
END;

CREATE TRIGGER vigil_doses_update AFTER UPDATE ON dose_history
WHEN min(
  coalesce(new.scheduled_time, '~'), coalesce(new.actual_time, '~'),
  coalesce(old.scheduled_time, '~'), coalesce(old.actual_time, '~')
) < (SELECT date(last_day, '+1 day') FROM history_state WHERE subject = 'doses')
BEGIN
  DELETE FROM medication_history
  WHERE medication_id IN (new.medication_id, old.medication_id)
    AND (substr(new.scheduled_time, 1, 10) BETWEEN first_day AND last_day
      OR substr(new.actual_time, 1, 10) BETWEEN first_day AND last_day
      OR substr(old.scheduled_time, 1, 10) BETWEEN first_day AND last_day
      OR substr(old.actual_time, 1, 10) BETWEEN first_day AND last_day);
  UPDATE history_state SET generation = generation + 1 WHERE subject = 'doses';
END;

CREATE TRIGGER vigil_doses_delete AFTER DELETE ON dose_history
WHEN min(coalesce(old.scheduled_time, '~'), coalesce(old.actual_time, '~'))
  < (SELECT date(last_day, '+1 day') FROM history_state WHERE subject = 'doses')
BEGIN
  DELETE FROM medication_history
  WHERE medication_id = old.medication_id
    AND (substr(old.scheduled_time, 1, 10) BETWEEN first_day AND last_day
      OR substr(old.actual_time, 1, 10) BETWEEN first_day AND last_day);
  UPDATE history_state SET generation = generation + 1 WHERE subject = 'doses';
END;

-- What runs of one person leave until the next night, and the changes that apps learn of.

-- MARK: Tables

CREATE TABLE {{schema}}.provisional_alerts (
  alert_state_id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  evaluated_on date NOT NULL,
  revision integer NOT NULL,
  confirmed text,
  notified_level integer,
  shadow_notified_level integer,
  run_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT provisional_alerts_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES {{schema}}.pattern_alert_state (id) ON DELETE RESTRICT,
  CONSTRAINT provisional_alerts_revision_positive CHECK (revision > 0),
  CONSTRAINT provisional_alerts_confirmed_is_json CHECK (json_typeof(confirmed::json) = 'array'),
  CONSTRAINT provisional_alerts_levels_known CHECK (
    notified_level IN (3, 7, 14, 21) AND shadow_notified_level IN (3, 7, 14, 21)
  )
);

CREATE INDEX provisional_alerts_by_user ON {{schema}}.provisional_alerts (user_id);

COMMENT ON TABLE {{schema}}.provisional_alerts IS
  'Alerts that an evaluation of one person (vigil run --user) has added or changed, and that no night has '
  'confirmed yet. The next night of the person removes the row: it confirms the alert, or retracts it.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.alert_state_id IS
  'The alert.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.user_id IS
  'The person.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.evaluated_on IS
  'The evaluated day.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.revision IS
  'How many evaluations have changed the alert since the night.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.confirmed IS
  'The alert as the last night left it: a JSON array of the columns of pattern_alert_state as text. NULL where '
  'an evaluation has added the alert.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.notified_level IS
  'The level that evaluations have notified of. NULL for none.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.shadow_notified_level IS
  'The same level for evaluations in shadow mode.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.run_id IS
  'The row of batch_runs that counts the last of these evaluations.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.created_at IS
  'When the alert became provisional.';
COMMENT ON COLUMN {{schema}}.provisional_alerts.updated_at IS
  'When the row was last changed.';

CREATE TABLE {{schema}}.provisional_notifications (
  id uuid PRIMARY KEY,
  alert_state_id uuid NOT NULL,
  user_id uuid NOT NULL,
  level integer NOT NULL,
  CONSTRAINT provisional_notifications_level_known CHECK (level IN (3, 7, 14, 21))
);

CREATE INDEX provisional_notifications_by_alert
ON {{schema}}.provisional_notifications (alert_state_id);

COMMENT ON TABLE {{schema}}.provisional_notifications IS
  'Notifications that an evaluation of one person has enqueued, or planned in shadow mode, and that no night '
  'has confirmed yet. A night that does not confirm one withdraws it, unless it was sent.';
COMMENT ON COLUMN {{schema}}.provisional_notifications.id IS
  'Id of the row of notification_queue or shadow_notification_queue.';
COMMENT ON COLUMN {{schema}}.provisional_notifications.alert_state_id IS
  'The alert.';
COMMENT ON COLUMN {{schema}}.provisional_notifications.user_id IS
  'The person whom the alert is about.';
COMMENT ON COLUMN {{schema}}.provisional_notifications.level IS
  'Level of the alert: 3, 7, 14 or 21 days.';

CREATE TABLE {{schema}}.outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  user_id uuid NOT NULL,
  alert_state_id uuid NOT NULL,
  run_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT outbox_kind_known CHECK (
    kind IN ('opened', 'escalated', 'ended', 'provisional', 'confirmed', 'retracted')
  )
);

CREATE INDEX outbox_by_time ON {{schema}}.outbox (created_at);

COMMENT ON TABLE {{schema}}.outbox IS
  'Events about alerts, in ids only, for an app that prepares its texts. Nights add them, and evaluations of one person. '
  'vigil queue prune removes them.';
COMMENT ON COLUMN {{schema}}.outbox.id IS
  'Number of the event. An event with a smaller number may become visible a little later.';
COMMENT ON COLUMN {{schema}}.outbox.kind IS
  'By a night opened, escalated (to a higher level) or ended. Of an alert that an evaluation of one person found: '
  'provisional (it added or changed the alert), confirmed (a night found it, too) or retracted (a night or a later '
  'evaluation did not find it).';
COMMENT ON COLUMN {{schema}}.outbox.user_id IS
  'The person.';
COMMENT ON COLUMN {{schema}}.outbox.alert_state_id IS
  'The alert.';
COMMENT ON COLUMN {{schema}}.outbox.run_id IS
  'The row of batch_runs of the night, or of the evaluations of one person.';
COMMENT ON COLUMN {{schema}}.outbox.created_at IS
  'When the row was added.';

-- Each login of the database can listen. So a message holds no id: row-level security keeps the rows.
CREATE FUNCTION {{schema}}.vigil_announce_events() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM added) THEN
    PERFORM pg_notify('vigil_outbox', TG_TABLE_SCHEMA);
  END IF;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION {{schema}}.vigil_announce_events() FROM PUBLIC;

COMMENT ON FUNCTION {{schema}}.vigil_announce_events() IS
  'Notifies the channel vigil_outbox, with the schema, when a transaction that added rows to outbox commits.';

CREATE TRIGGER outbox_announces AFTER INSERT ON {{schema}}.outbox
REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION {{schema}}.vigil_announce_events();

-- A foreign key can refer to a table only, and users may be a view.
DO $$
BEGIN
  IF EXISTS (
    SELECT FROM pg_class
    WHERE oid = to_regclass(format('%I.users', {{schema_name}})) AND relkind = 'r'
  ) THEN
    ALTER TABLE {{schema}}.provisional_alerts
      ADD CONSTRAINT provisional_alerts_user
        FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
    ALTER TABLE {{schema}}.provisional_notifications
      ADD CONSTRAINT provisional_notifications_user
        FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
    ALTER TABLE {{schema}}.outbox
      ADD CONSTRAINT outbox_user FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
  END IF;
END
$$;

-- MARK: Rights

-- What the last night left is for nights alone; that an alert is provisional is for those who see the alert.
ALTER TABLE {{schema}}.provisional_alerts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.provisional_alerts TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.provisional_alerts TO vigil_engine USING (TRUE);
CREATE POLICY vigil_backfill ON {{schema}}.provisional_alerts
FOR SELECT TO vigil_backfill USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.provisional_alerts FOR SELECT TO vigil_reader USING (EXISTS (
  SELECT FROM {{schema}}.pattern_alert_state AS alert WHERE alert.id = alert_state_id
));
GRANT SELECT, INSERT, UPDATE, DELETE ON {{schema}}.provisional_alerts TO vigil_engine;
GRANT SELECT ON {{schema}}.provisional_alerts TO vigil_backfill;
GRANT SELECT (alert_state_id, user_id, evaluated_on, created_at, updated_at)
ON {{schema}}.provisional_alerts TO vigil_reader;
ALTER TABLE {{schema}}.provisional_notifications
  ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.provisional_notifications TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.provisional_notifications TO vigil_engine USING (TRUE);
CREATE POLICY vigil_backfill ON {{schema}}.provisional_notifications
FOR SELECT TO vigil_backfill USING (TRUE);
GRANT SELECT, INSERT, DELETE ON {{schema}}.provisional_notifications TO vigil_engine;
GRANT SELECT ON {{schema}}.provisional_notifications TO vigil_backfill;

-- A reader learns of changes of alerts that they may see.
ALTER TABLE {{schema}}.outbox ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.outbox TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.outbox TO vigil_engine USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.outbox FOR SELECT TO vigil_reader USING (EXISTS (
  SELECT FROM {{schema}}.pattern_alert_state AS alert WHERE alert.id = alert_state_id
));
GRANT SELECT, INSERT, DELETE ON {{schema}}.outbox TO vigil_engine;
GRANT SELECT ON {{schema}}.outbox TO vigil_reader;

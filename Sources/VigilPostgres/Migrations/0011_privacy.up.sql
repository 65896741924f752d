-- Whose data are to be erased, and whose were; and the role that exports and erases persons.

-- MARK: Tables

CREATE TABLE {{schema}}.erasure_requests (
  user_id uuid PRIMARY KEY,
  requested_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  CONSTRAINT erasure_requests_times_in_order CHECK (requested_at <= due_at)
);

COMMENT ON TABLE {{schema}}.erasure_requests IS
  'Persons whose data are to be erased, until that is done. vigil person erase --after writes it; the first night '
  'after due_at erases the person and the row.';
COMMENT ON COLUMN {{schema}}.erasure_requests.user_id IS
  'The person.';
COMMENT ON COLUMN {{schema}}.erasure_requests.requested_at IS
  'When the erasure was requested.';
COMMENT ON COLUMN {{schema}}.erasure_requests.due_at IS
  'Before this instant the request can be revoked; from then on, the next night carries it out.';

-- It holds no id, and refers to nothing.
CREATE TABLE {{schema}}.erased_persons (
  person_digest text PRIMARY KEY,
  key_id text NOT NULL,
  erased_at timestamptz NOT NULL,
  CONSTRAINT erased_persons_digest_is_hex CHECK (person_digest ~ '^[0-9a-f]{64}$'),
  CONSTRAINT erased_persons_key_id_is_hex CHECK (key_id ~ '^[0-9a-f]{16}$')
);

COMMENT ON TABLE {{schema}}.erased_persons IS
  'Persons who were erased, without their ids: only who has the key can find out whether an id is among them. Imports '
  'leave their rows out.';
COMMENT ON COLUMN {{schema}}.erased_persons.person_digest IS
  'HMAC-SHA256 of the id of the person, in lower-case hexadecimal digits.';
COMMENT ON COLUMN {{schema}}.erased_persons.key_id IS
  'Which key that is; it does not reveal the key.';
COMMENT ON COLUMN {{schema}}.erased_persons.erased_at IS
  'When the person was erased.';

-- A foreign key can refer to a table only, and users may be a view.
DO $$
BEGIN
  IF EXISTS (
    SELECT FROM pg_class
    WHERE oid = to_regclass(format('%I.users', {{schema_name}})) AND relkind = 'r'
  ) THEN
    ALTER TABLE {{schema}}.erasure_requests
      ADD CONSTRAINT erasure_requests_user
        FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE CASCADE;
  END IF;
END
$$;

-- MARK: Rights

ALTER TABLE {{schema}}.erasure_requests ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.erasure_requests TO CURRENT_USER USING (TRUE);
-- A night looks whether an erasure is due.
CREATE POLICY vigil_engine ON {{schema}}.erasure_requests FOR SELECT TO vigil_engine USING (TRUE);
GRANT SELECT ON {{schema}}.erasure_requests TO vigil_engine;
ALTER TABLE {{schema}}.erased_persons ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.erased_persons TO CURRENT_USER USING (TRUE);

-- Who erases reads every table, to find that nothing is left, and removes rows from those with persons in them.
DO $$
DECLARE
  own text;
BEGIN
  FOR own IN
    SELECT tablename FROM pg_policies
    WHERE schemaname = {{schema_name}} AND policyname = 'vigil_owner' ORDER BY tablename
  LOOP
    EXECUTE format($sql$
      CREATE POLICY vigil_eraser ON %1$I.%2$I TO vigil_eraser USING (TRUE);
      GRANT SELECT ON %1$I.%2$I TO vigil_eraser;
    $sql$, {{schema_name}}, own);
    IF own NOT IN (
      'batch_runs', 'channel_rests', 'database_profile', 'erased_persons', 'run_shards', 'schema_migrations',
      'settlement_lock', 'sms_lock', 'sms_quota', 'spent_notifications'
    ) THEN
      EXECUTE format('GRANT DELETE ON %I.%I TO vigil_eraser', {{schema_name}}, own);
    END IF;
  END LOOP;
END
$$;

GRANT INSERT ON {{schema}}.erased_persons, {{schema}}.erasure_requests, {{schema}}.run_locks TO vigil_eraser;
GRANT UPDATE (requested_at, due_at) ON {{schema}}.erasure_requests TO vigil_eraser;
GRANT UPDATE (acknowledged_by) ON {{schema}}.pattern_alert_state TO vigil_eraser;
GRANT UPDATE (resolved_by) ON {{schema}}.raised_alerts TO vigil_eraser;
-- A group about others, too, stays, without the erased person.
GRANT UPDATE (payload, level, status, status_reason, group_id, updated_at)
ON {{schema}}.notification_queue, {{schema}}.shadow_notification_queue TO vigil_eraser;
GRANT UPDATE (payload, level) ON {{schema}}.held_notifications TO vigil_eraser;

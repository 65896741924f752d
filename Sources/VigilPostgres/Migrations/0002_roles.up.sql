-- The six roles of Vigil, and what they see of the inputs.
--
-- vigil_engine runs every night. vigil_backfill evaluates the past and cannot notify. vigil_sender delivers
-- what is in the queue, and reads no measurement. An app reads with vigil_reader on behalf of one person.
-- vigil_eraser exports and erases persons. With vigil_receiver an endpoint hands on the reports of providers. A login gets
-- their rights as a member: GRANT vigil_engine TO nightly.
-- What the roles may do with a table of a later migration stands there, beside the table.

-- MARK: Roles

DO $$
DECLARE
  runtime_role text;
  statement text;
  missing text[] := '{}';
BEGIN
  FOREACH runtime_role IN ARRAY ARRAY[
    'vigil_engine', 'vigil_backfill', 'vigil_reader', 'vigil_sender', 'vigil_eraser', 'vigil_receiver'
  ] LOOP
    CONTINUE WHEN EXISTS (SELECT FROM pg_roles WHERE rolname = runtime_role);
    statement := format(
      'CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE', runtime_role);
    BEGIN
      EXECUTE statement;
    EXCEPTION
      -- A migration of another database of this server may have made the role in the meantime.
      WHEN duplicate_object OR unique_violation THEN NULL;
      WHEN insufficient_privilege THEN missing := missing || statement;
    END;
  END LOOP;
  IF missing <> '{}' THEN
    RAISE EXCEPTION 'roles that Vigil needs are missing, and this user may not create roles'
      USING ERRCODE = 'insufficient_privilege',
        HINT = format('an administrator must run: %s;', array_to_string(missing, '; '));
  END IF;
END
$$;

-- MARK: Rights on the schema

DO $$
BEGIN
  IF has_schema_privilege({{schema_name}}, 'USAGE WITH GRANT OPTION') THEN
    GRANT USAGE ON SCHEMA {{schema}}
    TO vigil_engine, vigil_backfill, vigil_reader, vigil_sender, vigil_eraser, vigil_receiver;
  END IF;
END
$$;

-- A run, and a sender, check that the schema is that of their version.
CREATE POLICY vigil_engine ON {{schema}}.schema_migrations
FOR SELECT TO vigil_engine, vigil_backfill, vigil_sender USING (TRUE);
GRANT SELECT ON {{schema}}.schema_migrations TO vigil_engine, vigil_backfill, vigil_sender;

GRANT EXECUTE ON FUNCTION
  {{schema}}.vigil_viewer_id(), {{schema}}.vigil_visible_members(), {{schema}}.vigil_visible_users()
TO vigil_reader;

-- MARK: What persons open to others

CREATE TABLE {{schema}}.sharing_grants (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  member_user_id uuid,
  member_role text,
  what text NOT NULL,
  until timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT sharing_grants_one_recipient CHECK (num_nonnulls(member_user_id, member_role) = 1),
  CONSTRAINT sharing_grants_is_for_others CHECK (member_user_id <> user_id),
  CONSTRAINT sharing_grants_member_role_known CHECK (
    member_role IN ('superadmin', 'admin', 'member', 'responder', 'dependent')
  ),
  CONSTRAINT sharing_grants_what_known CHECK (
    what IN ('metrics', 'medications', 'doses', 'notes', 'location', 'check_ins', 'email')
  )
);

-- Of a person there is one row for each recipient and kind of data.
CREATE UNIQUE INDEX sharing_grants_natural_key
ON {{schema}}.sharing_grants (user_id, what, coalesce(member_user_id::text, member_role));
CREATE INDEX sharing_grants_by_member ON {{schema}}.sharing_grants (member_user_id)
WHERE member_user_id IS NOT NULL;

COMMENT ON TABLE {{schema}}.sharing_grants IS
  'What persons let members of their families read beside alerts, scores, insights and measures of adherence. PostgreSQL '
  'only. The person alone writes it, with share, share_with_role, unshare and unshare_with_role.';
COMMENT ON COLUMN {{schema}}.sharing_grants.id IS
  'UUIDv5 of person, kind of data and recipient.';
COMMENT ON COLUMN {{schema}}.sharing_grants.user_id IS
  'The person whose data it is about.';
COMMENT ON COLUMN {{schema}}.sharing_grants.member_user_id IS
  'The member who may read. NULL where it is for a role.';
COMMENT ON COLUMN {{schema}}.sharing_grants.member_role IS
  'superadmin, admin, member, responder or dependent: all who have this role in a family with the person may read. NULL '
  'where it is for one member.';
COMMENT ON COLUMN {{schema}}.sharing_grants.what IS
  'metrics (daily metrics and workouts), medications (with their names and schedules), doses (each dose and its time), '
  'notes (what the person wrote about a dose, side effects included), location (places of doses, changes of the time zone), '
  'check_ins (and their plan) or email.';
COMMENT ON COLUMN {{schema}}.sharing_grants.until IS
  'The instant from which it does not hold any more. NULL where it has no end.';
COMMENT ON COLUMN {{schema}}.sharing_grants.created_at IS
  'When the person last said so.';

-- A foreign key can refer to a table only, and users may be a view.
DO $$
BEGIN
  IF EXISTS (
    SELECT FROM pg_class
    WHERE oid = to_regclass(format('%I.users', {{schema_name}})) AND relkind = 'r'
  ) THEN
    ALTER TABLE {{schema}}.sharing_grants
      ADD CONSTRAINT sharing_grants_user
        FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE CASCADE,
      ADD CONSTRAINT sharing_grants_member
        FOREIGN KEY (member_user_id) REFERENCES {{schema}}.users (id) ON DELETE CASCADE;
  END IF;
END
$$;

-- SECURITY DEFINER, because a reader sees neither all grants nor a view in place of family_members. It takes a kind of
-- data and no person, so that no login can ask on behalf of another. A grant holds as long as both are members of one
-- family and the person has not excluded the other.
CREATE FUNCTION {{schema}}.vigil_shared_persons(what text) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT viewer FROM {{schema}}.vigil_viewer_id() AS viewer WHERE viewer IS NOT NULL
  UNION
  SELECT opened.user_id
  FROM {{schema}}.vigil_visible_members() AS visible
  JOIN {{schema}}.sharing_grants AS opened ON opened.user_id = visible.user_id
  JOIN {{schema}}.family_members AS own
    ON own.family_id = visible.family_id AND own.user_id = {{schema}}.vigil_viewer_id()
  WHERE opened.what = vigil_shared_persons.what
    AND (opened.until IS NULL OR opened.until > statement_timestamp())
    AND own.invite_status = 'accepted'
    AND (opened.member_user_id = own.user_id OR opened.member_role = own.role::text)
$$;

COMMENT ON FUNCTION {{schema}}.vigil_shared_persons(text) IS
  'Returns the viewer, and the visible members who have opened a kind of data to the viewer or to a role that the viewer '
  'has in a family with them.';

-- A grant on columns holds for all rows. So what is in the row of a person, and yet for few, has a function. A table or a
-- view of an app in place of users is the app's to show.
CREATE FUNCTION {{schema}}.person_details()
RETURNS TABLE (
  user_id uuid,
  -- Of the viewer, and of persons who have opened it.
  email text,
  -- Of the viewer only.
  birth_date date
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_policies
    WHERE schemaname = {{schema_name}} AND tablename = 'users' AND policyname = 'vigil_owner'
  ) THEN
    RETURN;
  END IF;
  RETURN QUERY
  SELECT person.id, person.email,
    CASE WHEN person.id = {{schema}}.vigil_viewer_id() THEN person.birth_date END
  FROM {{schema}}.users AS person
  WHERE person.id = ANY (ARRAY(SELECT {{schema}}.vigil_shared_persons('email')));
END
$$;

COMMENT ON FUNCTION {{schema}}.person_details() IS
  'Returns the e-mail address and the day of birth of the viewer, and the e-mail addresses of persons who have opened them '
  'to the viewer.';

-- Only the functions for members write it. Who may read by name sees that, and until when.
ALTER TABLE {{schema}}.sharing_grants ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.sharing_grants TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.sharing_grants FOR SELECT TO vigil_reader USING (
  user_id = (SELECT {{schema}}.vigil_viewer_id())
  OR (
    member_user_id = (SELECT {{schema}}.vigil_viewer_id())
    AND user_id = ANY (ARRAY(SELECT user_id FROM {{schema}}.vigil_visible_members()))
  )
);
GRANT SELECT ON {{schema}}.sharing_grants TO vigil_reader;

REVOKE ALL ON FUNCTION {{schema}}.vigil_shared_persons(text), {{schema}}.person_details() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION {{schema}}.vigil_shared_persons(text), {{schema}}.person_details() TO vigil_reader;

-- MARK: Rights on inputs

-- What a reader may see is an array that is made once a query and that indexes can be searched for.
DO $$
DECLARE
  input text;
  visible_rows text;
BEGIN
  FOR input, visible_rows IN VALUES
    ('users', $v$
      id = (SELECT {{schema}}.vigil_viewer_id())
      OR id = ANY (ARRAY(SELECT user_id FROM {{schema}}.vigil_visible_members()))
    $v$),
    ('user_profiles', $v$user_id = (SELECT {{schema}}.vigil_viewer_id())$v$),
    -- Of other persons only the families shared with the viewer.
    ('family_members', $v$
      user_id = (SELECT {{schema}}.vigil_viewer_id())
      OR (
        family_id = ANY (ARRAY(SELECT family_id FROM {{schema}}.vigil_visible_members()))
        AND user_id = ANY (ARRAY(SELECT user_id FROM {{schema}}.vigil_visible_members()))
        AND invite_status = 'accepted'
      )
    $v$),
    -- An excluded member must not learn of it, not even within the family.
    ('alert_recipient_exclusions', $v$subject_user_id = (SELECT {{schema}}.vigil_viewer_id())$v$),
    ('wearable_daily_metrics', $v$user_id = ANY (ARRAY(SELECT {{schema}}.vigil_shared_persons('metrics')))$v$),
    ('exercise_sessions', $v$user_id = ANY (ARRAY(SELECT {{schema}}.vigil_shared_persons('metrics')))$v$),
    ('check_ins', $v$user_id = ANY (ARRAY(SELECT {{schema}}.vigil_shared_persons('check_ins')))$v$),
    ('check_in_plans', $v$user_id = ANY (ARRAY(SELECT {{schema}}.vigil_shared_persons('check_ins')))$v$),
    ('sensitivity_overrides', $v$user_id = (SELECT {{schema}}.vigil_viewer_id())$v$),
    ('person_limits', $v$user_id = (SELECT {{schema}}.vigil_viewer_id())$v$),
    ('do_not_disturb', $v$user_id = (SELECT {{schema}}.vigil_viewer_id())$v$)
  LOOP
    IF EXISTS (
      SELECT FROM pg_policies
      WHERE schemaname = {{schema_name}} AND tablename = input AND policyname = 'vigil_owner'
    ) THEN
      EXECUTE format($sql$
        CREATE POLICY vigil_engine ON %1$I.%2$I
          FOR SELECT TO vigil_engine, vigil_backfill USING (TRUE);
        CREATE POLICY vigil_reader ON %1$I.%2$I FOR SELECT TO vigil_reader USING (%3$s);
        GRANT SELECT ON %1$I.%2$I TO vigil_engine, vigil_backfill;
        GRANT SELECT %4$s ON %1$I.%2$I TO vigil_reader;
      $sql$, {{schema_name}}, input, visible_rows,
        -- What else there is of a person, person_details() returns to those who may read it.
        CASE input WHEN 'users' THEN '(id, external_id, display_name)' ELSE '' END);
      -- What decides whether, and when, a recipient is notified, or reminded of a check-in.
      IF input IN (
        'user_profiles', 'family_members', 'alert_recipient_exclusions', 'do_not_disturb', 'check_ins',
        'check_in_plans'
      ) THEN
        EXECUTE format($sql$
          CREATE POLICY vigil_sender ON %1$I.%2$I FOR SELECT TO vigil_sender USING (TRUE);
          GRANT SELECT ON %1$I.%2$I TO vigil_sender;
        $sql$, {{schema_name}}, input);
      END IF;
    ELSIF has_table_privilege(format('%I.%I', {{schema_name}}, input), 'SELECT WITH GRANT OPTION')
    THEN
      -- Not to the reader: a view shows to everyone what its owner may see, and Vigil does not know
      -- which rows of an app's table a person may see.
      EXECUTE format(
        'GRANT SELECT ON %I.%I TO vigil_engine, vigil_backfill', {{schema_name}}, input);
      IF input IN (
        'user_profiles', 'family_members', 'alert_recipient_exclusions', 'do_not_disturb', 'check_ins',
        'check_in_plans'
      ) THEN
        EXECUTE format('GRANT SELECT ON %I.%I TO vigil_sender', {{schema_name}}, input);
      END IF;
    END IF;
  END LOOP;
END
$$;

-- The owner of a schema or a view may have granted these rights before; all that are missing are
-- named at once.
DO $$
DECLARE
  missing text;
BEGIN
  SELECT string_agg(statement, '; ') INTO missing FROM (
    SELECT format('GRANT USAGE ON SCHEMA %I TO %I', {{schema_name}}, runtime_role) AS statement
    FROM unnest(ARRAY['vigil_engine', 'vigil_backfill', 'vigil_reader']) AS runtime_role
    WHERE NOT has_schema_privilege(runtime_role, {{schema_name}}, 'USAGE')
    UNION ALL
    SELECT format('GRANT SELECT ON %I.%I TO %I', {{schema_name}}, input, runtime_role)
    FROM unnest(ARRAY['vigil_engine', 'vigil_backfill']) AS runtime_role,
      unnest(ARRAY[
        'users', 'user_profiles', 'family_members', 'alert_recipient_exclusions',
        'wearable_daily_metrics', 'exercise_sessions', 'check_ins', 'check_in_plans',
        'sensitivity_overrides', 'person_limits', 'do_not_disturb'
      ]) AS input
    WHERE NOT has_table_privilege(runtime_role, format('%I.%I', {{schema_name}}, input), 'SELECT')
    UNION ALL
    -- vigil_visible_members() reads them with the rights of this user.
    SELECT format('GRANT SELECT ON %I.%I TO %I', {{schema_name}}, input, current_user)
    FROM unnest(ARRAY['family_members', 'alert_recipient_exclusions']) AS input
    WHERE NOT has_table_privilege(format('%I.%I', {{schema_name}}, input), 'SELECT')
  ) AS lacking;
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'roles of Vigil lack rights that this user may not grant'
      USING ERRCODE = 'insufficient_privilege',
        HINT = format('the owner of the schema and of its views and tables must run: %s;', missing);
  END IF;
END
$$;

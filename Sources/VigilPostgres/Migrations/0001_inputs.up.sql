-- What detection reads, who may read it, and the roles that all later tables know.
--
-- Where data is already there, under other names, the schema may hold views of these names instead:
-- what is a view (or a materialized view or foreign table) is read as it is and never touched.

-- MARK: Roles

-- Rights on one schema; a login role gets them by being made a member.
-- vigil_engine runs every night, vigil_backfill works on the past and cannot notify anybody, and
-- vigil_reader is what an app reads with on behalf of one person.
DO $$
DECLARE
  runtime_role text;
  statement text;
  missing text[] := '{}';
BEGIN
  FOREACH runtime_role IN ARRAY ARRAY['vigil_engine', 'vigil_backfill', 'vigil_reader'] LOOP
    CONTINUE WHEN EXISTS (SELECT FROM pg_roles WHERE rolname = runtime_role);
    statement := format(
      'CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE', runtime_role);
    BEGIN
      EXECUTE statement;
    EXCEPTION
      -- Roles are the cluster's: a migration of another database may have made it meanwhile.
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

-- MARK: Tables

CREATE FUNCTION vigil_relation_kind(relation text) RETURNS "char"
LANGUAGE sql STABLE AS $$
  SELECT relkind FROM pg_class
  WHERE relname = relation AND relnamespace = quote_ident(current_schema())::regnamespace
$$;

-- Whether nothing stands in for an input table; an error where a table of the same name is
-- somebody else's.
CREATE FUNCTION vigil_needs_table(input text) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  CASE vigil_relation_kind(input)
    WHEN 'v', 'm', 'f' THEN RETURN FALSE;
    ELSE
      IF vigil_relation_kind(input) IS NULL THEN RETURN TRUE; END IF;
      RAISE EXCEPTION 'the schema % has %, which Vigil did not make',
        quote_ident(current_schema()), quote_ident(input)
        USING ERRCODE = 'duplicate_table', HINT = format(
          'migrate a schema of its own (--schema NAME); to have Vigil read this data, create a view '
          'NAME.%I of it there before', input);
  END CASE;
END
$$;

DO $$
BEGIN
  IF vigil_needs_table('users') THEN
    CREATE TABLE users (
      id uuid PRIMARY KEY,
      external_id text,
      email text,
      display_name text,
      birth_date date,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT users_birth_date_is_date CHECK (
        birth_date BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'
      )
    );
  END IF;

  -- NULL means that the person has not chosen: the default is the engine's.
  IF vigil_needs_table('user_profiles') THEN
    CREATE TABLE user_profiles (
      user_id uuid PRIMARY KEY,
      timezone text,
      notify_in_app boolean,
      notify_push boolean,
      notify_email boolean,
      champion_notify_email boolean,
      champion_notify_sms boolean,
      is_champion boolean,
      quiet_hours_start time,
      quiet_hours_end time,
      quiet_hours_apply_critical boolean,
      CONSTRAINT user_profiles_quiet_hours_are_times CHECK (
        quiet_hours_start < TIME '24:00'
        AND quiet_hours_start = date_trunc('minute', quiet_hours_start)::time
        AND quiet_hours_end < TIME '24:00'
        AND quiet_hours_end = date_trunc('minute', quiet_hours_end)::time
      )
    );
  END IF;

  IF vigil_needs_table('family_members') THEN
    CREATE TABLE family_members (
      family_id uuid NOT NULL,
      user_id uuid NOT NULL,
      role text NOT NULL,
      invite_status text NOT NULL,
      PRIMARY KEY (family_id, user_id),
      CONSTRAINT family_members_role_known CHECK (role IN ('superadmin', 'admin', 'member')),
      CONSTRAINT family_members_invite_status_known CHECK (
        invite_status IN ('pending', 'accepted', 'declined')
      )
    );

    CREATE INDEX family_members_by_user ON family_members (user_id);
  END IF;

  IF vigil_needs_table('wearable_daily_metrics') THEN
    CREATE TABLE wearable_daily_metrics (
      user_id uuid NOT NULL,
      metric_date date NOT NULL,
      source text COLLATE "C" NOT NULL,
      steps double precision,
      sleep_minutes double precision,
      hrv_ms double precision,
      resting_hr double precision,
      sleep_efficiency_pct double precision,
      movement_minutes double precision,
      deep_sleep_minutes double precision,
      rem_sleep_minutes double precision,
      light_sleep_minutes double precision,
      awake_minutes double precision,
      active_calories double precision,
      breathing_rate double precision,
      spo2_avg_pct double precision,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (user_id, metric_date, source),
      CONSTRAINT wearable_daily_metrics_date_is_date CHECK (
        metric_date BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'
      ),
      CONSTRAINT wearable_daily_metrics_source_not_empty CHECK (source <> '')
    );
  END IF;

  IF vigil_needs_table('exercise_sessions') THEN
    CREATE TABLE exercise_sessions (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL,
      metric_date date NOT NULL,
      activity_type_name text,
      started_at timestamptz,
      ended_at timestamptz,
      CONSTRAINT exercise_sessions_date_is_date CHECK (
        metric_date BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'
      )
    );

    CREATE INDEX exercise_sessions_by_user_and_date ON exercise_sessions (user_id, metric_date);
  END IF;
END
$$;

-- MARK: Who a viewer is, and whom they may see

-- The functions below keep the search_path of this moment.
DO $$
BEGIN
  PERFORM set_config('search_path', format('%I, pg_temp', current_schema()), TRUE);
END
$$;

-- The person on whose behalf an app reads; NULL where app.current_user_id is missing or no UUID.
CREATE FUNCTION vigil_viewer_id() RETURNS uuid
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT CASE
    WHEN viewer ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN viewer::uuid
  END
  FROM current_setting('app.current_user_id', TRUE) AS setting (viewer)
$$;

-- The accepted members of the families in which the viewer is one of them.
--
-- SECURITY DEFINER, because the policy of family_members asks it: under the rights of the reader the
-- policy would ask itself without end, and a view in place of the table is not the reader's to read.
-- It takes no argument, so that nobody can ask it on behalf of another.
CREATE FUNCTION vigil_visible_members() RETURNS TABLE (family_id uuid, user_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT member.family_id, member.user_id
  FROM family_members AS own
  JOIN family_members AS member ON member.family_id = own.family_id
  WHERE own.user_id = vigil_viewer_id()
    AND own.invite_status = 'accepted'
    AND member.invite_status = 'accepted'
$$;

-- The viewer and the accepted members of the viewer's families.
CREATE FUNCTION vigil_visible_users() RETURNS SETOF uuid
LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT viewer FROM vigil_viewer_id() AS viewer WHERE viewer IS NOT NULL
  UNION
  SELECT user_id FROM vigil_visible_members()
$$;

REVOKE ALL ON FUNCTION vigil_viewer_id(), vigil_visible_members(), vigil_visible_users()
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION vigil_viewer_id(), vigil_visible_members(), vigil_visible_users()
TO vigil_reader;

-- MARK: Rights

-- A foreign key can refer to a table only.
DO $$
DECLARE
  input text;
BEGIN
  FOREACH input IN ARRAY
    ARRAY['user_profiles', 'family_members', 'wearable_daily_metrics', 'exercise_sessions']
  LOOP
    IF vigil_relation_kind(input) = 'r' AND vigil_relation_kind('users') = 'r' THEN
      EXECUTE format(
        'ALTER TABLE %I ADD CONSTRAINT %I FOREIGN KEY (user_id) REFERENCES users (id)',
        input, input || '_user');
    END IF;
  END LOOP;
END
$$;

-- Row-level security binds the owner too, who therefore has a policy. What a reader may see is an
-- array that is made once a query and that indexes can be searched for.
DO $$
DECLARE
  input text;
  visible_rows text;
BEGIN
  FOR input, visible_rows IN VALUES
    ('users', 'id = ANY (ARRAY(SELECT vigil_visible_users()))'),
    ('user_profiles', 'user_id = ANY (ARRAY(SELECT vigil_visible_users()))'),
    -- Of other people only the families shared with the viewer.
    ('family_members', $visible$
      user_id = (SELECT vigil_viewer_id())
      OR (
        family_id = ANY (ARRAY(SELECT family_id FROM vigil_visible_members()))
        AND invite_status = 'accepted'
      )
    $visible$),
    ('wearable_daily_metrics', 'user_id = ANY (ARRAY(SELECT vigil_visible_users()))'),
    ('exercise_sessions', 'user_id = ANY (ARRAY(SELECT vigil_visible_users()))')
  LOOP
    IF vigil_relation_kind(input) = 'r' THEN
      EXECUTE format($sql$
        ALTER TABLE %1$I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
        CREATE POLICY vigil_owner ON %1$I TO CURRENT_USER USING (TRUE);
        CREATE POLICY vigil_engine ON %1$I FOR SELECT TO vigil_engine, vigil_backfill USING (TRUE);
        CREATE POLICY vigil_reader ON %1$I FOR SELECT TO vigil_reader USING (%2$s);
        GRANT SELECT ON %1$I TO vigil_engine, vigil_backfill, vigil_reader;
      $sql$, input, visible_rows);
    ELSIF has_table_privilege(quote_ident(input), 'SELECT WITH GRANT OPTION') THEN
      -- Not to the reader: a view shows what its owner may see, to everybody.
      EXECUTE format('GRANT SELECT ON %I TO vigil_engine, vigil_backfill', input);
    END IF;
  END LOOP;
END
$$;

CREATE POLICY vigil_engine ON schema_migrations
FOR SELECT TO vigil_engine, vigil_backfill USING (TRUE);
GRANT SELECT ON schema_migrations TO vigil_engine, vigil_backfill;

-- What is another's to grant may have been granted before; what is missing is said all at once.
DO $$
DECLARE
  missing text;
BEGIN
  IF has_schema_privilege(current_schema(), 'USAGE WITH GRANT OPTION') THEN
    EXECUTE format(
      'GRANT USAGE ON SCHEMA %I TO vigil_engine, vigil_backfill, vigil_reader', current_schema());
  END IF;

  SELECT string_agg(statement, '; ') INTO missing FROM (
    SELECT format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), runtime_role) AS statement
    FROM unnest(ARRAY['vigil_engine', 'vigil_backfill', 'vigil_reader']) AS runtime_role
    WHERE NOT has_schema_privilege(runtime_role, current_schema(), 'USAGE')
    UNION ALL
    SELECT format('GRANT SELECT ON %I.%I TO %I', current_schema(), input, runtime_role)
    FROM unnest(ARRAY['vigil_engine', 'vigil_backfill']) AS runtime_role,
      unnest(ARRAY[
        'users', 'user_profiles', 'family_members', 'wearable_daily_metrics', 'exercise_sessions'
      ]) AS input
    WHERE NOT has_table_privilege(runtime_role, quote_ident(input), 'SELECT')
    UNION ALL
    SELECT format('GRANT SELECT ON %I.family_members TO %I', current_schema(), current_user)
    WHERE NOT has_table_privilege('family_members', 'SELECT')
  ) AS lacking;
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'roles of Vigil lack rights that this user may not grant'
      USING ERRCODE = 'insufficient_privilege',
        HINT = format('the owner of the schema and its views must run: %s;', missing);
  END IF;
END
$$;

DROP FUNCTION vigil_needs_table(text);
DROP FUNCTION vigil_relation_kind(text);

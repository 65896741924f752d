-- The five roles of Vigil, and what they see of the inputs.
--
-- vigil_engine runs every night. vigil_backfill evaluates the past and cannot notify. vigil_sender delivers
-- what is in the queue, and reads no measurement. An app reads with vigil_reader on behalf of one person.
-- vigil_eraser exports and erases persons. A login gets their rights as a member: GRANT vigil_engine TO nightly.
-- What the roles may do with a table of a later migration stands there, beside the table.

-- MARK: Roles

DO $$
DECLARE
  runtime_role text;
  statement text;
  missing text[] := '{}';
BEGIN
  FOREACH runtime_role IN ARRAY ARRAY[
    'vigil_engine', 'vigil_backfill', 'vigil_reader', 'vigil_sender', 'vigil_eraser'
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
    TO vigil_engine, vigil_backfill, vigil_reader, vigil_sender, vigil_eraser;
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

-- MARK: Rights on inputs

-- What a reader may see is an array that is made once a query and that indexes can be searched for.
DO $$
DECLARE
  input text;
  visible_rows text;
BEGIN
  FOR input, visible_rows IN VALUES
    ('users', $v$id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()))$v$),
    ('user_profiles', $v$user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()))$v$),
    -- Of other persons only the families shared with the viewer.
    ('family_members', $v$
      user_id = (SELECT {{schema}}.vigil_viewer_id())
      OR (
        family_id = ANY (ARRAY(SELECT family_id FROM {{schema}}.vigil_visible_members()))
        AND invite_status = 'accepted'
      )
    $v$),
    -- An excluded member must not learn of it, not even within the family.
    ('alert_recipient_exclusions', $v$subject_user_id = (SELECT {{schema}}.vigil_viewer_id())$v$),
    ('wearable_daily_metrics', $v$user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()))$v$),
    ('exercise_sessions', $v$user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()))$v$),
    ('check_ins', $v$user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()))$v$),
    ('check_in_plans', $v$user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()))$v$),
    ('sensitivity_overrides', $v$user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()))$v$),
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
        GRANT SELECT ON %1$I.%2$I TO vigil_engine, vigil_backfill, vigil_reader;
      $sql$, {{schema_name}}, input, visible_rows);
      -- What decides whether, and when, a recipient is notified.
      IF input IN (
        'user_profiles', 'family_members', 'alert_recipient_exclusions', 'do_not_disturb'
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
        'user_profiles', 'family_members', 'alert_recipient_exclusions', 'do_not_disturb'
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
        'sensitivity_overrides', 'do_not_disturb'
      ]) AS input
    WHERE NOT has_table_privilege(runtime_role, format('%I.%I', {{schema_name}}, input), 'SELECT')
    UNION ALL
    -- vigil_visible_members() reads it with the rights of this user.
    SELECT format('GRANT SELECT ON %I.family_members TO %I', {{schema_name}}, current_user)
    WHERE NOT has_table_privilege(format('%I.family_members', {{schema_name}}), 'SELECT')
  ) AS lacking;
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'roles of Vigil lack rights that this user may not grant'
      USING ERRCODE = 'insufficient_privilege',
        HINT = format('the owner of the schema and of its views and tables must run: %s;', missing);
  END IF;
END
$$;

-- Where row-level security could be got round: one row a fault, none where all is well.
--
-- Judged are the tables and functions of the current schema that a role of Vigil may use, be it
-- because PUBLIC may. What else lies in a shared schema is none of Vigil's business, nor is what an
-- extension put there, nor how an app protects a table of its own that stands in for an input: only
-- that no reader gets at it, and that its row-level security does not hide it from a run.
-- name: ListCatalogueFaults :many
WITH runtime_role AS (
  SELECT oid, rolname, rolsuper, rolbypassrls
  FROM pg_roles
  WHERE rolname IN (
    'vigil_engine', 'vigil_backfill', 'vigil_reader', 'vigil_sender', 'vigil_eraser', 'vigil_receiver'
  )
),
judged_table AS (
  SELECT *
  FROM pg_class AS relation
  WHERE relation.relnamespace = quote_ident({{schema_name}})::regnamespace
    AND relation.relkind IN ('r', 'p')
    AND NOT EXISTS (
      SELECT FROM pg_depend
      WHERE classid = 'pg_class'::regclass AND objid = relation.oid AND deptype = 'e'
    )
    AND EXISTS (
      SELECT FROM runtime_role
      WHERE NOT rolsuper
        AND (
          has_any_column_privilege(runtime_role.oid, relation.oid, 'SELECT, INSERT, UPDATE')
          OR has_table_privilege(runtime_role.oid, relation.oid, 'DELETE, TRUNCATE')
        )
        AND (
          relation.relname NOT IN (
            'alert_recipient_exclusions', 'medications', 'schedules', 'dose_history',
            'timezone_events', 'schedule_adjustments', 'vitality_scores'
          )
          OR rolname = 'vigil_reader'
          OR EXISTS (
            SELECT FROM pg_policy WHERE polrelid = relation.oid AND polname = 'vigil_owner'
          )
          OR relation.relrowsecurity
            AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = relation.oid)
        )
    )
),
-- Functions and procedures with the rights of their owners.
judged_function AS (
  SELECT
    format('%I(%s)', routine.proname, oidvectortypes(routine.proargtypes)) AS name,
    EXISTS (
      SELECT FROM unnest(routine.proconfig) AS setting
      WHERE setting ~ '^search_path=(.*, ?)?pg_temp$' AND strpos(setting, '$user') = 0
    ) AS is_pinned,
    EXISTS (
      SELECT FROM aclexplode(coalesce(routine.proacl, acldefault('f', routine.proowner)))
      WHERE grantee = 0 AND privilege_type = 'EXECUTE'
    ) AS is_public
  FROM pg_proc AS routine
  WHERE routine.pronamespace = quote_ident({{schema_name}})::regnamespace
    AND routine.prosecdef
    AND NOT EXISTS (
      SELECT FROM pg_depend
      WHERE classid = 'pg_proc'::regclass AND objid = routine.oid AND deptype = 'e'
    )
    AND EXISTS (
      SELECT FROM runtime_role
      WHERE NOT rolsuper AND has_function_privilege(runtime_role.oid, routine.oid, 'EXECUTE')
    )
),
-- Functions that runs and apps call, with the rights of the caller: a function or operator in a
-- schema that they search would be called with those rights.
function_of_vigil AS (
  SELECT
    format('%I(%s)', routine.proname, oidvectortypes(routine.proargtypes)) AS name,
    coalesce('search_path=pg_catalog, pg_temp' = ANY (routine.proconfig), FALSE) AS searches_nothing
  FROM pg_proc AS routine
  WHERE routine.pronamespace = quote_ident({{schema_name}})::regnamespace
    AND routine.proname IN (
      'vigil_viewer_id', 'vigil_visible_members', 'vigil_visible_users',
      'vigil_shared_persons', 'vigil_shared_medications', 'vigil_shared_schedules', 'person_details', 'dose_details',
      'vigil_share', 'vigil_unshare', 'share', 'share_with_role', 'unshare', 'unshare_with_role',
      'vigil_family_persons', 'get_family_pattern_alerts',
      'get_family_silences', 'family_insights', 'vigil_wake_senders', 'vigil_sha1', 'vigil_id', 'vigil_visible_event',
      'vigil_act_on_alert', 'acknowledge_alert', 'snooze_alert', 'dismiss_alert', 'restore_alert',
      'vigil_acting_member', 'vigil_mark_alert_read', 'mark_alert_read', 'vigil_check_in', 'check_in',
      'vigil_raise_alert', 'raise_alert', 'vigil_resolve_alert', 'resolve_alert',
      'vigil_ping', 'ping', 'vigil_respond', 'respond', 'vigil_resolve_escalation', 'resolve_escalation',
      'vigil_mark_notification', 'mark_delivered', 'mark_read',
      'vigil_set_escalation', 'set_escalation', 'turn_off_escalation', 'reset_escalation'
    )
    AND routine.proowner = (
      SELECT relowner FROM pg_class
      WHERE relname = 'schema_migrations' AND relnamespace = routine.pronamespace
    )
)
SELECT 'table_without_row_level_security' AS kind, relname::text AS name
FROM judged_table
WHERE NOT relrowsecurity
UNION ALL
SELECT 'table_without_forced_row_level_security', relname::text
FROM judged_table
WHERE NOT relforcerowsecurity
UNION ALL
SELECT 'table_without_policy', relname::text
FROM judged_table
WHERE NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = judged_table.oid)
UNION ALL
SELECT 'role_is_superuser', rolname::text
FROM runtime_role
WHERE rolsuper
UNION ALL
SELECT 'role_bypasses_row_level_security', rolname::text
FROM runtime_role
WHERE rolbypassrls
UNION ALL
SELECT 'function_without_pinned_search_path', name
FROM judged_function
WHERE NOT is_pinned AND name NOT IN (SELECT name FROM function_of_vigil)
UNION ALL
SELECT 'function_executable_by_public', name
FROM judged_function
WHERE is_public
UNION ALL
SELECT 'function_of_vigil_that_searches_schemas', name
FROM function_of_vigil
WHERE NOT searches_nothing
ORDER BY kind, name

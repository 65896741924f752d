-- What a member decides through an app: who is called when they do not answer, and to whom their data are open.

-- The settings are always those of the viewer, and hold for alerts that runs find. A raised alert has none: a person in need
-- must not find that an old setting keeps others from being called.
CREATE FUNCTION {{schema}}.vigil_set_escalation(levels integer[], minutes integer, is_reset boolean)
RETURNS TABLE (
  level integer,
  window_minutes integer
)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  person constant uuid := {{schema}}.vigil_acting_member();
BEGIN
  IF NOT vigil_set_escalation.levels <@ ARRAY[3, 7, 14, 21] THEN
    RAISE EXCEPTION 'a level is 3, 7, 14 or 21'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'give one of these numbers';
  END IF;
  IF vigil_set_escalation.minutes NOT BETWEEN 5 AND 10080 THEN
    RAISE EXCEPTION 'a window has from 5 to 10080 minutes'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'give NULL to call no one at the level';
  END IF;
  -- A table or a view of the app need not refer to users.
  IF NOT EXISTS (SELECT FROM {{schema}}.users AS own WHERE own.id = person) THEN
    RAISE EXCEPTION 'app.current_user_id names no person'
      USING ERRCODE = 'insufficient_privilege',
        HINT = 'set app.current_user_id to the person on whose behalf the app acts';
  END IF;
  IF vigil_set_escalation.is_reset THEN
    DELETE FROM {{schema}}.escalation_settings AS own
    WHERE own.user_id = person AND own.level = ANY (vigil_set_escalation.levels);
  ELSE
    INSERT INTO {{schema}}.escalation_settings AS own (user_id, level, window_minutes)
    SELECT person, chosen, vigil_set_escalation.minutes FROM unnest(vigil_set_escalation.levels) AS chosen
    ON CONFLICT (user_id, level) DO UPDATE SET window_minutes = excluded.window_minutes;
  END IF;
  RETURN QUERY
  SELECT own.level, own.window_minutes FROM {{schema}}.escalation_settings AS own
  WHERE own.user_id = person
  ORDER BY own.level;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_set_escalation(integer[], integer, boolean) IS
  'Sets the window of the viewer at some levels, or removes it. set_escalation, turn_off_escalation and reset_escalation '
  'call it, and only the owner may.';

CREATE FUNCTION {{schema}}.set_escalation(alert_level integer, minutes integer)
RETURNS TABLE (
  level integer,
  window_minutes integer
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT own.level, own.window_minutes
  FROM {{schema}}.vigil_set_escalation(ARRAY[alert_level], minutes, FALSE) AS own
$$;

COMMENT ON FUNCTION {{schema}}.set_escalation(integer, integer) IS
  'Sets after how many minutes without an answer, from 5 to 10080, the next caregiver of the viewer is called upon at a '
  'level; NULL: no one is. It goes before the settings of the sender, and does not hold for raised alerts. Returns all '
  'settings of the viewer.';

CREATE FUNCTION {{schema}}.turn_off_escalation()
RETURNS TABLE (
  level integer,
  window_minutes integer
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT own.level, own.window_minutes
  FROM {{schema}}.vigil_set_escalation(ARRAY[3, 7, 14, 21], NULL, FALSE) AS own
$$;

COMMENT ON FUNCTION {{schema}}.turn_off_escalation() IS
  'Sets that no one is called upon when an alert about the viewer has no answer, at any level. Raised alerts go on to others '
  'all the same. Returns all settings of the viewer.';

CREATE FUNCTION {{schema}}.reset_escalation()
RETURNS TABLE (
  level integer,
  window_minutes integer
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT own.level, own.window_minutes
  FROM {{schema}}.vigil_set_escalation(ARRAY[3, 7, 14, 21], NULL, TRUE) AS own
$$;

COMMENT ON FUNCTION {{schema}}.reset_escalation() IS
  'Removes all settings of the viewer: those of the sender hold again. Returns none.';

CREATE FUNCTION {{schema}}.reset_escalation(alert_level integer)
RETURNS TABLE (
  level integer,
  window_minutes integer
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT own.level, own.window_minutes
  FROM {{schema}}.vigil_set_escalation(ARRAY[alert_level], NULL, TRUE) AS own
$$;

COMMENT ON FUNCTION {{schema}}.reset_escalation(integer) IS
  'Does the same for one level. Returns the settings that are left.';

-- The person whose data are opened is always the viewer. A member whom the viewer may not see is refused as one that there
-- is not.
CREATE FUNCTION {{schema}}.vigil_share(
  member uuid, member_role text, what text, until timestamptz
)
RETURNS timestamptz
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  viewer constant uuid := {{schema}}.vigil_acting_member();
  at_instant constant timestamptz := clock_timestamp();
  failed text;
BEGIN
  IF vigil_share.member_role IS NULL AND (
    vigil_share.member <> viewer
    AND vigil_share.member IN (SELECT user_id FROM {{schema}}.vigil_visible_members())
  ) IS NOT TRUE THEN
    RAISE EXCEPTION 'the viewer has no such member'
      USING ERRCODE = 'no_data_found',
        HINT = 'give the id of another accepted member of one of the viewer''s families';
  END IF;
  IF vigil_share.until <= at_instant OR vigil_share.until >= TIMESTAMPTZ '10000-01-01 00:00:00Z' THEN
    RAISE EXCEPTION 'a grant ends after now and in the year 9999 at the latest'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'give NULL for a grant without an end';
  END IF;
  -- A table or a view of the app need not refer to users.
  IF NOT EXISTS (SELECT FROM {{schema}}.users AS person WHERE person.id = viewer) THEN
    RAISE EXCEPTION 'app.current_user_id names no person'
      USING ERRCODE = 'insufficient_privilege',
        HINT = 'set app.current_user_id to the person on whose behalf the app acts';
  END IF;

  INSERT INTO {{schema}}.sharing_grants AS own (
    id, user_id, member_user_id, member_role, what, until, created_at
  )
  VALUES (
    {{schema}}.vigil_id(format(
      'sharing_grants:%s:%s:%s', viewer, coalesce(vigil_share.what, ''),
      coalesce(vigil_share.member::text, vigil_share.member_role))),
    viewer, vigil_share.member, vigil_share.member_role, coalesce(vigil_share.what, ''),
    vigil_share.until, at_instant
  )
  ON CONFLICT (id) DO UPDATE SET until = excluded.until, created_at = excluded.created_at;
  RETURN at_instant;
EXCEPTION WHEN check_violation THEN
  GET STACKED DIAGNOSTICS failed = CONSTRAINT_NAME;
  RAISE EXCEPTION USING
    ERRCODE = 'invalid_parameter_value',
    MESSAGE = CASE failed
      WHEN 'sharing_grants_member_role_known' THEN 'a role is superadmin, admin, member, responder or dependent'
      ELSE 'what is shared is metrics, medications, doses, notes, location, check_ins or email'
    END;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_share(uuid, text, text, timestamptz) IS
  'Records that the viewer opens a kind of data to a member or to a role. share and share_with_role call it, and only the '
  'owner may.';

CREATE FUNCTION {{schema}}.vigil_unshare(member uuid, member_role text, what text) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  viewer constant uuid := {{schema}}.vigil_acting_member();
BEGIN
  DELETE FROM {{schema}}.sharing_grants AS own
  WHERE own.user_id = viewer AND own.what = vigil_unshare.what
    AND (own.member_user_id = vigil_unshare.member OR own.member_role = vigil_unshare.member_role);
  RETURN FOUND;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_unshare(uuid, text, text) IS
  'Removes a grant of the viewer. unshare and unshare_with_role call it, and only the owner may.';

CREATE FUNCTION {{schema}}.share(member uuid, what text, until timestamptz) RETURNS timestamptz
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_share(member, NULL, what, until)
$$;

COMMENT ON FUNCTION {{schema}}.share(uuid, text, timestamptz) IS
  'Opens a kind of data of the viewer to a member of one of their families, until an instant or, where it is NULL, '
  'without an end. A second call replaces the end. Returns when that was.';

CREATE FUNCTION {{schema}}.share(member uuid, what text) RETURNS timestamptz
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_share(member, NULL, what, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.share(uuid, text) IS
  'Does the same without an end.';

CREATE FUNCTION {{schema}}.share_with_role(member_role text, what text, until timestamptz) RETURNS timestamptz
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_share(NULL, coalesce(member_role, ''), what, until)
$$;

COMMENT ON FUNCTION {{schema}}.share_with_role(text, text, timestamptz) IS
  'Opens a kind of data of the viewer to all who have a role in a family with the viewer: superadmin, admin, member, '
  'responder or dependent; until an instant or, where it is NULL, without an end. Returns when that was.';

CREATE FUNCTION {{schema}}.share_with_role(member_role text, what text) RETURNS timestamptz
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_share(NULL, coalesce(member_role, ''), what, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.share_with_role(text, text) IS
  'Does the same without an end.';

CREATE FUNCTION {{schema}}.unshare(member uuid, what text) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_unshare(member, NULL, what)
$$;

COMMENT ON FUNCTION {{schema}}.unshare(uuid, text) IS
  'Takes back what the viewer has opened to a member; what is open to a role stays. Returns whether there was a grant.';

CREATE FUNCTION {{schema}}.unshare_with_role(member_role text, what text) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_unshare(NULL, member_role, what)
$$;

COMMENT ON FUNCTION {{schema}}.unshare_with_role(text, text) IS
  'Takes back what the viewer has opened to a role; what is open to a member by name stays. Returns whether there was a '
  'grant.';

REVOKE ALL ON FUNCTION
  {{schema}}.vigil_set_escalation(integer[], integer, boolean), {{schema}}.set_escalation(integer, integer),
  {{schema}}.turn_off_escalation(), {{schema}}.reset_escalation(), {{schema}}.reset_escalation(integer),
  {{schema}}.vigil_share(uuid, text, text, timestamptz), {{schema}}.vigil_unshare(uuid, text, text),
  {{schema}}.share(uuid, text, timestamptz), {{schema}}.share_with_role(text, text, timestamptz),
  {{schema}}.share(uuid, text), {{schema}}.share_with_role(text, text), {{schema}}.unshare(uuid, text),
  {{schema}}.unshare_with_role(text, text)
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  {{schema}}.set_escalation(integer, integer), {{schema}}.turn_off_escalation(),
  {{schema}}.reset_escalation(), {{schema}}.reset_escalation(integer),
  {{schema}}.share(uuid, text, timestamptz), {{schema}}.share_with_role(text, text, timestamptz),
  {{schema}}.share(uuid, text), {{schema}}.share_with_role(text, text), {{schema}}.unshare(uuid, text),
  {{schema}}.unshare_with_role(text, text)
TO vigil_reader;

-- What an app does on behalf of a member.

-- The functions for vigil_reader act as the person of app.current_user_id, and take no argument that could name
-- another. They do what the library does on both databases (AlertAction), with the rights of the owner: a reader
-- has none to change a row. Of an alert that the member may not see they say the same as of one that there is not.

-- The library derives the ids of its rows with SHA-1, which PostgreSQL has in an extension only.
CREATE FUNCTION {{schema}}.vigil_sha1(message bytea) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  low_bits constant bigint := 4294967295;
  padded constant bytea := message || '\x80'::bytea
    || decode(repeat('00', (119 - length(message) % 64) % 64), 'hex')
    || int8send(8 * length(message)::bigint);
  digest bigint[] := ARRAY[1732584193, 4023233417, 2562383102, 271733878, 3285377520]::bigint[];
  word bigint[];
  mixed bigint;
  added bigint;
  a bigint;
  b bigint;
  c bigint;
  d bigint;
  e bigint;
BEGIN
  FOR block IN 0 .. length(padded) / 64 - 1 LOOP
    FOR place IN 1 .. 16 LOOP
      word[place] := (
        'x' || encode(substring(padded FROM block * 64 + place * 4 - 3 FOR 4), 'hex')
      )::bit(32)::bigint & low_bits;
    END LOOP;
    FOR place IN 17 .. 80 LOOP
      mixed := word[place - 3] # word[place - 8] # word[place - 14] # word[place - 16];
      word[place] := ((mixed << 1) | (mixed >> 31)) & low_bits;
    END LOOP;
    a := digest[1];
    b := digest[2];
    c := digest[3];
    d := digest[4];
    e := digest[5];
    FOR place IN 1 .. 80 LOOP
      added := word[place] + e + (((a << 5) | (a >> 27)) & low_bits) + CASE
        WHEN place <= 20 THEN 1518500249 + ((b & c) | ((~ b) & d))
        WHEN place <= 40 THEN 1859775393 + (b # c # d)
        WHEN place <= 60 THEN 2400959708 + ((b & c) | (b & d) | (c & d))
        ELSE 3395469782 + (b # c # d)
      END;
      e := d;
      d := c;
      c := ((b << 30) | (b >> 2)) & low_bits;
      b := a;
      a := added & low_bits;
    END LOOP;
    digest := ARRAY[
      (digest[1] + a) & low_bits, (digest[2] + b) & low_bits, (digest[3] + c) & low_bits,
      (digest[4] + d) & low_bits, (digest[5] + e) & low_bits
    ];
  END LOOP;
  RETURN decode((
    SELECT string_agg(lpad(to_hex(part), 8, '0'), '' ORDER BY place)
    FROM unnest(digest) WITH ORDINALITY AS one (part, place)
  ), 'hex');
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_sha1(bytea) IS
  'Returns the SHA-1 of bytes.';

CREATE FUNCTION {{schema}}.vigil_id(natural_key text) RETURNS uuid
LANGUAGE plpgsql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  digest bytea := {{schema}}.vigil_sha1(
    uuid_send('6f0b7c1e-6f5c-5a53-9d1c-5e0f4b7a9c21') || convert_to(natural_key, 'UTF8'));
BEGIN
  digest := set_byte(digest, 6, (get_byte(digest, 6) & 15) | 80);
  digest := set_byte(digest, 8, (get_byte(digest, 8) & 63) | 128);
  RETURN encode(substring(digest FOR 16), 'hex')::uuid;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_id(text) IS
  'Returns the id of a row with this natural key: its UUIDv5, the same in every database.';

CREATE FUNCTION {{schema}}.vigil_acting_member() RETURNS uuid
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF {{schema}}.vigil_viewer_id() IS NULL THEN
    RAISE EXCEPTION 'app.current_user_id names no person'
      USING ERRCODE = 'insufficient_privilege',
        HINT = 'set app.current_user_id to the person on whose behalf the app acts';
  END IF;
  RETURN {{schema}}.vigil_viewer_id();
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_acting_member() IS
  'Returns the person on whose behalf an app acts. An error where app.current_user_id is missing or no '
  'UUID.';

CREATE FUNCTION {{schema}}.vigil_visible_event(alert uuid)
RETURNS TABLE (
  id uuid,
  is_active boolean
)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM {{schema}}.vigil_acting_member();
  RETURN QUERY
  WITH asked AS (
    SELECT own.event_id FROM {{schema}}.pattern_alert_state AS own
    WHERE own.id = vigil_visible_event.alert
      AND own.user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()))
  )
  SELECT first.id, first.episode_status = 'active'
  FROM asked JOIN {{schema}}.pattern_alert_state AS first ON first.id = asked.event_id
  UNION ALL
  SELECT joined.id, joined.episode_status = 'active'
  FROM asked JOIN {{schema}}.pattern_alert_state AS joined
    ON joined.event_id = asked.event_id AND joined.event_id <> joined.id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the viewer has no such alert'
      USING ERRCODE = 'no_data_found',
        HINT = 'give the id of an alert of the viewer, or of a member of one of their families';
  END IF;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_visible_event(uuid) IS
  'Returns the alerts of the event in which an alert is that the viewer may see. An error where there is '
  'no viewer, or no such alert for them.';

-- Runs and the library hold the same lock when they change alerts and the queue: of two members at once the
-- second sees what the first has done.
CREATE FUNCTION {{schema}}.vigil_act_on_alert(
  alert uuid, act text, until date, instant timestamptz
)
RETURNS TABLE (
  alert_id uuid,
  acted_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  snooze_until date,
  dismissed_at timestamptz,
  other_alerts integer,
  notifications bigint,
  escalations bigint
)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  viewer constant uuid := {{schema}}.vigil_viewer_id();
  alerts uuid[];
  is_active boolean;
  at_instant timestamptz;
  today date;
  reason text;
  changed bigint;
BEGIN
  -- Before the lock, so that waiting for it does not reveal that there is such an alert.
  PERFORM FROM {{schema}}.vigil_visible_event(vigil_act_on_alert.alert);
  LOCK TABLE {{schema}}.change_lock IN EXCLUSIVE MODE;
  at_instant := coalesce(vigil_act_on_alert.instant, clock_timestamp());
  today := (at_instant AT TIME ZONE 'UTC')::date;

  -- Who gives the instant has looked at the day, by a clock of its own.
  IF act = 'snooze' AND (
    until <= DATE '9999-12-31' AND (vigil_act_on_alert.instant IS NOT NULL OR until > today)
  ) IS NOT TRUE THEN
    RAISE EXCEPTION 'a snooze ends after today (UTC) and in the year 9999 at the latest'
      USING ERRCODE = 'invalid_parameter_value',
        HINT = 'give the day on which notifications resume';
  END IF;

  SELECT array_agg(one.id), bool_or(one.is_active) INTO alerts, is_active
  FROM {{schema}}.vigil_visible_event(vigil_act_on_alert.alert) AS one;
  IF NOT is_active THEN
    RAISE EXCEPTION 'the alert has ended; no action on it is possible'
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;

  INSERT INTO {{schema}}.alert_actions (
    id, alert_state_id, action, actor_user_id, acted_at, snooze_until
  )
  VALUES (
    {{schema}}.vigil_id(format(
      'alert_actions:%s:%s:%s:%s', alert, act, viewer,
      to_char(at_instant AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))),
    alert, act, viewer, at_instant, until
  )
  ON CONFLICT (id) DO NOTHING;

  -- The first acknowledgement and the first dismissal stay.
  UPDATE {{schema}}.pattern_alert_state AS own SET
    acknowledged_by = CASE
      WHEN act = 'acknowledge' AND own.acknowledged_at IS NULL THEN viewer
      ELSE own.acknowledged_by
    END,
    acknowledged_at = CASE
      WHEN act = 'acknowledge' AND own.acknowledged_at IS NULL THEN at_instant
      ELSE own.acknowledged_at
    END,
    snooze_until = CASE act
      WHEN 'snooze' THEN until
      WHEN 'restore' THEN NULL
      ELSE own.snooze_until
    END,
    dismissed_at = CASE act
      WHEN 'dismiss' THEN coalesce(own.dismissed_at, at_instant)
      WHEN 'restore' THEN NULL
      ELSE own.dismissed_at
    END,
    updated_at = at_instant
  WHERE own.id = ANY (alerts);

  notifications := 0;
  escalations := 0;
  IF act IN ('snooze', 'dismiss') THEN
    reason := CASE act WHEN 'snooze' THEN 'snoozed' ELSE 'dismissed' END;
    UPDATE {{schema}}.notification_queue AS own
    SET status = 'cancelled', status_reason = reason, updated_at = at_instant
    WHERE own.status = 'pending' AND own.alert_state_id = ANY (alerts)
      AND own.notification_type <> 'pattern_alert_group';
    GET DIAGNOSTICS notifications = ROW_COUNT;
    -- A group goes out as long as it has an alert that is neither dismissed nor snoozed today.
    UPDATE {{schema}}.notification_queue AS own
    SET status = 'cancelled', status_reason = reason, updated_at = at_instant
    WHERE own.status = 'pending' AND own.id = ANY (ARRAY(
        SELECT member.group_id FROM {{schema}}.notification_queue AS member
        WHERE member.alert_state_id = ANY (alerts) AND member.group_id IS NOT NULL
      ))
      AND NOT EXISTS (
        SELECT FROM {{schema}}.notification_queue AS member
        JOIN {{schema}}.pattern_alert_state AS grouped ON grouped.id = member.alert_state_id
        WHERE member.group_id = own.id AND grouped.dismissed_at IS NULL
          AND (grouped.snooze_until IS NULL OR grouped.snooze_until <= today)
      );
    GET DIAGNOSTICS changed = ROW_COUNT;
    notifications := notifications + changed;
  ELSIF act = 'restore' THEN
    UPDATE {{schema}}.notification_queue AS own
    SET status = 'pending', updated_at = at_instant,
      status_reason = CASE WHEN own.scheduled_for > at_instant THEN 'quiet_hours' END
    WHERE own.status = 'cancelled' AND own.status_reason IN ('snoozed', 'dismissed')
      AND (own.expires_at IS NULL OR own.expires_at > at_instant) AND own.delivered_at IS NULL
      AND (
        own.alert_state_id = ANY (alerts) OR EXISTS (
          SELECT FROM {{schema}}.notification_queue AS member
          WHERE member.group_id = own.id AND member.alert_state_id = ANY (alerts)
        )
      );
    GET DIAGNOSTICS notifications = ROW_COUNT;
  END IF;

  IF act IN ('acknowledge', 'dismiss') THEN
    UPDATE {{schema}}.escalation_log AS call SET
      status = CASE act WHEN 'acknowledge' THEN 'acknowledged' ELSE 'resolved' END,
      acknowledged_at = CASE act WHEN 'acknowledge' THEN at_instant ELSE call.acknowledged_at END,
      resolved_at = CASE act WHEN 'dismiss' THEN at_instant ELSE call.resolved_at END
    WHERE call.related_blob_id = ANY (alerts) AND call.status IN ('pending', 'notified')
      AND call.expires_at > at_instant;
    GET DIAGNOSTICS escalations = ROW_COUNT;
  END IF;

  RETURN QUERY
  SELECT own.id, at_instant, own.acknowledged_at, own.acknowledged_by, own.snooze_until,
    own.dismissed_at, cardinality(alerts) - 1, notifications, escalations
  FROM {{schema}}.pattern_alert_state AS own
  WHERE own.id = vigil_act_on_alert.alert;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_act_on_alert(uuid, text, date, timestamptz) IS
  'Carries out an action of the viewer on an alert at an instant, or now where it is NULL. Returns the alert '
  'as it is then, and how many other alerts of the event, notifications and escalations have changed. The functions for '
  'apps and the command line call it.';

CREATE FUNCTION {{schema}}.acknowledge_alert(alert uuid)
RETURNS TABLE (
  alert_id uuid,
  acted_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  snooze_until date,
  dismissed_at timestamptz
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT alert_id, acted_at, acknowledged_at, acknowledged_by, snooze_until, dismissed_at
  FROM {{schema}}.vigil_act_on_alert(alert, 'acknowledge', NULL, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.acknowledge_alert(uuid) IS
  'Acknowledges an alert as the viewer: its open escalations count as answered. It holds for the whole '
  'event. Returns the alert as it is then.';

CREATE FUNCTION {{schema}}.snooze_alert(alert uuid, until date)
RETURNS TABLE (
  alert_id uuid,
  acted_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  snooze_until date,
  dismissed_at timestamptz
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT alert_id, acted_at, acknowledged_at, acknowledged_by, snooze_until, dismissed_at
  FROM {{schema}}.vigil_act_on_alert(alert, 'snooze', until, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.snooze_alert(uuid, date) IS
  'Snoozes an alert as the viewer: no notifications of its event before the day until, which is after '
  'today in UTC. Cancels those that wait. Returns the alert as it is then.';

CREATE FUNCTION {{schema}}.dismiss_alert(alert uuid)
RETURNS TABLE (
  alert_id uuid,
  acted_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  snooze_until date,
  dismissed_at timestamptz
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT alert_id, acted_at, acknowledged_at, acknowledged_by, snooze_until, dismissed_at
  FROM {{schema}}.vigil_act_on_alert(alert, 'dismiss', NULL, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.dismiss_alert(uuid) IS
  'Dismisses an alert as the viewer: no more notifications of its event. Cancels those that wait; open '
  'escalations need no answer any more. Returns the alert as it is then.';

CREATE FUNCTION {{schema}}.restore_alert(alert uuid)
RETURNS TABLE (
  alert_id uuid,
  acted_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  snooze_until date,
  dismissed_at timestamptz
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT alert_id, acted_at, acknowledged_at, acknowledged_by, snooze_until, dismissed_at
  FROM {{schema}}.vigil_act_on_alert(alert, 'restore', NULL, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.restore_alert(uuid) IS
  'Takes back snooze and dismissal of an alert as the viewer: cancelled notifications of its event wait '
  'again unless they have expired. Returns the alert as it is then.';

CREATE FUNCTION {{schema}}.vigil_mark_alert_read(alert uuid, instant timestamptz)
RETURNS timestamptz
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  member constant uuid := {{schema}}.vigil_acting_member();
BEGIN
  INSERT INTO {{schema}}.alert_reads (id, alert_state_id, user_id, read_at)
  SELECT {{schema}}.vigil_id(format('alert_reads:%s:%s', one.id, member)), one.id, member,
    coalesce(vigil_mark_alert_read.instant, clock_timestamp())
  FROM {{schema}}.vigil_visible_event(vigil_mark_alert_read.alert) AS one
  ORDER BY one.id
  ON CONFLICT (id) DO NOTHING;
  RETURN (
    SELECT own.read_at FROM {{schema}}.alert_reads AS own
    WHERE own.id = {{schema}}.vigil_id(format('alert_reads:%s:%s', vigil_mark_alert_read.alert, member))
  );
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_mark_alert_read(uuid, timestamptz) IS
  'Records that the viewer has read an alert at an instant, or now where it is NULL. mark_alert_read '
  'and the command line call it.';

CREATE FUNCTION {{schema}}.mark_alert_read(alert uuid) RETURNS timestamptz
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_mark_alert_read(alert, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.mark_alert_read(uuid) IS
  'Records in alert_reads that the viewer has read an alert and the other alerts of its event. Returns '
  'when they first read it.';

CREATE FUNCTION {{schema}}.vigil_check_in(kind text, instant timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
-- A view of the app may have columns of these names.
#variable_conflict use_variable
DECLARE
  member constant uuid := {{schema}}.vigil_acting_member();
  at_instant constant timestamptz := coalesce(vigil_check_in.instant, clock_timestamp());
  is_known boolean;
BEGIN
  IF (vigil_check_in.kind IN ('manual', 'automatic', 'responder')) IS NOT TRUE THEN
    RAISE EXCEPTION 'a check-in is manual, automatic or responder'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'call check_in() for a manual one';
  END IF;
  -- A table or a view of the app need not refer to users.
  IF NOT EXISTS (SELECT FROM {{schema}}.users AS person WHERE person.id = member) THEN
    RAISE EXCEPTION 'app.current_user_id names no person'
      USING ERRCODE = 'insufficient_privilege',
        HINT = 'set app.current_user_id to the person on whose behalf the app acts';
  END IF;
  -- An app's view may lack kind, have a type of its own for it, or take no ON CONFLICT.
  IF EXISTS (
    SELECT FROM pg_attribute
    WHERE attrelid = to_regclass(format('%I.check_ins', {{schema_name}})) AND attname = 'kind'
      AND NOT attisdropped
  ) THEN
    EXECUTE format(
      'INSERT INTO %I.check_ins (user_id, checked_in_at, kind) VALUES ($1, $2, %L)',
      {{schema_name}}, vigil_check_in.kind)
    USING member, at_instant;
  ELSE
    EXECUTE format(
      'INSERT INTO %I.check_ins (user_id, checked_in_at) VALUES ($1, $2)', {{schema_name}})
    USING member, at_instant;
  END IF;
  RETURN at_instant;
EXCEPTION WHEN unique_violation THEN
  -- A trigger of the app may have met the key of another table, and then nothing was added.
  EXECUTE format(
    'SELECT EXISTS (SELECT FROM %I.check_ins WHERE user_id = $1 AND checked_in_at = $2)', {{schema_name}})
  INTO is_known USING member, at_instant;
  IF is_known THEN
    RETURN at_instant;
  END IF;
  RAISE;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_check_in(text, timestamptz) IS
  'Adds a check-in of the viewer at an instant, or now where it is NULL. check_in calls it, and only the '
  'owner may.';

CREATE FUNCTION {{schema}}.check_in(kind text) RETURNS timestamptz
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_check_in(kind, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.check_in(text) IS
  'Adds a check-in of the viewer to check_ins: manual, automatic or responder (another person asked). '
  'Returns when it was.';

CREATE FUNCTION {{schema}}.check_in() RETURNS timestamptz
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_check_in('manual', NULL)
$$;

COMMENT ON FUNCTION {{schema}}.check_in() IS
  'Adds a manual check-in of the viewer to check_ins. Returns when it was.';

-- A person in need does not wait for the lock of runs. Of two calls at once the second returns the alert of the first.
CREATE FUNCTION {{schema}}.vigil_raise_alert(instant timestamptz)
RETURNS TABLE (
  alert_id uuid,
  raised_at timestamptz
)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  person constant uuid := {{schema}}.vigil_acting_member();
  at_instant constant timestamptz := coalesce(vigil_raise_alert.instant, clock_timestamp());
BEGIN
  -- A table or a view of the app need not refer to users.
  IF NOT EXISTS (SELECT FROM {{schema}}.users AS own WHERE own.id = person) THEN
    RAISE EXCEPTION 'app.current_user_id names no person'
      USING ERRCODE = 'insufficient_privilege',
        HINT = 'set app.current_user_id to the person on whose behalf the app acts';
  END IF;
  LOOP
    INSERT INTO {{schema}}.raised_alerts (id, user_id, raised_at)
    VALUES (
      {{schema}}.vigil_id(format(
        'raised_alerts:%s:%s', person,
        to_char(at_instant AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))),
      person, at_instant
    )
    ON CONFLICT DO NOTHING;
    RETURN QUERY
    SELECT own.id, own.raised_at FROM {{schema}}.raised_alerts AS own
    WHERE own.user_id = person AND own.status = 'active';
    EXIT WHEN FOUND;
    -- The alert of this very instant was resolved.
    IF EXISTS (
      SELECT FROM {{schema}}.raised_alerts AS own WHERE own.user_id = person AND own.raised_at = at_instant
    ) THEN
      RAISE EXCEPTION 'the alert of this instant was resolved'
        USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'raise another alert';
    END IF;
  END LOOP;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_raise_alert(timestamptz) IS
  'Raises an alert of the viewer at an instant, or now where it is NULL. raise_alert calls it, and only the owner may.';

CREATE FUNCTION {{schema}}.raise_alert()
RETURNS TABLE (
  alert_id uuid,
  raised_at timestamptz
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT alert_id, raised_at FROM {{schema}}.vigil_raise_alert(NULL)
$$;

COMMENT ON FUNCTION {{schema}}.raise_alert() IS
  'Raises an alert of the viewer, who needs help: a sender notifies the responders at once. Returns the alert, or the one '
  'that the viewer has raised before and that is active.';

CREATE FUNCTION {{schema}}.vigil_resolve_alert(alert uuid, instant timestamptz)
RETURNS TABLE (
  alert_id uuid,
  raised_at timestamptz,
  resolved_at timestamptz,
  resolved_by uuid
)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  member constant uuid := {{schema}}.vigil_acting_member();
  at_instant constant timestamptz := coalesce(vigil_resolve_alert.instant, clock_timestamp());
BEGIN
  -- The first resolution stays.
  UPDATE {{schema}}.raised_alerts AS own
  SET status = 'resolved', resolved_at = greatest(at_instant, own.raised_at), resolved_by = member
  WHERE own.id = vigil_resolve_alert.alert AND own.status = 'active'
    AND own.user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()));
  IF FOUND THEN
    UPDATE {{schema}}.notification_queue AS own
    SET status = 'cancelled', status_reason = 'resolved', updated_at = at_instant
    WHERE own.status = 'pending' AND own.prompt_id = vigil_resolve_alert.alert;
    UPDATE {{schema}}.escalation_log AS call SET status = 'resolved', resolved_at = at_instant
    WHERE call.related_blob_id = vigil_resolve_alert.alert AND call.status IN ('pending', 'notified')
      AND call.expires_at > at_instant;
  END IF;
  RETURN QUERY
  SELECT own.id, own.raised_at, own.resolved_at, own.resolved_by
  FROM {{schema}}.raised_alerts AS own
  WHERE own.id = vigil_resolve_alert.alert
    AND own.user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()));
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the viewer has no such alert'
      USING ERRCODE = 'no_data_found',
        HINT = 'give the id of an alert that the viewer has raised, or a member of one of their families';
  END IF;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_resolve_alert(uuid, timestamptz) IS
  'Resolves a raised alert as the viewer at an instant, or now where it is NULL. resolve_alert calls it, and only the '
  'owner may.';

CREATE FUNCTION {{schema}}.resolve_alert(alert uuid)
RETURNS TABLE (
  alert_id uuid,
  raised_at timestamptz,
  resolved_at timestamptz,
  resolved_by uuid
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT alert_id, raised_at, resolved_at, resolved_by FROM {{schema}}.vigil_resolve_alert(alert, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.resolve_alert(uuid) IS
  'Resolves an alert that the viewer, or a member of one of their families, has raised: cancels its waiting '
  'notifications and closes its open calls. The first resolution stays. Returns the alert as it is then.';

CREATE FUNCTION {{schema}}.vigil_ping(recipient uuid, instant timestamptz)
RETURNS TABLE (
  ping_id uuid,
  sent_at timestamptz,
  expires_at timestamptz
)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  sender constant uuid := {{schema}}.vigil_acting_member();
  at_instant constant timestamptz := coalesce(vigil_ping.instant, clock_timestamp());
BEGIN
  IF (
    vigil_ping.recipient <> sender
    AND vigil_ping.recipient IN (SELECT {{schema}}.vigil_visible_users())
    AND EXISTS (SELECT FROM {{schema}}.users AS own WHERE own.id = vigil_ping.recipient)
    AND EXISTS (SELECT FROM {{schema}}.users AS own WHERE own.id = sender)
  ) IS NOT TRUE THEN
    RAISE EXCEPTION 'the viewer has no such member'
      USING ERRCODE = 'no_data_found',
        HINT = 'give the id of another accepted member of one of the viewer''s families';
  END IF;
  UPDATE {{schema}}.pings AS own SET status = 'expired'
  WHERE own.sender_user_id = sender AND own.recipient_user_id = vigil_ping.recipient
    AND own.status = 'pending' AND own.expires_at <= at_instant;
  INSERT INTO {{schema}}.pings (id, sender_user_id, recipient_user_id, sent_at, expires_at)
  VALUES (
    {{schema}}.vigil_id(format(
      'pings:%s:%s:%s', sender, vigil_ping.recipient,
      to_char(at_instant AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))),
    sender, vigil_ping.recipient, at_instant, at_instant + INTERVAL '24 hours'
  )
  ON CONFLICT DO NOTHING;
  RETURN QUERY
  SELECT own.id, own.sent_at, own.expires_at FROM {{schema}}.pings AS own
  WHERE own.sender_user_id = sender AND own.recipient_user_id = vigil_ping.recipient
    AND own.status = 'pending';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the ping was answered meanwhile'
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'read the answer in pings';
  END IF;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_ping(uuid, timestamptz) IS
  'Asks a member as the viewer at an instant, or now where it is NULL. ping calls it, and only the owner may.';

CREATE FUNCTION {{schema}}.ping(recipient uuid)
RETURNS TABLE (
  ping_id uuid,
  sent_at timestamptz,
  expires_at timestamptz
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT ping_id, sent_at, expires_at FROM {{schema}}.vigil_ping(recipient, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.ping(uuid) IS
  'Asks a member of a family of the viewer whether all is well; a sender notifies them. Returns the ping, or the one '
  'that the member has not answered yet.';

CREATE FUNCTION {{schema}}.vigil_respond(ping uuid, instant timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  member constant uuid := {{schema}}.vigil_acting_member();
  at_instant constant timestamptz := coalesce(vigil_respond.instant, clock_timestamp());
  answered timestamptz;
BEGIN
  UPDATE {{schema}}.pings AS own
  SET status = 'responded', responded_at = greatest(at_instant, own.sent_at)
  WHERE own.id = vigil_respond.ping AND own.recipient_user_id = member AND own.status = 'pending'
    AND own.expires_at > at_instant;
  IF FOUND THEN
    UPDATE {{schema}}.notification_queue AS own
    SET status = 'cancelled', status_reason = 'resolved', updated_at = at_instant
    WHERE own.status = 'pending' AND own.prompt_id = vigil_respond.ping;
    PERFORM {{schema}}.vigil_check_in('responder', at_instant);
  END IF;
  -- The first answer stays.
  SELECT own.responded_at INTO answered FROM {{schema}}.pings AS own
  WHERE own.id = vigil_respond.ping AND own.recipient_user_id = member;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the viewer has no such ping'
      USING ERRCODE = 'no_data_found', HINT = 'give the id of a ping to the viewer';
  END IF;
  IF answered IS NULL THEN
    RAISE EXCEPTION 'the ping has expired'
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'call check_in() for a sign of life';
  END IF;
  RETURN answered;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_respond(uuid, timestamptz) IS
  'Answers a ping as the viewer at an instant, or now where it is NULL. respond calls it, and only the owner may.';

CREATE FUNCTION {{schema}}.respond(ping uuid) RETURNS timestamptz
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.vigil_respond(ping, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.respond(uuid) IS
  'Answers a ping to the viewer, and adds a check-in of the kind responder. Returns when the viewer first answered.';

-- Only whom a call is upon, and who may still see the person, answers it.
CREATE FUNCTION {{schema}}.vigil_resolve_escalation(
  escalation uuid, outcome text, instant timestamptz
)
RETURNS TABLE (
  escalation_id uuid,
  status text,
  resolved_at timestamptz,
  resolution text
)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  member constant uuid := {{schema}}.vigil_acting_member();
  at_instant constant timestamptz := coalesce(vigil_resolve_escalation.instant, clock_timestamp());
  known text;
BEGIN
  IF (
    vigil_resolve_escalation.outcome
      IN ('confirmed_ok', 'marked_taken', 'contacted_patient', 'called_emergency', 'false_alarm')
  ) IS NOT TRUE THEN
    RAISE EXCEPTION
      'a resolution is confirmed_ok, marked_taken, contacted_patient, called_emergency or false_alarm'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'give one of these words';
  END IF;
  UPDATE {{schema}}.escalation_log AS call
  SET status = 'resolved', resolved_at = greatest(at_instant, call.triggered_at),
    resolution = vigil_resolve_escalation.outcome
  WHERE call.id = vigil_resolve_escalation.escalation AND call.caregiver_id = member
    AND call.patient_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()))
    AND coalesce(call.resolution, 'no_response') = 'no_response';
  IF FOUND THEN
    -- No other needs to be called about this level, or a lower one.
    UPDATE {{schema}}.notification_queue AS own
    SET status = 'cancelled', status_reason = 'resolved', updated_at = at_instant
    FROM {{schema}}.escalation_log AS answered
    WHERE answered.id = vigil_resolve_escalation.escalation AND own.status = 'pending'
      AND own.notification_type IN ('escalation', 'emergency_contact')
      AND coalesce(own.alert_state_id, own.prompt_id) = answered.related_blob_id
      AND coalesce(own.level, answered.level) <= answered.level;
  END IF;
  -- The first resolution stays.
  RETURN QUERY
  SELECT call.id, call.status, call.resolved_at, call.resolution
  FROM {{schema}}.escalation_log AS call
  WHERE call.id = vigil_resolve_escalation.escalation AND call.caregiver_id = member
    AND call.patient_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()));
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the viewer has no such escalation'
      USING ERRCODE = 'no_data_found', HINT = 'give the id of a row of escalation_log that is upon the viewer';
  END IF;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_resolve_escalation(uuid, text, timestamptz) IS
  'Records what the viewer, who was called upon, has found, at an instant, or now where it is NULL. resolve_escalation and '
  'the library call it.';

CREATE FUNCTION {{schema}}.resolve_escalation(escalation uuid, outcome text)
RETURNS TABLE (
  escalation_id uuid,
  status text,
  resolved_at timestamptz,
  resolution text
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT escalation_id, status, resolved_at, resolution
  FROM {{schema}}.vigil_resolve_escalation(escalation, outcome, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.resolve_escalation(uuid, text) IS
  'Records what the viewer has found after a call: confirmed_ok, marked_taken, contacted_patient, called_emergency or '
  'false_alarm. No other is called about the level. The first resolution stays. Returns the call as it is then.';

-- A row of the app is marked by its recipient alone, and by them only as long as they may see the persons whom it is about.
CREATE FUNCTION {{schema}}.vigil_mark_notification(
  notification uuid, is_read boolean, instant timestamptz
)
RETURNS TABLE (
  notification_id uuid,
  delivered_at timestamptz,
  read_at timestamptz
)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  member constant uuid := {{schema}}.vigil_acting_member();
  at_instant constant timestamptz := coalesce(vigil_mark_notification.instant, clock_timestamp());
BEGIN
  PERFORM FROM {{schema}}.notification_queue AS own
  WHERE own.id = vigil_mark_notification.notification AND own.recipient_user_id = member
    AND own.channel = 'in_app' AND own.status <> 'skipped'
    AND own.status_reason IS DISTINCT FROM 'excluded'
    AND own.member_user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users()))
    AND jsonb_path_query_array(own.payload, '$.alerts[*].member_user_id') <@ (
      SELECT coalesce(jsonb_agg(person), '[]') FROM {{schema}}.vigil_visible_users() AS person
    );
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the viewer has no such notification'
      USING ERRCODE = 'no_data_found',
        HINT = 'give the id of a row of notification_queue to the viewer whose channel is in_app';
  END IF;
  -- The first time stays. What was cancelled since the app showed it stays so.
  UPDATE {{schema}}.notification_queue AS own
  SET delivered_at = coalesce(own.delivered_at, at_instant),
    read_at = CASE
      WHEN vigil_mark_notification.is_read
      THEN coalesce(own.read_at, greatest(at_instant, own.delivered_at)) ELSE own.read_at
    END,
    sent_at = CASE own.status WHEN 'pending' THEN at_instant ELSE own.sent_at END,
    status_reason = CASE own.status WHEN 'pending' THEN NULL ELSE own.status_reason END,
    status = CASE own.status WHEN 'pending' THEN 'sent' ELSE own.status END,
    updated_at = at_instant
  WHERE own.id = vigil_mark_notification.notification AND own.status <> 'skipped'
    AND (own.delivered_at IS NULL OR vigil_mark_notification.is_read AND own.read_at IS NULL);
  RETURN QUERY
  SELECT own.id, own.delivered_at, own.read_at FROM {{schema}}.notification_queue AS own
  WHERE own.id = vigil_mark_notification.notification;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_mark_notification(uuid, boolean, timestamptz) IS
  'Records that the app has a notification of the viewer, or that the viewer has read it, at an instant, or now where it is '
  'NULL. mark_delivered, mark_read and the library call it.';

CREATE FUNCTION {{schema}}.mark_delivered(notification uuid)
RETURNS TABLE (
  notification_id uuid,
  delivered_at timestamptz,
  read_at timestamptz
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT notification_id, delivered_at, read_at
  FROM {{schema}}.vigil_mark_notification(notification, FALSE, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.mark_delivered(uuid) IS
  'Records that the app has an in_app notification of the viewer, which is sent then. The first time stays. Returns when '
  'that was, and when the viewer first read it.';

CREATE FUNCTION {{schema}}.mark_read(notification uuid)
RETURNS TABLE (
  notification_id uuid,
  delivered_at timestamptz,
  read_at timestamptz
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT notification_id, delivered_at, read_at
  FROM {{schema}}.vigil_mark_notification(notification, TRUE, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.mark_read(uuid) IS
  'Records that the viewer has read an in_app notification, which is delivered then at the latest. The first time stays. It '
  'answers no alert and no call. Returns when it was delivered and read.';

REVOKE ALL ON FUNCTION
  {{schema}}.vigil_sha1(bytea), {{schema}}.vigil_id(text), {{schema}}.vigil_acting_member(),
  {{schema}}.vigil_visible_event(uuid), {{schema}}.vigil_act_on_alert(uuid, text, date, timestamptz),
  {{schema}}.vigil_mark_alert_read(uuid, timestamptz), {{schema}}.vigil_check_in(text, timestamptz),
  {{schema}}.acknowledge_alert(uuid), {{schema}}.snooze_alert(uuid, date), {{schema}}.dismiss_alert(uuid),
  {{schema}}.restore_alert(uuid), {{schema}}.mark_alert_read(uuid), {{schema}}.check_in(text),
  {{schema}}.check_in(), {{schema}}.vigil_raise_alert(timestamptz), {{schema}}.raise_alert(),
  {{schema}}.vigil_resolve_alert(uuid, timestamptz), {{schema}}.resolve_alert(uuid),
  {{schema}}.vigil_ping(uuid, timestamptz), {{schema}}.ping(uuid),
  {{schema}}.vigil_respond(uuid, timestamptz), {{schema}}.respond(uuid),
  {{schema}}.vigil_resolve_escalation(uuid, text, timestamptz), {{schema}}.resolve_escalation(uuid, text),
  {{schema}}.vigil_mark_notification(uuid, boolean, timestamptz), {{schema}}.mark_delivered(uuid),
  {{schema}}.mark_read(uuid)
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  {{schema}}.acknowledge_alert(uuid), {{schema}}.snooze_alert(uuid, date), {{schema}}.dismiss_alert(uuid),
  {{schema}}.restore_alert(uuid), {{schema}}.mark_alert_read(uuid), {{schema}}.check_in(text),
  {{schema}}.check_in(), {{schema}}.raise_alert(), {{schema}}.resolve_alert(uuid), {{schema}}.ping(uuid),
  {{schema}}.respond(uuid), {{schema}}.resolve_escalation(uuid, text), {{schema}}.mark_delivered(uuid),
  {{schema}}.mark_read(uuid)
TO vigil_reader;

-- The command line acts for members by the same functions; an engine sees all rows that they change.
GRANT EXECUTE ON FUNCTION
  {{schema}}.vigil_viewer_id(), {{schema}}.vigil_visible_members(), {{schema}}.vigil_visible_users(),
  {{schema}}.vigil_sha1(bytea), {{schema}}.vigil_id(text), {{schema}}.vigil_acting_member(),
  {{schema}}.vigil_visible_event(uuid),
  {{schema}}.vigil_act_on_alert(uuid, text, date, timestamptz),
  {{schema}}.vigil_mark_alert_read(uuid, timestamptz),
  {{schema}}.vigil_resolve_escalation(uuid, text, timestamptz),
  {{schema}}.vigil_mark_notification(uuid, boolean, timestamptz)
TO vigil_engine;

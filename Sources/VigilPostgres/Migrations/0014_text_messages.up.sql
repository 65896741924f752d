-- What a member may know of their text messages, and what a provider reports of them.

-- A reader has no right on the log: it says who had a message about whom, and when.
CREATE FUNCTION {{schema}}.own_sms_quota()
RETURNS TABLE (
  month date,
  used integer,
  -- Without a limit it is NULL, as what is left.
  allowed integer,
  remaining integer,
  starts_again timestamptz
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  member constant uuid := {{schema}}.vigil_acting_member();
  this_month constant date := date_trunc('month', statement_timestamp() AT TIME ZONE 'UTC')::date;
  had integer;
  most integer;
BEGIN
  SELECT count(*) INTO had FROM {{schema}}.sms_log AS log
  WHERE log.recipient_user_id = member AND log.month = this_month AND log.status <> 'not_sent';
  SELECT quota.per_month INTO most FROM {{schema}}.sms_quota AS quota;
  RETURN QUERY SELECT this_month, had, most, greatest(most - had, 0),
    (this_month + INTERVAL '1 month') AT TIME ZONE 'UTC';
END
$$;

COMMENT ON FUNCTION {{schema}}.own_sms_quota() IS
  'Returns how many text messages the viewer has had this month (UTC), how many a sender allows, how many are left, and '
  'when the next month starts. Critical ones count, and are sent beyond it.';

REVOKE ALL ON FUNCTION {{schema}}.own_sms_quota() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION {{schema}}.own_sms_quota() TO vigil_reader;

-- What a provider of text messages reports, by the endpoint that the operator has for it. It may come before the sender
-- has recorded the provider's answer, twice, and in any order.
CREATE FUNCTION {{schema}}.record_sms_delivery(
  message text, delivery_status text, reported_at timestamptz
)
RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  at_instant constant timestamptz := coalesce(record_sms_delivery.reported_at, clock_timestamp());
  found_id uuid;
  found_month date;
  present text;
BEGIN
  IF (record_sms_delivery.delivery_status IN ({{delivery_statuses}})) IS NOT TRUE THEN
    RAISE EXCEPTION 'a delivery status is queued, sent, delivered, failed or undelivered'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'translate the words of the provider';
  END IF;
  IF NOT isfinite(at_instant) OR at_instant > clock_timestamp() + INTERVAL '5 minutes' THEN
    RAISE EXCEPTION 'the report is of a time that has not come yet'
      USING ERRCODE = 'invalid_parameter_value', HINT = 'give NULL for now';
  END IF;
  SELECT own.notification_id, own.month INTO found_id, found_month FROM {{schema}}.sms_log AS own
  WHERE own.provider_message_id = record_sms_delivery.message
  ORDER BY own.month DESC LIMIT 1;
  IF NOT FOUND AND record_sms_delivery.message ~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' THEN
    SELECT own.notification_id, own.month INTO found_id, found_month FROM {{schema}}.sms_log AS own
    WHERE own.notification_id = record_sms_delivery.message::uuid
    ORDER BY own.month DESC LIMIT 1;
  END IF;
  UPDATE {{schema}}.sms_log AS own
  SET delivery_status = record_sms_delivery.delivery_status,
    delivery_status_at = greatest(at_instant, own.delivery_status_at), updated_at = clock_timestamp()
  WHERE own.notification_id = found_id AND own.month = found_month AND (
    own.delivery_status = 'queued' AND record_sms_delivery.delivery_status <> 'queued'
    OR own.delivery_status = 'sent' AND record_sms_delivery.delivery_status NOT IN ('queued', 'sent')
  );
  SELECT own.delivery_status INTO present FROM {{schema}}.sms_log AS own
  WHERE own.notification_id = found_id AND own.month = found_month;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no such text message'
      USING ERRCODE = 'no_data_found',
        HINT = 'the sender may not have recorded it yet: let the provider report again';
  END IF;
  RETURN present;
END
$$;

COMMENT ON FUNCTION {{schema}}.record_sms_delivery(text, text, timestamptz) IS
  'Records what a provider reports about a text message, by the id of its answer or else that of the notification: queued, '
  'sent, delivered, failed or undelivered, since an instant, or now where it is NULL. The state only goes forward, and the '
  'first of the last three stays. Returns it as it is then.';

CREATE FUNCTION {{schema}}.record_sms_delivery(message text, delivery_status text) RETURNS text
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT {{schema}}.record_sms_delivery(message, delivery_status, NULL)
$$;

COMMENT ON FUNCTION {{schema}}.record_sms_delivery(text, text) IS
  'Does the same for a report of now.';

REVOKE ALL ON FUNCTION
  {{schema}}.record_sms_delivery(text, text, timestamptz), {{schema}}.record_sms_delivery(text, text)
FROM PUBLIC;
-- An operator whose login is the engine's may record a report by hand.
GRANT EXECUTE ON FUNCTION
  {{schema}}.record_sms_delivery(text, text, timestamptz), {{schema}}.record_sms_delivery(text, text)
TO vigil_receiver, vigil_engine;

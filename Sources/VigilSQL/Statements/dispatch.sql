-- The queue as a sender sees it. The index notification_queue_due has the expressions of these statements.

-- name: claim_columns :part
id, recipient_user_id, member_user_id, notification_type, template_id, level, channel, payload, priority,
scheduled_for, expires_at, attempts, max_attempts, dedupe_key, fencing_token, emergency_contact_id

-- A row whose sender is gone waits again, from $1 on and so behind those that are due: it may have ended its sender. A
-- telephone call, which may have been made, waits until $2, so that the person who was called can answer.
-- After its last attempt it is a dead letter: that attempt may have been made, and nothing says how it ended.
-- name: taken_back :part
status = CASE WHEN attempts < max_attempts THEN 'pending' ELSE 'failed' END,
  last_error = CASE WHEN attempts < max_attempts THEN last_error ELSE 'outcome_unknown' END,
  next_attempt_at = CASE
    WHEN attempts >= max_attempts THEN next_attempt_at WHEN channel = 'call' THEN $2 ELSE $1
  END,
  lease_owner = NULL, lease_until = NULL

-- Up to $4 rows of the channel $1 and the priority $2 that are due at $3, or whose lease has ended by $5; those after
-- the place $6, $7 in the order of when they are due and of their ids. SQLite does not look for a pair in an index.
-- name: ListDueNotifications :many
WITH waiting AS (
  SELECT {{claim_columns}}, coalesce(next_attempt_at, scheduled_for) AS due_at
  FROM {{schema}}.notification_queue
  WHERE status = 'pending' AND channel = $1 AND priority = $2
    AND coalesce(next_attempt_at, scheduled_for) <= $3
    AND coalesce(next_attempt_at, scheduled_for) >= $6
    AND (coalesce(next_attempt_at, scheduled_for), id) > ($6, $7)
  ORDER BY coalesce(next_attempt_at, scheduled_for), id
  LIMIT $4
), abandoned AS (
  SELECT {{claim_columns}}, coalesce(next_attempt_at, scheduled_for) AS due_at
  FROM {{schema}}.notification_queue
  WHERE status = 'processing' AND lease_until <= $5 AND channel = $1 AND priority = $2
    AND attempts < max_attempts
    AND coalesce(next_attempt_at, scheduled_for) <= $3
    AND (coalesce(next_attempt_at, scheduled_for), id) > ($6, $7)
)
SELECT * FROM waiting
UNION ALL
SELECT * FROM abandoned
ORDER BY due_at, id
LIMIT $4

-- MARK: What decides at the moment of sending. $1 is the rows.

-- Whether the person has excluded the recipient, and whether the recipient is one still: of a call upon a caregiver
-- a member with a priority, too, of a raised alert any member but a dependent, and of one upon an emergency contact the contact that the person agreed to.
-- name: ListRecipientSettings :many
SELECT
  queued.id,
  CASE WHEN EXISTS (
    SELECT 1 FROM {{schema}}.alert_recipient_exclusions AS exclusion
    WHERE exclusion.subject_user_id = queued.member_user_id
      AND exclusion.excluded_user_id = queued.recipient_user_id
  ) THEN 1 ELSE 0 END,
  CASE
    WHEN queued.emergency_contact_id IS NOT NULL THEN (
      SELECT count(*) FROM {{schema}}.emergency_contacts AS contact
      WHERE contact.id = queued.emergency_contact_id AND contact.user_id = queued.member_user_id
        AND contact.channel = queued.channel
        AND contact.opted_in_at IS NOT NULL AND contact.revoked_at IS NULL
    )
    WHEN queued.recipient_user_id = queued.member_user_id OR EXISTS (
      SELECT 1 FROM {{schema}}.family_members AS own
      JOIN {{schema}}.family_members AS other ON other.family_id = own.family_id
      WHERE own.user_id = queued.member_user_id AND own.invite_status = 'accepted'
        AND other.user_id = queued.recipient_user_id AND other.invite_status = 'accepted'
        AND (
          other.role IN ({{notified_roles}})
          OR queued.notification_type = 'raised_alert' AND other.role <> 'dependent'
          OR queued.notification_type = 'escalation' AND other.role <> 'dependent' AND EXISTS (
            SELECT 1 FROM {{schema}}.caregiver_priority AS priority
            WHERE priority.user_id = own.user_id AND priority.caregiver_id = other.user_id
          )
        )
    ) THEN 1
    ELSE 0
  END
FROM {{schema}}.notification_queue AS queued
WHERE queued.id {{is_listed}}

-- Whether a row needs no sending once a member has answered: one that calls upon a caregiver or a contact, and each
-- telephone call.
-- name: ends_with_answer :part
(queued.notification_type IN ('escalation', 'emergency_contact') OR queued.channel = 'call')

-- Whether a member has answered since the row `queued` called upon them.
-- name: is_answered :part
{{ends_with_answer}} AND EXISTS (
  SELECT 1 FROM {{schema}}.escalation_log AS answered
  WHERE answered.related_blob_id = alert.id AND answered.level >= queued.level
    AND answered.status IN ('acknowledged', 'resolved')
)

-- Whether the row `queued` is about a raised alert that goes on, a ping without an answer of a member whom the person
-- may still hear, a check-in that has not come, or a quota, whose row expires with its month; and no member has answered
-- a call of it.
-- name: is_open_prompt :part
(
  EXISTS (
    SELECT 1 FROM {{schema}}.raised_alerts AS raised
    WHERE raised.id = queued.prompt_id AND raised.status = 'active'
  )
  OR EXISTS (
    SELECT 1 FROM {{schema}}.pings AS ping
    JOIN {{schema}}.family_members AS own
      ON own.user_id = ping.recipient_user_id AND own.invite_status = 'accepted'
    JOIN {{schema}}.family_members AS asking
      ON asking.family_id = own.family_id AND asking.user_id = ping.sender_user_id
      AND asking.invite_status = 'accepted'
    WHERE ping.id = queued.prompt_id AND ping.status = 'pending' AND NOT EXISTS (
      SELECT 1 FROM {{schema}}.alert_recipient_exclusions AS exclusion
      WHERE exclusion.subject_user_id = ping.recipient_user_id
        AND exclusion.excluded_user_id = ping.sender_user_id
    )
  )
  OR queued.notification_type = 'check_in_reminder' AND EXISTS (
    SELECT 1 FROM {{schema}}.check_in_reminders AS reminder
    WHERE reminder.user_id = queued.member_user_id AND NOT EXISTS (
      SELECT 1 FROM {{schema}}.check_ins AS newer
      WHERE newer.user_id = reminder.user_id AND newer.checked_in_at > reminder.interval_start
    )
  )
  OR queued.notification_type = 'quota_warning' AND EXISTS (
    SELECT 1 FROM {{schema}}.sms_quota_warnings AS warning WHERE warning.user_id = queued.member_user_id
  )
) AND NOT (
  {{ends_with_answer}} AND EXISTS (
    SELECT 1 FROM {{schema}}.escalation_log AS answered
    WHERE answered.related_blob_id = queued.prompt_id
      AND answered.status IN ('acknowledged', 'resolved')
  )
)

-- The alert of each row; of a group those of its members, the gravest first; and what a prompt is about.
-- name: ListAlertSettings :many
SELECT
  queued.id,
  CASE WHEN alert.dismissed_at IS NULL THEN 0 ELSE 1 END AS is_dismissed,
  alert.snooze_until,
  CASE WHEN {{has_ended}} OR {{is_answered}} THEN 1 ELSE 0 END AS has_ended,
  queued.level AS level,
  queued.dedupe_key AS dedupe_key
FROM {{schema}}.notification_queue AS queued
JOIN {{schema}}.pattern_alert_state AS alert ON alert.id = queued.alert_state_id
WHERE queued.id {{is_listed}} AND queued.notification_type <> 'pattern_alert_group'
UNION ALL
SELECT
  part.group_id,
  CASE WHEN alert.dismissed_at IS NULL THEN 0 ELSE 1 END,
  alert.snooze_until,
  CASE WHEN {{has_ended}} THEN 1 ELSE 0 END,
  part.level,
  part.dedupe_key
FROM {{schema}}.notification_queue AS part
JOIN {{schema}}.pattern_alert_state AS alert ON alert.id = part.alert_state_id
WHERE part.group_id {{is_listed}}
UNION ALL
SELECT
  queued.id,
  0,
  NULL,
  CASE WHEN {{is_open_prompt}} THEN 0 ELSE 1 END,
  21,
  queued.dedupe_key
FROM {{schema}}.notification_queue AS queued
WHERE queued.id {{is_listed}} AND queued.prompt_id IS NOT NULL
ORDER BY level DESC, dedupe_key

-- Deliveries to the recipients $2 since $3 that count against the limit of a day, and those that others are
-- making.
-- name: CountDeliveries :many
SELECT recipient_user_id, count(*), min(sent_at)
FROM {{schema}}.notification_queue
WHERE recipient_user_id {{is_recipient}} AND status = 'sent' AND sent_at > $3
  AND channel <> 'in_app' AND priority <> 'critical'
GROUP BY recipient_user_id
UNION ALL
SELECT recipient_user_id, count(*), NULL
FROM {{schema}}.notification_queue
WHERE recipient_user_id {{is_recipient}} AND status = 'processing'
  AND NOT (id {{is_listed}}) AND priority <> 'critical'
GROUP BY recipient_user_id

-- name: ListContactPoints :many
SELECT user_id, address, NULL, language FROM {{schema}}.contact_points
WHERE user_id {{is_listed}} AND channel = $2 AND verified_at IS NOT NULL

-- Those that their service has not refused $2 times in a row.
-- name: ListPushTokens :many
SELECT user_id, token, platform, language FROM {{schema}}.push_tokens
WHERE user_id {{is_listed}} AND revoked_at IS NULL AND failures < $2
ORDER BY user_id, created_at DESC, platform, token

-- MARK: Text messages of the month $2. All but those that were not sent count.

-- For each of the rows $1: other messages to its recipient, those that senders are sending at this moment, and
-- whether the row itself counts already.
-- name: CountMessages :many
SELECT
  queued.id,
  sum(CASE WHEN log.notification_id <> queued.id THEN 1 ELSE 0 END),
  sum(CASE WHEN log.notification_id <> queued.id AND going.id IS NOT NULL THEN 1 ELSE 0 END),
  sum(CASE WHEN log.notification_id = queued.id THEN 1 ELSE 0 END)
FROM {{schema}}.notification_queue AS queued
JOIN {{schema}}.sms_log AS log
  ON log.recipient_user_id = queued.recipient_user_id AND log.month = $2
  AND log.status <> 'not_sent'
LEFT JOIN {{schema}}.notification_queue AS going
  ON going.id = log.notification_id AND going.status = 'processing'
  AND going.fencing_token = log.fencing_token AND log.status = 'attempting'
WHERE queued.id {{is_listed}}
GROUP BY queued.id

-- The attempt at the row $1 with the token $3, begun at $4, unless its recipient has had $5 other messages; of the type
-- $6, to the number with the digest $7, in $8 parts, at the cost $9 of the currency $10. One that is found attempting
-- belongs to a sender that is gone, and may have been sent. One that was certainly not sent begins anew.
-- name: LogMessage :many
INSERT INTO {{schema}}.sms_log AS log (
  notification_id, month, recipient_user_id, sms_type, number_digest, segments, cost_micros, currency, status,
  delivery_status_at, fencing_token, created_at, updated_at
)
SELECT held.id, $2, held.recipient_user_id, $6, $7, $8, $9, $10, 'attempting', $4, held.fencing_token, $4, $4
FROM {{schema}}.notification_queue AS held
WHERE held.id = $1 AND held.fencing_token = $3 AND held.status = 'processing' AND (
  held.priority = 'critical'
  OR EXISTS (
    SELECT 1 FROM {{schema}}.sms_log AS own
    WHERE own.notification_id = held.id AND own.month = $2 AND own.status <> 'not_sent'
  )
  OR $5 > (
    SELECT count(*) FROM {{schema}}.sms_log AS other
    WHERE other.recipient_user_id = held.recipient_user_id AND other.month = $2
      AND other.status <> 'not_sent'
  )
)
ON CONFLICT (notification_id, month) DO UPDATE SET
  status = CASE log.status
    WHEN 'not_sent' THEN 'attempting' WHEN 'sent' THEN 'sent' ELSE 'unknown' END,
  delivery_status = CASE log.status WHEN 'not_sent' THEN 'queued' ELSE log.delivery_status END,
  delivery_status_at = CASE log.status WHEN 'not_sent' THEN excluded.delivery_status_at ELSE log.delivery_status_at END,
  number_digest = excluded.number_digest, segments = coalesce(excluded.segments, log.segments),
  cost_micros = coalesce(excluded.cost_micros, log.cost_micros), currency = coalesce(excluded.currency, log.currency),
  fencing_token = excluded.fencing_token, updated_at = excluded.updated_at
RETURNING notification_id

-- Whether the end $3 says more about a message than the log, which a report of the provider may have reached before.
-- name: says_more :part
delivery_status = 'queued' AND ($3 = 'sent' OR $3 = 'not_sent' AND status = 'attempting')

-- Of the taking $2 of the row $1: status $3 at $4, and of the provider's answer the id $5, the parts $6 and the cost $7
-- in the currency $8. What may have been sent before is not sent by a later failure.
-- name: SettleMessage :exec
UPDATE {{schema}}.sms_log
SET status = CASE WHEN $3 = 'sent' OR status = 'attempting' THEN $3 ELSE status END,
  delivery_status = CASE
    WHEN {{says_more}} THEN CASE WHEN $3 = 'sent' THEN 'sent' ELSE 'failed' END ELSE delivery_status
  END,
  delivery_status_at = CASE WHEN {{says_more}} THEN $4 ELSE delivery_status_at END,
  provider_message_id = coalesce($5, provider_message_id), segments = coalesce($6, segments),
  cost_micros = coalesce($7, cost_micros), currency = coalesce($8, currency), updated_at = $4
WHERE notification_id = $1 AND fencing_token = $2

-- By which quota senders go, since $3: $1 messages to a recipient in a month, who is notified at $2 percent of them.
-- name: PutMessageAllowance :exec
INSERT INTO {{schema}}.sms_quota AS known (id, per_month, warning_percent, updated_at)
VALUES (1, $1, $2, $3)
ON CONFLICT (id) DO UPDATE SET
  per_month = excluded.per_month, warning_percent = excluded.warning_percent, updated_at = excluded.updated_at
WHERE known.per_month <> excluded.per_month OR known.warning_percent <> excluded.warning_percent

-- name: EndMessageAllowance :exec
DELETE FROM {{schema}}.sms_quota

-- The device $2 of the platform $1 does not receive messages any more, at $3.
-- name: RevokePushToken :exec
UPDATE {{schema}}.push_tokens SET revoked_at = $3, failures = failures + 1, last_failed_at = $3
WHERE platform = $1 AND token = $2 AND revoked_at IS NULL

-- The service has accepted a message for it.
-- name: NotePushTokenUsed :exec
UPDATE {{schema}}.push_tokens SET last_used_at = $3, failures = 0 WHERE platform = $1 AND token = $2

-- The service has refused it.
-- name: NotePushTokenRefused :exec
UPDATE {{schema}}.push_tokens SET failures = failures + 1, last_failed_at = $3
WHERE platform = $1 AND token = $2

-- MARK: Channels whose attempts fail

-- name: ListChannelRests :many
SELECT channel, rests, failures, last_error, rests_until FROM {{schema}}.channel_rests
ORDER BY channel

-- The channel $1 rests until $5, at $6, for the time $2 in a row, after $3 attempts of which the last ended with $4.
-- name: PutChannelRest :exec
INSERT INTO {{schema}}.channel_rests (
  channel, rests, failures, last_error, rests_until, updated_at
) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (channel) DO UPDATE SET
  rests = excluded.rests, failures = excluded.failures, last_error = excluded.last_error,
  rests_until = excluded.rests_until, updated_at = excluded.updated_at

-- name: EndChannelRest :exec
DELETE FROM {{schema}}.channel_rests WHERE channel = $1

-- Of the row $1.
-- name: EndRestOfNotification :exec
DELETE FROM {{schema}}.channel_rests
WHERE channel = (SELECT queued.channel FROM {{schema}}.notification_queue AS queued WHERE queued.id = $1)

-- Rows that have failed since $1.
-- name: CountDeadLetters :many
SELECT channel, coalesce(last_error, 'unknown') AS code, count(*) AS dead
FROM {{schema}}.notification_queue
WHERE status = 'failed' AND updated_at >= $1
GROUP BY channel, code
ORDER BY dead DESC, channel, code

-- When the newest run began, by the clock of its host.
-- name: FindNewestRun :many
SELECT started_at FROM {{schema}}.batch_runs ORDER BY started_at DESC LIMIT 1

-- Of the channel $1, up to $3 rows of the priority $4 that are due at $2.
-- name: FindBacklog :many
SELECT count(*), min(due_at) FROM (
  SELECT coalesce(next_attempt_at, scheduled_for) AS due_at FROM {{schema}}.notification_queue
  WHERE status = 'pending' AND channel = $1 AND priority = $4
    AND coalesce(next_attempt_at, scheduled_for) <= $2
  ORDER BY coalesce(next_attempt_at, scheduled_for)
  LIMIT $3
) AS due

-- MARK: Outcomes. $1 is a row and $2 its fencing token, or lists of both.

-- Status $3 with reason $4, at the next attempt $5, for the error $6, at $8. $7 is 1 where nothing was
-- attempted, which gives the attempt of the taking back.
-- name: SettleOther :many
UPDATE {{schema}}.notification_queue
SET status = $3, status_reason = $4, next_attempt_at = $5, last_error = coalesce($6, last_error),
  attempts = CASE WHEN attempts > 0 THEN attempts - CAST($7 AS integer) ELSE 0 END,
  lease_owner = NULL, lease_until = NULL, updated_at = $8
WHERE id = $1 AND fencing_token = $2 AND status = 'processing'
RETURNING id

-- Cancels the rows $1 of the app, which no sender sends, because of $2 at $3.
-- name: CancelInApp :exec
UPDATE {{schema}}.notification_queue
SET status = 'cancelled', status_reason = $2, updated_at = $3
WHERE id {{is_listed}} AND channel = 'in_app' AND status = 'pending'

-- MARK: What an operator does with a row $1, at $2.

-- Until $3 at least it does not expire.
-- name: RetryNotification :exec
UPDATE {{schema}}.notification_queue
SET status = 'pending', status_reason = NULL, attempts = 0, next_attempt_at = $2, updated_at = $2,
  expires_at = CASE WHEN expires_at < $3 THEN $3 ELSE expires_at END
WHERE id = $1 AND channel <> 'in_app' AND (
  status = 'failed'
  OR status = 'pending' AND attempts > 0
  OR status = 'cancelled' AND status_reason IN ({{retriable_reasons}})
)

-- name: CancelNotification :exec
UPDATE {{schema}}.notification_queue
SET status = 'cancelled', status_reason = 'operator', next_attempt_at = NULL, updated_at = $2
WHERE id = $1 AND status = 'pending'

-- name: FindNotificationStatus :many
SELECT status, channel FROM {{schema}}.notification_queue WHERE id = $1

-- name: FindSendingState :many
SELECT lease_owner, lease_until, fencing_token, next_attempt_at
FROM {{schema}}.notification_queue WHERE id = $1

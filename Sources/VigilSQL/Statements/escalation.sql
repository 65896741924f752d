-- Calls upon caregivers and emergency contacts, which follow where no member has answered.

-- MARK: What decides about the next call

-- The minutes that persons have chosen, by level.
-- name: ListChosenWindows :many
SELECT DISTINCT level, window_minutes FROM {{schema}}.escalation_settings
WHERE window_minutes IS NOT NULL
ORDER BY level, window_minutes

-- The choices of persons, and whether a member and a contact who is agreed to by $1 can be called upon.
-- name: ListEscalationSettings :many
SELECT setting.user_id, setting.level, setting.window_minutes,
  CASE WHEN EXISTS (
    SELECT 1 FROM {{schema}}.family_members AS own
    {{caregivers}} AND own.user_id = setting.user_id
  ) THEN 1 ELSE 0 END,
  CASE WHEN EXISTS (
    SELECT 1 FROM {{schema}}.emergency_contacts AS contact
    WHERE contact.user_id = setting.user_id AND contact.opted_in_at <= $1 AND contact.revoked_at IS NULL
  ) THEN 1 ELSE 0 END
FROM {{schema}}.escalation_settings AS setting
ORDER BY setting.user_id, setting.level

-- The window of the person whom `call` is about: what they have chosen for the level, or else the sender's minutes $3. The
-- calls between $4 and $5 are those of all windows, for the index. CROSS JOIN keeps SQLite from going through all calls for
-- each window.
-- name: due_calls :part
LEFT JOIN {{schema}}.escalation_settings AS own
  ON own.user_id = call.patient_id AND own.level = call.level
CROSS JOIN due
WHERE call.level = $1 AND call.status IN ('pending', 'notified', 'expired')
  AND call.resolution IS NULL AND call.expires_at > $4 AND call.expires_at <= $5
  AND due.minutes = CASE WHEN own.user_id IS NULL THEN CAST($3 AS integer) ELSE own.window_minutes END
  AND call.expires_at > due.starts_at AND call.expires_at <= due.ends_at

-- An alert with the window that its person has chosen.
-- name: alert_and_window :part
call.related_blob_id, CASE WHEN own.user_id IS NULL THEN 0 ELSE 1 END, own.window_minutes

-- name: by_first_expiry :part
GROUP BY call.related_blob_id, own.user_id, own.window_minutes
ORDER BY min(call.expires_at), call.related_blob_id

-- Alerts about persons of the level $1 with a call that was not answered in one of the windows $2, that of its person: each
-- is a text of minutes, and of the times after which and until which its calls expired, or would expire. Up to $6.
-- name: ListUnansweredAlerts :many
WITH due AS MATERIALIZED ({{due_windows}})
SELECT {{alert_and_window}}
FROM {{schema}}.escalation_log AS call
JOIN {{schema}}.pattern_alert_state AS alert
  ON alert.id = call.related_blob_id AND alert.medication_id IS NULL
{{due_calls}}
{{by_first_expiry}}
LIMIT $6

-- The same of missed doses of a medication; a refill is not escalated.
-- name: ListUnansweredStreaks :many
WITH due AS MATERIALIZED ({{due_windows}})
SELECT {{alert_and_window}}
FROM {{schema}}.escalation_log AS call
JOIN {{schema}}.pattern_alert_state AS alert
  ON alert.id = call.related_blob_id AND alert.medication_id IS NOT NULL
{{due_calls}}
  AND call.escalation_type = 'missed_dose'
{{by_first_expiry}}
LIMIT $6

-- Raised alerts of the level $1 with a call that was not answered, and that expired, or would expire, from $2 until $3; up
-- to $4.
-- name: ListUnansweredRaisedAlerts :many
SELECT call.related_blob_id, min(call.expires_at) AS first_expiry
FROM {{schema}}.escalation_log AS call
JOIN {{schema}}.raised_alerts AS alert ON alert.id = call.related_blob_id
WHERE call.level = $1 AND call.status IN ('pending', 'notified', 'expired')
  AND call.resolution IS NULL AND call.expires_at > $2 AND call.expires_at <= $3
GROUP BY call.related_blob_id
ORDER BY first_expiry, call.related_blob_id
LIMIT $4

-- All calls about the alert $1, of every level.
-- name: ListCalls :many
SELECT id, patient_id, caregiver_id, emergency_contact_id, escalation_type, level, step, status,
  triggered_at, expires_at, acknowledged_at, resolved_at, resolution
FROM {{schema}}.escalation_log
WHERE related_blob_id = $1 AND level IS NOT NULL
ORDER BY level, step, triggered_at, id

-- The state of the alert $1, and when it was last acknowledged.
-- name: FindAlertState :many
SELECT
  CASE WHEN alert.dismissed_at IS NULL THEN 0 ELSE 1 END,
  alert.snooze_until,
  CASE WHEN {{has_ended}} THEN 1 ELSE 0 END,
  (
    SELECT max(answer.acted_at) FROM {{schema}}.alert_actions AS answer
    WHERE answer.action = 'acknowledge' AND answer.alert_state_id IN (
      SELECT joined.id FROM {{schema}}.pattern_alert_state AS joined
      WHERE joined.event_id = alert.id AND joined.event_id <> joined.id
      UNION
      SELECT alert.id
    )
  )
FROM {{schema}}.pattern_alert_state AS alert
WHERE alert.id = $1

-- Whether the raised alert $1 is over.
-- name: FindRaisedState :many
SELECT CASE status WHEN 'active' THEN 0 ELSE 1 END FROM {{schema}}.raised_alerts WHERE id = $1

-- Members `other` of the families of the person `own` who can be called upon: those with a priority who are no dependents,
-- administrators and responders; neither the person nor whom they have excluded.
-- name: caregivers :part
JOIN {{schema}}.family_members AS other ON other.family_id = own.family_id
LEFT JOIN {{schema}}.caregiver_priority AS priority
  ON priority.user_id = own.user_id AND priority.caregiver_id = other.user_id
WHERE own.invite_status = 'accepted'
  AND other.user_id <> own.user_id AND other.invite_status = 'accepted'
  AND (
    priority.priority IS NOT NULL AND other.role <> 'dependent' OR other.role IN ({{notified_roles}})
  )
  AND NOT EXISTS (
    SELECT 1 FROM {{schema}}.alert_recipient_exclusions AS exclusion
    WHERE exclusion.subject_user_id = own.user_id AND exclusion.excluded_user_id = other.user_id
  )

-- Members who can be called upon about the person $1.
-- name: ListCaregivers :many
SELECT other.user_id, priority.priority
FROM {{schema}}.family_members AS own
{{caregivers}} AND own.user_id = $1
GROUP BY other.user_id, priority.priority

-- name: ListAvailability :many
SELECT user_id, weekday, starts_at, ends_at FROM {{schema}}.caregiver_availability
WHERE user_id {{is_listed}}
ORDER BY user_id, weekday, starts_at

-- Contacts of the person $1 that the person agreed to by $2.
-- name: ListEmergencyContacts :many
SELECT id, priority, channel FROM {{schema}}.emergency_contacts
WHERE user_id = $1 AND opted_in_at <= $2 AND revoked_at IS NULL
ORDER BY priority, id

-- The addresses of the contacts $1 on the channel $2.
-- name: ListContactAddresses :many
SELECT id, address, NULL, language FROM {{schema}}.emergency_contacts
WHERE id {{is_listed}} AND channel = $2 AND opted_in_at IS NOT NULL AND revoked_at IS NULL

-- MARK: A step

-- The call $1 about the person $2 of the caregiver $3 or the contact $4, because of $5: the alert $6 at level
-- $7, as step $8; at $9, by the channels $10, until $11, after $12 minutes. Nothing where another sender was faster, or a member
-- has answered a call about the same level.
-- name: InsertCall :exec
INSERT INTO {{schema}}.escalation_log (
  id, patient_id, caregiver_id, emergency_contact_id, escalation_type, related_blob_id, level, step,
  triggered_at, channels_used, expires_at, created_at, window_minutes
)
SELECT $1, $2, $3, $4, $5, $6, CAST($7 AS integer), CAST($8 AS integer), $9, $10, $11, $9,
  CAST($12 AS integer)
WHERE NOT EXISTS (
  SELECT 1 FROM {{schema}}.escalation_log AS answered
  WHERE answered.related_blob_id = $6 AND answered.level >= CAST($7 AS integer)
    AND answered.status IN ('acknowledged', 'resolved')
)
ON CONFLICT (id) DO NOTHING

-- Closes the open calls about the alert $1 at level $2 of steps before $3, whose answers count until $8 at most: with the
-- status $4, an answer at $5, an end at $6 and the resolution $7.
-- name: CloseCalls :exec
UPDATE {{schema}}.escalation_log
SET status = $4, acknowledged_at = coalesce($5, acknowledged_at), resolved_at = $6, resolution = $7
WHERE related_blob_id = $1 AND level = $2 AND step < $3 AND expires_at <= $8
  AND status IN ('pending', 'notified', 'expired') AND resolution IS NULL

-- name: InsertNotice :exec
INSERT INTO {{schema}}.notification_queue (
  id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id, level,
  channel, payload, priority, scheduled_for, expires_at, dedupe_key, run_id, created_at, updated_at,
  emergency_contact_id, prompt_id
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16, $17)

-- Marks calls whose answers count after $1, and that were sent on one channel at least. The first condition is that of
-- the index escalation_log_open, without which SQLite does not use it.
-- name: MarkNotified :exec
UPDATE {{schema}}.escalation_log SET status = 'notified'
WHERE status IN ('pending', 'notified') AND status = 'pending' AND expires_at > $1 AND EXISTS (
  SELECT 1 FROM {{schema}}.notification_queue AS sent
  WHERE sent.recipient_user_id = coalesce(escalation_log.caregiver_id, escalation_log.patient_id)
    AND sent.status = 'sent' AND sent.sent_at >= escalation_log.triggered_at
    AND (sent.level = escalation_log.level OR sent.prompt_id IS NOT NULL) AND (
      coalesce(sent.alert_state_id, sent.prompt_id) = escalation_log.related_blob_id
      OR EXISTS (
        SELECT 1 FROM {{schema}}.notification_queue AS part
        WHERE part.group_id = sent.id AND part.alert_state_id = escalation_log.related_blob_id
      )
    )
    AND (
      sent.emergency_contact_id = escalation_log.emergency_contact_id
      OR sent.emergency_contact_id IS NULL AND escalation_log.emergency_contact_id IS NULL
    )
)

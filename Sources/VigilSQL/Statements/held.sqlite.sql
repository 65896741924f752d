-- name: decided_outcome :part
$4 ->> ({{circumstances}})

-- name: queue_statuses :part
$4

-- name: queue_reasons :part
$5

-- name: counts_as_notified :part
held.outcome IN (SELECT value FROM json_each($4))

-- Opens a row of escalation_log for every caregiver who is notified of a level: for the reason that $4 has by the pattern
-- or the metric of the alert, else for $5. It waits four hours for an answer from when the last of its channels is due, or from now
-- on where all of them were due before.
--
-- Instants are text with six digits after the second, more than the date functions keep.
-- name: LogEscalations :exec
INSERT INTO {{schema}}.escalation_log (
  id, patient_id, caregiver_id, escalation_type, related_blob_id, triggered_at,
  window_minutes, channels_used, created_at, expires_at, level
)
SELECT sent.escalation_id, sent.member_user_id, sent.recipient_user_id,
  coalesce($4 ->> sent.pattern_type, $4 ->> sent.metric_type, $5),
  sent.alert_state_id, $2, 0, json_group_array(sent.channel), $2,
  strftime(
    '%Y-%m-%dT%H:%M:%S',
    max(CASE WHEN sent.scheduled_for > $2 THEN sent.scheduled_for ELSE $2 END), '+4 hours'
  ) || substr(max(CASE WHEN sent.scheduled_for > $2 THEN sent.scheduled_for ELSE $2 END), 20),
  sent.level
FROM (
  SELECT held.*, alert.metric_type, alert.pattern_type FROM {{schema}}.held_notifications AS held
  JOIN {{schema}}.pattern_alert_state AS alert ON alert.id = held.alert_state_id
  WHERE held.run_id = $1 AND held.decided_at = $2
    AND (CAST($3 AS integer) IS NULL OR held.shard = CAST($3 AS integer))
    AND held.outcome = 'released' AND held.escalation_id IS NOT NULL
  ORDER BY held.escalation_id, held.channel
) AS sent
GROUP BY sent.escalation_id, sent.member_user_id, sent.recipient_user_id, sent.alert_state_id,
  sent.level, sent.metric_type, sent.pattern_type
ON CONFLICT (id) DO NOTHING

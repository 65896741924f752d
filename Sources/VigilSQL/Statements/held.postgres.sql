-- name: decided_outcome :part
(CAST($4 AS text[]))[1 + {{circumstances}}]

-- name: queue_statuses :part
CAST($4 AS jsonb)

-- name: queue_reasons :part
CAST($5 AS jsonb)

-- name: counts_as_notified :part
held.outcome = ANY (CAST($4 AS text[]))

-- Opens a row of escalation_log for every caregiver who is notified of a level: for the reason that $4 has by the pattern
-- or the metric of the alert, else for $5. It waits four hours for an answer from when the last of its channels is due, or from now
-- on where all of them were due before.
-- name: LogEscalations :exec
INSERT INTO {{schema}}.escalation_log (
  id, patient_id, caregiver_id, escalation_type, related_blob_id, triggered_at,
  window_minutes, channels_used, created_at, expires_at, level
)
SELECT sent.escalation_id, sent.member_user_id, sent.recipient_user_id,
  coalesce(CAST($4 AS jsonb) ->> sent.pattern_type, CAST($4 AS jsonb) ->> sent.metric_type, $5),
  sent.alert_state_id, $2, 0, array_agg(sent.channel ORDER BY sent.channel), $2,
  max(CASE WHEN sent.scheduled_for > $2 THEN sent.scheduled_for ELSE $2 END) + INTERVAL '4 hours',
  sent.level
FROM (
  SELECT held.*, alert.metric_type, alert.pattern_type FROM {{schema}}.held_notifications AS held
  JOIN {{schema}}.pattern_alert_state AS alert ON alert.id = held.alert_state_id
  WHERE held.run_id = $1 AND held.decided_at = $2
    AND (CAST($3 AS integer) IS NULL OR held.shard = CAST($3 AS integer))
    AND held.outcome = 'released' AND held.escalation_id IS NOT NULL
) AS sent
GROUP BY sent.escalation_id, sent.member_user_id, sent.recipient_user_id, sent.alert_state_id,
  sent.level, sent.metric_type, sent.pattern_type
ON CONFLICT (id) DO NOTHING

-- Alerts about medications, as runs read and write them.

-- Those of the persons $1 that were found on $2 or later, or are active.
-- name: ListMedicationAlerts :many
SELECT {{medication_alert_columns}} FROM {{schema}}.medication_alerts
WHERE user_id IN (SELECT value FROM json_each($1))
  AND (last_found_on >= $2 OR episode_status = 'active')
ORDER BY user_id, medication_id, kind, active_since

-- Those of the kind $1, the status $2 and the level $3 or higher that were found between the days $5 and $4;
-- NULL means any.
-- name: ListMatchingMedicationAlerts :many
SELECT {{medication_alert_columns}} FROM {{schema}}.medication_alerts
WHERE TRUE
  AND ($1 IS NULL OR kind = $1)
  AND ($2 IS NULL OR episode_status = $2)
  AND ($3 IS NULL OR current_level >= $3)
  AND ($4 IS NULL OR active_since <= $4)
  AND ($5 IS NULL OR last_found_on >= $5)
ORDER BY user_id, medication_id, kind, active_since
LIMIT coalesce($6, 9223372036854775807)

-- The same of the persons $7.
-- name: ListMatchingMedicationAlertsOfPersons :many
SELECT {{medication_alert_columns}} FROM {{schema}}.medication_alerts
WHERE user_id IN (SELECT value FROM json_each($7))
  AND ($1 IS NULL OR kind = $1)
  AND ($2 IS NULL OR episode_status = $2)
  AND ($3 IS NULL OR current_level >= $3)
  AND ($4 IS NULL OR active_since <= $4)
  AND ($5 IS NULL OR last_found_on >= $5)
ORDER BY user_id, medication_id, kind, active_since
LIMIT coalesce($6, 9223372036854775807)

-- name: PutMedicationAlerts :exec
INSERT INTO {{schema}}.medication_alerts ({{medication_alert_written}})
VALUES ({{values}})
{{medication_alert_replacement}}

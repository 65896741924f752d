-- Alerts about medications, as runs read and write them.

-- Those of the persons $1 that were found on $2 or later, or are active.
-- name: ListMedicationAlerts :many
SELECT {{medication_alert_columns}} FROM {{schema}}.medication_alerts
WHERE user_id IN (SELECT value FROM json_each($1))
  AND (last_found_on >= $2 OR episode_status = 'active')
ORDER BY user_id, medication_id, kind, active_since

-- name: PutMedicationAlerts :exec
INSERT INTO {{schema}}.medication_alerts ({{medication_alert_written}})
VALUES ({{values}})
{{medication_alert_replacement}}

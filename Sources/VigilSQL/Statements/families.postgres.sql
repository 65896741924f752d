-- Calls the functions that apps call.

-- Alerts of the family $1 that call for attention on the day $3, for the member $2, and those of silence; those of
-- an event together.
-- name: ListFamilyAlerts :many
SELECT {{alert_columns}} FROM {{schema}}.pattern_alert_state
WHERE id IN (
  SELECT CAST(member.value ->> 'id' AS uuid)
  FROM {{schema}}.get_family_pattern_alerts($1, $2, $3) AS event
  CROSS JOIN pg_catalog.jsonb_array_elements(event.members) AS member (value)
  UNION ALL
  SELECT silence.id FROM {{schema}}.get_family_silences($1, $2, $3) AS silence
)
{{by_event}}

-- The insights of the family $1 that the member $2 is shown; of the day $3 or, where that is NULL, of each
-- member's last evaluated day; nothing while there are alerts on $4.
-- name: ListFamilyInsights :many
SELECT {{insight_columns}} FROM {{schema}}.trend_insights
WHERE id IN (SELECT insight.id FROM {{schema}}.family_insights($1, $2, $3, $4) AS insight)
ORDER BY user_id

-- What lists and exports share about notifications that are in no queue of a sender.

-- A planned row `planned` of a shadow run with all columns of a list: it is never sent.
-- name: shadow_columns :part
planned.*, NULL AS delivered_at, NULL AS read_at

-- A row `held` with all columns of a list, with the status that it has once its run lets it through.
-- name: waiting_columns :part
held.*, 0 AS attempts, NULL AS last_attempt_at, NULL AS last_error, NULL AS sent_at,
NULL AS delivered_at, NULL AS read_at,
CASE WHEN coalesce(held.status_reason, '') IN ('', {{pending_reasons}}) THEN 'pending' ELSE 'skipped' END AS status

-- Those rows `held` that wait for a decision.
-- name: are_waiting :part
JOIN {{schema}}.run_shards AS part ON part.run_id = held.run_id AND part.shard = held.shard
WHERE held.outcome IS NULL AND part.status = 'held'

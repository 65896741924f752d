-- What the statements of several subjects share about skipped notifications.

-- Why a notification was skipped that gives way to the same one where that goes out later: such reasons may pass.
-- name: replaceable_reasons :part
'snoozed', 'dismissed', 'covered', 'preference_off', 'superseded', 'resolved'

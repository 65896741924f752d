REVOKE DELETE ON notification_queue, held_notifications, shadow_notification_queue
FROM vigil_engine;

DROP TABLE escalation_log;
DROP TABLE alert_actions;
DROP TABLE spent_notifications;

-- Outcomes that the earlier version does not know.
UPDATE held_notifications SET outcome = 'superseded'
WHERE outcome IN ('excluded', 'preference_off', 'repeated');

ALTER TABLE held_notifications
  DROP CONSTRAINT held_notifications_outcome_known,
  ADD CONSTRAINT held_notifications_outcome_known CHECK (
    outcome IN ('released', 'discarded', 'superseded', 'resolved', 'dismissed', 'snoozed')
  ),
  DROP COLUMN escalation_id,
  DROP COLUMN group_id,
  DROP COLUMN group_night,
  DROP COLUMN status_reason;

DROP INDEX shadow_notification_queue_ungrouped;
DROP INDEX notification_queue_by_group;

ALTER TABLE shadow_notification_queue
  DROP CONSTRAINT shadow_notification_queue_status_reason_known,
  DROP COLUMN group_id,
  DROP COLUMN group_night,
  DROP COLUMN status_reason;

-- A policy that reads a column goes before it. What was never to be sent stays out of sight.
DROP POLICY vigil_reader ON notification_queue;
DELETE FROM notification_queue WHERE status_reason = 'excluded';
CREATE POLICY vigil_reader ON notification_queue FOR SELECT TO vigil_reader
USING (recipient_user_id = (SELECT vigil_viewer_id()));

ALTER TABLE notification_queue
  DROP CONSTRAINT notification_queue_status_reason_known,
  DROP COLUMN group_id,
  DROP COLUMN group_night,
  DROP COLUMN status_reason;

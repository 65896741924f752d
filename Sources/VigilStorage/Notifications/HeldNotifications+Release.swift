import VigilModel

/// What follows once every row has its outcome.
extension HeldNotifications {
  /// Puts what was decided into the queue: what goes out, and what does not with its reason.
  var enqueue: BoundStatement {
    let released = "held.outcome = '\(Decision.release.rawValue)'"
    let values = QueueRow.columns.map { column in
      switch column {
      case "created_at", "updated_at": "$2"
      case "status_reason":
        """
        CASE
          WHEN NOT \(released) THEN held.outcome
          WHEN held.group_id IS NOT NULL THEN 'grouped'
          WHEN held.status_reason = 'quiet_hours' THEN 'quiet_hours'
          WHEN held.status_reason IN ('snoozed', 'dismissed') AND held.scheduled_for > $2
            THEN 'quiet_hours'
        END
        """
      default: "held.\(column)"
      }
    }
    return statement(
      """
      INSERT INTO {{schema}}.notification_queue (
        \(QueueRow.columns.joined(separator: ", ")), status, group_id
      )
      SELECT \(values.joined(separator: ", ")),
        CASE WHEN \(released) AND held.group_id IS NULL THEN 'pending' ELSE 'skipped' END,
        held.group_id
      FROM {{schema}}.\(Self.table) AS held
      WHERE \(Self.decided) AND held.outcome NOT IN ('discarded', 'repeated')
      ON CONFLICT (dedupe_key) \(QueueRow.replacement(in: "notification_queue"))
      """)
  }

  /// Cancels what of lower levels has not been due yet: the higher level says it all.
  var supersedeLowerLevels: BoundStatement {
    let key = ["member_user_id", "alert_state_id", "recipient_user_id", "channel"]
      .map { "CAST(held.\($0) AS text)" }.joined(separator: " || ':' || ")
    return statement(
      """
      UPDATE {{schema}}.notification_queue
      SET status = 'cancelled', status_reason = 'superseded', updated_at = $2
      WHERE status = 'pending' AND scheduled_for > $2 AND dedupe_key IN (
        SELECT \(key) || ':' || lower.column1
        FROM {{schema}}.\(Self.table) AS held CROSS JOIN (VALUES (3), (7), (14)) AS lower
        WHERE \(Self.decided) AND held.outcome = '\(Decision.release.rawValue)'
          AND held.notification_type = 'pattern_alert' AND lower.column1 < held.level
      )
      """)
  }

  /// Opens a row of `escalation_log` for every caregiver who is told of a level; doses that are missed for
  /// days are told as falling adherence.
  ///
  /// It waits for an answer from when the last of its channels is due, or from now on where all of them
  /// were due before.
  var logEscalations: BoundStatement {
    let due = "max(CASE WHEN told.scheduled_for > $2 THEN told.scheduled_for ELSE $2 END)"
    let expiry = dialect.adding(hours: EscalationLog.hoursToAnswer, to: due)
    return statement(
      """
      INSERT INTO {{schema}}.\(EscalationLog.table) (
        id, patient_id, caregiver_id, escalation_type, related_blob_id, triggered_at,
        window_minutes, channels_used, created_at, expires_at
      )
      SELECT told.escalation_id, told.member_user_id, told.recipient_user_id,
        CASE told.metric_type WHEN 'dose_adherence_pct' THEN 'missed_dose' ELSE 'pattern_anomaly' END,
        told.alert_state_id, $2, told.level * 1440, \(dialect.list(of: "told.channel")), $2,
        \(expiry)
      FROM (
        SELECT held.*, alert.metric_type FROM {{schema}}.\(Self.table) AS held
        JOIN {{schema}}.pattern_alert_state AS alert ON alert.id = held.alert_state_id
        WHERE \(Self.decided) AND held.outcome = '\(Decision.release.rawValue)'
          AND held.escalation_id IS NOT NULL
        ORDER BY held.escalation_id, held.channel
      ) AS told
      GROUP BY told.escalation_id, told.member_user_id, told.recipient_user_id,
        told.alert_state_id, told.level, told.metric_type
      ON CONFLICT (id) DO NOTHING
      """)
  }

  /// Makes alerts count as notified at the level that was decided about.
  ///
  /// Somebody who cannot be told has not been, as long as the alert is set aside for everybody else.
  func markNotified(_ decision: Decision) -> BoundStatement {
    let setAside =
      decision == .discard
      ? "1 = 0" : "alert.dismissed_at IS NOT NULL OR alert.snooze_until > run.to_date"
    return statement(
      """
      UPDATE {{schema}}.pattern_alert_state SET last_notified_level = told.level
        \(decision == .release ? ", last_notified_at = $2" : "")
      FROM (
        SELECT held.alert_state_id, max(held.level) AS level FROM {{schema}}.\(Self.table) AS held
        JOIN {{schema}}.pattern_alert_state AS alert ON alert.id = held.alert_state_id
        JOIN {{schema}}.batch_runs AS run ON run.id = held.run_id
        WHERE \(Self.decided) AND held.notification_type = 'pattern_alert'
          AND (
            held.outcome = '\(decision.rawValue)'
            OR held.outcome = 'preference_off' AND (\(setAside)) IS NOT TRUE
          )
        GROUP BY held.alert_state_id
      ) AS told
      WHERE told.alert_state_id = pattern_alert_state.id
        AND coalesce(pattern_alert_state.last_notified_level, 0) < told.level
      """)
  }
}

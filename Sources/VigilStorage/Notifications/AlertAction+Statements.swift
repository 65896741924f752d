import VigilModel

/// Run one after the other, in one transaction: `record`, `change`, `queueChanges`, `answer`.
///
/// `$1` is the alert, `$2` when, `$3` who.
extension AlertAction {
  private func statement(
    _ sql: String, of table: String, _ more: InputValue...
  ) -> BoundStatement {
    BoundStatement(
      sql, [.uuid(alert), .timestamp(at), .uuid(actor)] + more, table: table)
  }

  var record: BoundStatement {
    let until: InputValue = if case .snooze(let day) = kind { .day(day) } else { .null }
    return statement(
      """
      INSERT INTO {{schema}}.\(Self.table) (
        id, alert_state_id, action, actor_user_id, acted_at, snooze_until
      ) VALUES ($4, $1, $5, $3, $2, $6)
      ON CONFLICT (id) DO NOTHING
      """, of: Self.table, .uuid(id), .text(kind.word.rawValue), until)
  }

  var change: BoundStatement {
    let (assignments, more): (String, [InputValue]) =
      switch kind {
      case .acknowledge:
        (
          "acknowledged_by = CASE WHEN acknowledged_at IS NULL THEN $3 ELSE acknowledged_by END,"
            + " acknowledged_at = coalesce(acknowledged_at, $2)", []
        )
      case .snooze(let day): ("snooze_until = $4", [.day(day)])
      case .dismiss: ("dismissed_at = coalesce(dismissed_at, $2)", [])
      case .restore: ("snooze_until = NULL, dismissed_at = NULL", [])
      }
    return BoundStatement(
      "UPDATE {{schema}}.\(AlertStateRow.table) SET \(assignments), updated_at = $2 WHERE id = $1",
      [.uuid(alert), .timestamp(at), .uuid(actor)] + more, table: AlertStateRow.table)
  }

  var queueChanges: [BoundStatement] {
    switch kind {
    case .acknowledge: []
    case .snooze: cancel(because: .snoozed)
    case .dismiss: cancel(because: .dismissed)
    case .restore: [restore]
    }
  }

  var answer: BoundStatement? {
    switch kind {
    case .acknowledge: answer(status: "acknowledged", time: "acknowledged_at")
    case .dismiss: answer(status: "resolved", time: "resolved_at")
    case .snooze, .restore: nil
    }
  }

  private func answer(status: String, time: String) -> BoundStatement {
    statement(
      """
      UPDATE {{schema}}.\(EscalationLog.table) SET status = '\(status)', \(time) = $2
      WHERE related_blob_id = $1 AND status IN ('pending', 'notified') AND expires_at > $2
      """, of: EscalationLog.table)
  }

  private func cancel(
    because reason: PlannedNotification.StatusReason
  ) -> [BoundStatement] {
    let cancelled = "status = 'cancelled', status_reason = '\(reason.rawValue)', updated_at = $2"
    let queue = DeliveryQueue.live.rawValue
    return [
      statement(
        """
        UPDATE {{schema}}.\(queue) SET \(cancelled)
        WHERE status = 'pending' AND alert_state_id = $1
          AND notification_type <> 'pattern_alert_group'
        """, of: queue),
      // A group goes out as long as one of its alerts is to be told. One question for each group: of
      // several PostgreSQL would make joins, which go through all rows for each where it expects few.
      statement(
        """
        UPDATE {{schema}}.\(queue) SET \(cancelled)
        WHERE status = 'pending' AND notification_type = 'pattern_alert_group' AND (
          SELECT max(CASE WHEN alert.id = $1 THEN 1 ELSE 0 END) = 1
            AND max(CASE
              WHEN alert.dismissed_at IS NULL
                AND (alert.snooze_until IS NULL OR alert.snooze_until <= $4) THEN 1
              ELSE 0
            END) = 0
          FROM {{schema}}.\(queue) AS member
          JOIN {{schema}}.pattern_alert_state AS alert ON alert.id = member.alert_state_id
          WHERE member.group_id = \(queue).id
        )
        """, of: queue, .day(at.utcDay)),
    ]
  }

  private var restore: BoundStatement {
    let queue = DeliveryQueue.live.rawValue
    return statement(
      """
      UPDATE {{schema}}.\(queue)
      SET status = 'pending', updated_at = $2,
        status_reason = CASE WHEN scheduled_for > $2 THEN 'quiet_hours' END
      WHERE status = 'cancelled' AND status_reason IN ('snoozed', 'dismissed') AND expires_at > $2
        AND (alert_state_id = $1 OR EXISTS (
          SELECT 1 FROM {{schema}}.\(queue) AS own
          WHERE own.group_id = \(queue).id AND own.alert_state_id = $1
        ))
      """, of: queue)
  }
}

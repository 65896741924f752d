public import Foundation
public import VigilModel

/// What somebody says about an alert (specification, notifications.md section 5); a row of
/// `alert_actions`.
public struct AlertAction: Hashable, Sendable {
  public var alert: UUID
  public var kind: Kind
  /// Who says it: the person, or a member of their family.
  public var actor: UUID
  public var at: Timestamp

  public init(_ kind: Kind, alert: UUID, by actor: UUID, at: Timestamp) {
    self.kind = kind
    self.alert = alert
    self.actor = actor
    self.at = at
  }

  public enum Kind: Hashable, Sendable {
    /// They know of it; it is told all the same when it escalates.
    case acknowledge
    /// It is not told of any day before `until`; of that day it is, if its level is still higher than
    /// told.
    case snooze(until: Day)
    /// It is not told any more.
    case dismiss
    /// It is neither snoozed nor dismissed any more.
    case restore

    /// As it stands in the table.
    public var word: Word {
      switch self {
      case .acknowledge: .acknowledge
      case .snooze: .snooze
      case .dismiss: .dismiss
      case .restore: .restore
      }
    }
  }

  public enum Word: String, Sendable, CaseIterable {
    case acknowledge
    case snooze
    case dismiss
    case restore
  }

  static let table = "alert_actions"

  /// UUIDv5 of alert, action, actor and instant: said twice is said once.
  public var id: UUID {
    UUID(
      name: "alert_actions:\(alert.lowercased):\(kind.word.rawValue):\(actor.lowercased):\(at)")
  }

  fileprivate static let columns = [
    "alert_state_id", "action", "actor_user_id", "acted_at", "snooze_until",
  ]

  fileprivate static func decode(_ row: some RowReader) throws -> AlertAction {
    var row = row
    let alert = try row.uuid()
    let word: Word = try row.word()
    let (actor, at) = try (row.uuid(), row.timestamp())
    let until = try row.dayIfPresent()
    let kind: Kind? =
      switch word {
      case .acknowledge: .acknowledge
      case .snooze: until.map(Kind.snooze)
      case .dismiss: .dismiss
      case .restore: .restore
      }
    guard let kind else { throw row.refusal(expected: "the day on which a snooze ends") }
    return AlertAction(kind, alert: alert, by: actor, at: at)
  }
}

/// What came of an action.
public struct AlertActionOutcome: Hashable, Sendable {
  public var action: AlertAction
  /// As it is now.
  public var alert: PatternAlertState
  /// Rows of the queue that were cancelled or, after `restore`, wait again.
  public var notifications = 0
  /// Open escalations that were answered, or need no answer any more.
  public var escalations = 0

  public init(
    action: AlertAction, alert: PatternAlertState, notifications: Int = 0, escalations: Int = 0
  ) {
    self.action = action
    self.alert = alert
    self.notifications = notifications
    self.escalations = escalations
  }
}

extension Storage {
  /// Carries out what somebody says about an alert.
  ///
  /// What of the alert waits in the queue is cancelled by a snooze or a dismissal and waits again after
  /// `restore`, unless it has expired. An acknowledgement answers the alert's open escalations. Saying
  /// the same again changes nothing but is recorded.
  ///
  /// - Throws: `StorageError`, with `.notFound` for an alert or a person that is not there,
  ///   `.permissionDenied` for somebody who is neither the person nor of their family, and `.ended`
  ///   for an alert that is over.
  public func carryOut(_ action: AlertAction) throws -> AlertActionOutcome {
    guard try !persons(among: [action.actor]).isEmpty else {
      throw StorageError(
        .notFound, "\(displayName) has no person \(action.actor.lowercased)",
        hint: "name whoever acts by their id in users")
    }
    guard let alert = try alertStates(matching: AlertFilter(id: UUIDPrefix(action.alert))).first
    else {
      throw StorageError(
        .notFound, "\(displayName) has no alert \(action.alert.lowercased)",
        hint: "vigil alerts list shows them")
    }
    guard try isOfFamily(action.actor, of: alert.series.user) else {
      throw StorageError(
        .permissionDenied,
        "\(action.actor.lowercased) is neither the person of alert \(alert.id.lowercased) nor an"
          + " accepted member of their family")
    }
    guard alert.episode.isActive else {
      throw StorageError(
        .ended,
        "alert \(alert.id.lowercased) ended on \(alert.episode.lastEvaluated); nothing is told of it"
      )
    }
    var outcome = try withRuns { runs in
      try runs.execute(action.record)
      try runs.execute(action.change)
      return AlertActionOutcome(
        action: action, alert: alert,
        notifications: try action.queueChanges.reduce(0) { try $0 + runs.execute($1) },
        escalations: try action.answer.map { try runs.execute($0) } ?? 0)
    }
    outcome.alert = try alertStates(matching: AlertFilter(id: UUIDPrefix(alert.id))).first ?? alert
    return outcome
  }

  private func isOfFamily(_ actor: UUID, of person: UUID) throws -> Bool {
    if actor == person { return true }
    return try makeReader().familyMembers(of: [person]).joined()
      .contains { $0.user == actor && $0.inviteStatus == .accepted }
  }

  /// What was said about an alert, in order of time.
  public func actions(on alert: UUID) throws -> [AlertAction] {
    try rows(
      BoundStatement(
        """
        SELECT \(AlertAction.columns.joined(separator: ", ")) FROM \(AlertAction.table)
        WHERE alert_state_id = $1 ORDER BY acted_at, id
        """, [.uuid(alert)], table: AlertAction.table, columns: AlertAction.columns)
    ) { try AlertAction.decode($0) }
  }
}

// MARK: Statements

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

  fileprivate var record: BoundStatement {
    let until: InputValue = if case .snooze(let day) = kind { .day(day) } else { .null }
    return statement(
      """
      INSERT INTO \(Self.table) (
        id, alert_state_id, action, actor_user_id, acted_at, snooze_until
      ) VALUES ($4, $1, $5, $3, $2, $6)
      ON CONFLICT (id) DO NOTHING
      """, of: Self.table, .uuid(id), .text(kind.word.rawValue), until)
  }

  fileprivate var change: BoundStatement {
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
      "UPDATE \(AlertStateRow.table) SET \(assignments), updated_at = $2 WHERE id = $1",
      [.uuid(alert), .timestamp(at), .uuid(actor)] + more, table: AlertStateRow.table)
  }

  fileprivate var queueChanges: [BoundStatement] {
    switch kind {
    case .acknowledge: []
    case .snooze: cancel(because: .snoozed)
    case .dismiss: cancel(because: .dismissed)
    case .restore: [restore]
    }
  }

  fileprivate var answer: BoundStatement? {
    switch kind {
    case .acknowledge: answer(status: "acknowledged", time: "acknowledged_at")
    case .dismiss: answer(status: "resolved", time: "resolved_at")
    case .snooze, .restore: nil
    }
  }

  private func answer(status: String, time: String) -> BoundStatement {
    statement(
      """
      UPDATE \(EscalationLog.table) SET status = '\(status)', \(time) = $2
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
        UPDATE \(queue) SET \(cancelled)
        WHERE status = 'pending' AND alert_state_id = $1
          AND notification_type <> 'pattern_alert_group'
        """, of: queue),
      // A group goes out as long as one of its alerts is to be told.
      statement(
        """
        UPDATE \(queue) SET \(cancelled)
        WHERE status = 'pending' AND notification_type = 'pattern_alert_group'
          AND EXISTS (
            SELECT 1 FROM \(queue) AS own
            WHERE own.group_id = \(queue).id AND own.alert_state_id = $1
          )
          AND NOT EXISTS (
            SELECT 1 FROM \(queue) AS other
            JOIN pattern_alert_state AS alert ON alert.id = other.alert_state_id
            WHERE other.group_id = \(queue).id AND alert.dismissed_at IS NULL
              AND (alert.snooze_until IS NULL OR alert.snooze_until <= $4)
          )
        """, of: queue, .day(at.utcDay)),
    ]
  }

  private var restore: BoundStatement {
    let queue = DeliveryQueue.live.rawValue
    return statement(
      """
      UPDATE \(queue)
      SET status = 'pending', updated_at = $2,
        status_reason = CASE WHEN scheduled_for > $2 THEN 'quiet_hours' END
      WHERE status = 'cancelled' AND status_reason IN ('snoozed', 'dismissed') AND expires_at > $2
        AND (alert_state_id = $1 OR EXISTS (
          SELECT 1 FROM \(queue) AS own
          WHERE own.group_id = \(queue).id AND own.alert_state_id = $1
        ))
      """, of: queue)
  }
}

public import Foundation
public import VigilModel

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
        SELECT \(AlertAction.columns.joined(separator: ", ")) FROM {{schema}}.\(AlertAction.table)
        WHERE alert_state_id = $1 ORDER BY acted_at, id
        """, [.uuid(alert)], table: AlertAction.table, columns: AlertAction.columns)
    ) { try AlertAction.decode($0) }
  }
}

public import Foundation
import VigilModel
public import VigilStorage

extension SQLStorage {
  public func carryOut(_ action: AlertAction) throws -> AlertActionOutcome {
    try requirePerson(action.actor)
    guard let alert = try alertStates(matching: AlertFilter(id: UUIDPrefix(action.alert))).first
    else {
      throw StorageError(
        .notFound, "\(displayName) has no alert \(action.alert.lowercased)",
        remedy: .listAlerts)
    }
    try require(action.actor, ofFamilyOf: alert.series.user, toActOn: alert.id)
    var outcome = try withRunSession { session in
      let event = try session.rows(AlertStatement.listAlertsOfEvent, alert.id) {
        (id: try $0.uuid(), isActive: try $0.text() == "active")
      }
      guard event.contains(where: \.isActive) else {
        throw StorageError(
          .ended,
          "alert \(alert.id.lowercased) ended on \(alert.episode.lastEvaluated); no action on it is"
            + " possible")
      }
      try session.record(action)
      var outcome = AlertActionOutcome(
        action: action, alert: alert, otherAlerts: event.count - 1)
      for alert in event {
        try session.change(alert.id, by: action)
        outcome.notifications += try session.changeNotifications(of: alert.id, after: action)
        outcome.escalations += try session.answerEscalations(of: alert.id, after: action)
      }
      return outcome
    }
    outcome.alert = try alertStates(matching: AlertFilter(id: UUIDPrefix(alert.id))).first ?? alert
    return outcome
  }

  /// - Throws: `StorageError` where there is no such person.
  func requirePerson(_ actor: UUID) throws {
    guard try persons(among: [actor]).isEmpty else { return }
    throw StorageError(
      .notFound, "\(displayName) has no person \(actor.lowercased)",
      remedy: "name the person who acts by an id of the table users")
  }

  /// - Throws: `StorageError` where `actor` is neither `person` nor an accepted member of their family.
  func require(_ actor: UUID, ofFamilyOf person: UUID, toActOn alert: UUID) throws {
    guard try !isOfFamily(actor, of: person) else { return }
    throw StorageError(
      .permissionDenied,
      "\(actor.lowercased) is neither the person of alert \(alert.lowercased) nor an"
        + " accepted member of their family")
  }

  private func isOfFamily(_ actor: UUID, of person: UUID) throws -> Bool {
    if actor == person { return true }
    return try makeReader().familyMembers(of: [person]).joined()
      .contains { $0.user == actor && $0.inviteStatus == .accepted }
  }

  public func actions(on alert: UUID) throws -> [AlertAction] {
    try withSession { session in
      try session.rows(AlertStatement.listAlertActions, alert) { try AlertAction.decode(&$0) }
    }
  }
}

// MARK: Steps of an action

extension SQLSession {
  /// Adds the action to `alert_actions`.
  fileprivate func record(_ action: AlertAction) throws {
    let until: Day? = if case .snooze(let day) = action.kind { day } else { nil }
    try execute(
      AlertStatement.insertAlertAction, action.id, action.alert, action.kind.word.rawValue,
      action.actor, action.at, until)
  }

  /// Changes an alert of the event that the action is about.
  fileprivate func change(_ alert: UUID, by action: AlertAction) throws {
    switch action.kind {
    case .acknowledge:
      try execute(AlertStatement.acknowledgeAlert, alert, action.at, action.actor)
    case .snooze(let day): try execute(AlertStatement.snoozeAlert, alert, action.at, day)
    case .dismiss: try execute(AlertStatement.dismissAlert, alert, action.at)
    case .restore: try execute(AlertStatement.restoreAlert, alert, action.at)
    }
  }

  /// Cancels what waits in the queue, or lets it wait again; returns the number of rows.
  fileprivate func changeNotifications(
    of alert: UUID, after action: AlertAction
  ) throws -> Int {
    switch action.kind {
    case .acknowledge: return 0
    case .snooze: return try cancelNotifications(of: alert, after: action, because: .snoozed)
    case .dismiss: return try cancelNotifications(of: alert, after: action, because: .dismissed)
    case .restore:
      return try execute(QueueStatement.restoreNotificationsOfAlert, alert, action.at)
    }
  }

  private func cancelNotifications(
    of alert: UUID, after action: AlertAction, because reason: PlannedNotification.StatusReason
  ) throws -> Int {
    var cancelled = try execute(
      QueueStatement.cancelNotificationsOfAlert, alert, action.at, reason.rawValue)
    for group in try rows(QueueStatement.listGroupsOfAlert, alert, decode: { try $0.uuid() }) {
      cancelled += try execute(
        QueueStatement.cancelGroup, group, action.at, reason.rawValue, action.at.utcDay)
    }
    return cancelled
  }

  func answerEscalations(of alert: UUID, after action: AlertAction) throws -> Int {
    switch action.kind {
    case .acknowledge:
      try execute(QueueStatement.acknowledgeEscalationsOfAlert, alert, action.at)
    case .dismiss: try execute(QueueStatement.resolveEscalationsOfAlert, alert, action.at)
    case .snooze, .restore: 0
    }
  }
}

extension AlertAction {
  /// Reads the columns of `ListAlertActions`.
  static func decode(_ row: inout some RowReader) throws -> AlertAction {
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

public import Foundation
public import VigilModel
import VigilSQL
public import VigilStorage

/// The actions of members. On PostgreSQL the functions that apps call do the same.
extension SQLiteStorage {
  public func carryOut(_ action: AlertAction) throws -> AlertActionOutcome {
    let alert = try alert(action.alert, forActionBy: action.actor)
    var outcome = AlertActionOutcome(action: action, alert: alert)
    try withRunSession { session in
      let event = try session.alertsOfEvent(of: alert.id)
      guard event.contains(where: \.isActive) else { throw StorageError.hasEnded(alert) }
      try session.record(action)
      outcome.otherAlerts = event.count - 1
      (outcome.notifications, outcome.escalations) = (0, 0)
      for alert in event {
        try session.change(alert.id, by: action)
        outcome.notifications += try session.changeNotifications(of: alert.id, after: action)
        outcome.escalations += try session.answerEscalations(of: alert.id, after: action)
      }
    }
    outcome.alert = try alertStates(matching: AlertFilter(id: UUIDPrefix(alert.id))).first ?? alert
    return outcome
  }

  public func markRead(
    _ alert: UUID, by member: UUID, at now: Timestamp
  ) throws -> [AlertRead] {
    _ = try self.alert(alert, forActionBy: member)
    try withTransaction(on: "alert_reads") { session in
      for (id, _) in try session.alertsOfEvent(of: alert) {
        let read = AlertRead(alert: id, member: member, at: now)
        try session.execute(
          ActionStatement.insertAlertRead, read.id, read.alert, read.member, read.at)
      }
    }
    return try reads(ofEventOf: alert, by: member)
  }

  public func record(_ checkIn: CheckIn) throws {
    try requirePerson(checkIn.person)
    _ = try withTransaction(on: "check_ins") { session in
      try session.execute(
        ActionStatement.insertCheckIn, checkIn.person, checkIn.at, checkIn.kind.rawValue)
    }
  }
}

// MARK: Steps of an action

extension SQLiteSession {
  /// Adds the action to `alert_actions`.
  fileprivate func record(_ action: AlertAction) throws {
    let until: Day? = if case .snooze(let day) = action.kind { day } else { nil }
    try execute(
      ActionStatement.insertAlertAction, action.id, action.alert, action.kind.word.rawValue,
      action.actor, action.at, until)
  }

  /// Changes an alert of the event that the action is about.
  fileprivate func change(_ alert: UUID, by action: AlertAction) throws {
    switch action.kind {
    case .acknowledge:
      try execute(ActionStatement.acknowledgeAlert, alert, action.at, action.actor)
    case .snooze(let day): try execute(ActionStatement.snoozeAlert, alert, action.at, day)
    case .dismiss: try execute(ActionStatement.dismissAlert, alert, action.at)
    case .restore: try execute(ActionStatement.restoreAlert, alert, action.at)
    }
  }

  /// Cancels the rows that wait in the queue, or lets it wait again; returns the number of rows.
  fileprivate func changeNotifications(
    of alert: UUID, after action: AlertAction
  ) throws -> Int {
    switch action.kind {
    case .acknowledge: 0
    case .snooze: try cancelNotifications(of: alert, after: action, because: .snoozed)
    case .dismiss: try cancelNotifications(of: alert, after: action, because: .dismissed)
    case .restore: try restoreNotifications(of: alert, at: action.at)
    }
  }

  private func cancelNotifications(
    of alert: UUID, after action: AlertAction, because reason: PlannedNotification.StatusReason
  ) throws -> Int {
    var cancelled = try execute(
      ActionStatement.cancelNotificationsOfAlert, alert, action.at, reason.rawValue)
    for group in try rows(ActionStatement.listGroupsOfAlert, alert, decode: { try $0.uuid() }) {
      cancelled += try execute(
        ActionStatement.cancelGroup, group, action.at, reason.rawValue, action.at.utcDay)
    }
    return cancelled
  }

  /// Lets rows wait again; those that are due only later have the reason of quiet hours.
  private func restoreNotifications(of alert: UUID, at now: Timestamp) throws -> Int {
    try [(true, PlannedNotification.StatusReason.quietHours), (false, nil)].reduce(0) {
      restored, rows in
      let (isLater, reason) = rows
      return try restored
        + execute(
          ActionStatement.restoreNotificationsOfAlert, alert, now, reason?.rawValue, isLater)
    }
  }

  fileprivate func answerEscalations(of alert: UUID, after action: AlertAction) throws -> Int {
    switch action.kind {
    case .acknowledge:
      try execute(ActionStatement.acknowledgeEscalationsOfAlert, alert, action.at)
    case .dismiss: try execute(ActionStatement.resolveEscalationsOfAlert, alert, action.at)
    case .snooze, .restore: 0
    }
  }
}

public import Foundation
public import VigilModel
import VigilSQL
public import VigilStorage

/// The actions of members, by the functions that apps call.
extension PostgresStorage {
  public func carryOut(_ action: AlertAction) throws -> AlertActionOutcome {
    let until: Day? = if case .snooze(let day) = action.kind { day } else { nil }
    let changed = try acting(as: action.actor, on: action.alert) { session in
      try session.rows(
        ActionStatement.actOnAlert, action.alert, action.kind.word.rawValue, until, action.at
      ) { (alerts: try $0.int(), notifications: try $0.int(), escalations: try $0.int()) }
    }
    return AlertActionOutcome(
      action: action, alert: try alert(action.alert, forActionBy: action.actor),
      otherAlerts: changed.first?.alerts ?? 0, notifications: changed.first?.notifications ?? 0,
      escalations: changed.first?.escalations ?? 0)
  }

  public func markRead(
    _ alert: UUID, by member: UUID, at now: Timestamp
  ) throws -> [AlertRead] {
    _ = try acting(as: member, on: alert) { session in
      try session.rows(ActionStatement.markAlertRead, alert, now) { try $0.timestamp() }
    }
    return try reads(ofEventOf: alert, by: member)
  }

  public func record(_ checkIn: CheckIn) throws {
    try requirePerson(checkIn.person)
    _ = try asking(as: checkIn.person) { session in
      try session.rows(ActionStatement.checkIn, checkIn.kind.rawValue, checkIn.at) {
        try $0.timestamp()
      }
    }
  }

  /// Runs `body` for a member who acts on an alert.
  ///
  /// The functions show an app no more than it may know; an operator reads why a member is refused.
  private func acting<Result>(
    as member: UUID, on alert: UUID, _ body: (PostgresSession) throws -> Result
  ) throws -> Result {
    do {
      return try asking(as: member) { session in
        do {
          return try body(session)
        } catch let error as PostgresError {
          throw ActionRefusal(error) ?? error
        }
      }
    } catch let refusal as ActionRefusal {
      let alert = try self.alert(alert, forActionBy: member)
      throw refusal == .ended
        ? .hasEnded(alert)
        : StorageError(
          .permissionDenied,
          "\(displayName) shows \(member.lowercased) no alert \(alert.id.lowercased)",
          remedy: .listMissingRights)
    }
  }
}

/// A refusal of the functions by which members act on alerts.
private enum ActionRefusal: Error {
  /// The member may see no such alert.
  case unknown
  case ended

  init?(_ error: PostgresError) {
    switch error.sqlState {
    case "P0002": self = .unknown
    case "55000": self = .ended
    default: return nil
    }
  }
}

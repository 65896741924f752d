public import Foundation
public import VigilAlerts
public import VigilModel
import VigilSQL
public import VigilStorage

/// Marks of members on notifications of the app, and their choices about calls, by the functions that apps call.
///
/// The functions show an app no more than it may know; an operator reads why a member is refused.
extension PostgresStorage {
  public func mark(
    _ notification: UUID, as mark: NotificationReceipt.Mark, by member: UUID, at now: Timestamp
  ) throws -> NotificationReceipt {
    try requireInApp(notification, to: member)
    _ = try asking(as: member) { session in
      try session.rows(ActionStatement.markInApp, notification, mark == .read, now) {
        try $0.uuid()
      }
    }
    return try receipt(of: notification)
  }

  public func choose(
    _ choice: EscalationChoice?, at levels: [AlertLevel], by person: UUID
  ) throws -> [AlertLevel: EscalationChoice] {
    try require(choice, by: person)
    _ = try asking(as: person) { session in
      try session.rows(
        ActionStatement.chooseEscalation, levels.map { "\($0.rawValue)" }, choice?.minutes,
        choice == nil
      ) { try $0.int() }
    }
    return try escalationChoices(of: person)
  }
}

public import Foundation
public import VigilAlerts
public import VigilModel
import VigilSQL
public import VigilStorage

/// Marks of members on notifications of the app, and their choices about calls. On PostgreSQL the functions that apps call do the
/// same.
extension SQLiteStorage {
  public func mark(
    _ notification: UUID, as mark: NotificationReceipt.Mark, by member: UUID, at now: Timestamp
  ) throws -> NotificationReceipt {
    try requireInApp(notification, to: member)
    _ = try withTransaction(on: "notification_queue") {
      try $0.execute(ActionStatement.markInApp, notification, now, mark == .read)
    }
    return try receipt(of: notification)
  }

  public func choose(
    _ choice: EscalationChoice?, at levels: [AlertLevel], by person: UUID
  ) throws -> [AlertLevel: EscalationChoice] {
    try require(choice, by: person)
    try withTransaction(on: "escalation_settings") { session in
      for level in levels {
        if let choice {
          try session.execute(
            ActionStatement.chooseEscalation, person, level.rawValue, choice.minutes)
        } else {
          try session.execute(ActionStatement.resetEscalation, person, level.rawValue)
        }
      }
    }
    return try escalationChoices(of: person)
  }
}

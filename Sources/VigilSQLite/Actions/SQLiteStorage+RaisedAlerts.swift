public import Foundation
public import VigilModel
import VigilSQL
public import VigilStorage

/// Alerts that persons raise. On PostgreSQL the functions that apps call do the same.
extension SQLiteStorage {
  public func raiseAlert(by person: UUID, at now: Timestamp) throws -> RaisedAlert {
    try requirePerson(person)
    let alert = RaisedAlert(by: person, at: now)
    _ = try withTransaction(on: "raised_alerts") { session in
      try session.execute(ActionStatement.raiseAlert, alert.id, alert.person, alert.raisedAt)
    }
    guard let active = try raisedAlerts(of: person).first(where: \.isActive) else {
      throw StorageError.wasResolved(alert)
    }
    return active
  }

  public func resolveRaisedAlert(
    _ alert: UUID, by member: UUID, at now: Timestamp
  ) throws -> RaisedAlert {
    _ = try raisedAlert(alert, forActionBy: member)
    try withTransaction(on: "raised_alerts") { session in
      guard try session.execute(ActionStatement.resolveRaisedAlert, alert, now, member) > 0 else {
        return
      }
      try session.execute(ActionStatement.cancelNotificationsOfPrompt, alert, now)
      try session.execute(ActionStatement.resolveEscalationsOfAlert, alert, now)
    }
    return try raisedAlert(alert, forActionBy: member)
  }
}

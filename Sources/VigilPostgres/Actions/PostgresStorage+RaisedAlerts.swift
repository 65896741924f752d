public import Foundation
public import VigilModel
import VigilSQL
public import VigilStorage

/// Alerts that persons raise, by the functions that apps call.
extension PostgresStorage {
  public func raiseAlert(by person: UUID, at now: Timestamp) throws -> RaisedAlert {
    try requirePerson(person)
    let raised = try asking(as: person) { session in
      do {
        return try session.rows(ActionStatement.raiseAlert, now) {
          RaisedAlert(id: try $0.uuid(), person: person, raisedAt: try $0.timestamp())
        }
      } catch let error as PostgresError where error.sqlState == "55000" {
        throw StorageError.wasResolved(RaisedAlert(by: person, at: now))
      }
    }
    guard let alert = raised.first else {
      throw StorageError.wasResolved(RaisedAlert(by: person, at: now))
    }
    return alert
  }

  public func resolveRaisedAlert(
    _ alert: UUID, by member: UUID, at now: Timestamp
  ) throws -> RaisedAlert {
    // The function shows an app no more than it may know; an operator reads why a member is refused.
    _ = try raisedAlert(alert, forActionBy: member)
    _ = try asking(as: member) { session in
      try session.rows(ActionStatement.resolveAlert, alert, now) { try $0.uuid() }
    }
    return try raisedAlert(alert, forActionBy: member)
  }
}

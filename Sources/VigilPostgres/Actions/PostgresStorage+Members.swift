public import Foundation
public import VigilAlerts
public import VigilModel
import VigilSQL
public import VigilStorage

/// Questions of members to each other, and their findings, by the functions that apps call.
///
/// The functions show an app no more than it may know; an operator reads why a member is refused.
extension PostgresStorage {
  public func ping(_ recipient: UUID, by sender: UUID, at now: Timestamp) throws -> Ping {
    try requireRight(of: sender, toPing: recipient)
    let found = try asking(as: sender) { session in
      try session.rows(ActionStatement.ping, recipient, now) { try $0.uuid() }
    }
    guard let id = found.first else {
      throw StorageError.hasExpired(Ping(from: sender, to: recipient, at: now))
    }
    return try ping(id, forAnswerBy: recipient)
  }

  public func respond(to ping: UUID, by recipient: UUID, at now: Timestamp) throws -> Ping {
    let asked = try self.ping(ping, forAnswerBy: recipient)
    _ = try asking(as: recipient) { session in
      do {
        return try session.rows(ActionStatement.respond, ping, now) { try $0.timestamp() }
      } catch let error as PostgresError where error.sqlState == "55000" {
        throw StorageError.hasExpired(asked)
      }
    }
    return try self.ping(ping, forAnswerBy: recipient)
  }

  public func resolveEscalation(
    _ escalation: UUID, _ resolution: EscalationResolution, by member: UUID, at now: Timestamp
  ) throws -> EscalationAnswer {
    guard resolution != .noResponse else { throw StorageError.noMembersResolution }
    try requireCall(escalation, upon: member)
    _ = try asking(as: member) { session in
      try session.rows(
        ActionStatement.resolveEscalation, escalation, resolution.rawValue, now
      ) { try $0.uuid() }
    }
    return try answer(to: escalation)
      ?? EscalationAnswer(escalation: escalation, resolution: resolution, resolvedAt: now)
  }
}

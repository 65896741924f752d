public import Foundation
public import VigilAlerts
public import VigilModel
import VigilSQL
public import VigilStorage

/// Questions of members to each other, and their findings. On PostgreSQL the functions that apps call do the same.
extension SQLiteStorage {
  public func ping(_ recipient: UUID, by sender: UUID, at now: Timestamp) throws -> Ping {
    try requireRight(of: sender, toPing: recipient)
    let ping = Ping(from: sender, to: recipient, at: now)
    try withTransaction(on: "pings") { session in
      try session.execute(ActionStatement.expirePingsTo, sender, recipient, now)
      try session.execute(
        ActionStatement.insertPing, ping.id, sender, recipient, ping.sentAt, ping.expiresAt)
    }
    let waiting = try pings(of: sender).first {
      $0.sender == sender && $0.recipient == recipient && $0.status == .pending
    }
    guard let waiting else { throw StorageError.hasExpired(ping) }
    return waiting
  }

  public func respond(to ping: UUID, by recipient: UUID, at now: Timestamp) throws -> Ping {
    _ = try self.ping(ping, forAnswerBy: recipient)
    try withTransaction(on: "pings") { session in
      guard try session.execute(ActionStatement.answerPing, ping, now) > 0 else { return }
      try session.execute(ActionStatement.cancelNotificationsOfPrompt, ping, now)
      try session.execute(
        ActionStatement.insertCheckIn, recipient, now, CheckIn.Kind.responder.rawValue)
    }
    let answered = try self.ping(ping, forAnswerBy: recipient)
    guard answered.respondedAt != nil else { throw StorageError.hasExpired(answered) }
    return answered
  }

  public func resolveEscalation(
    _ escalation: UUID, _ resolution: EscalationResolution, by member: UUID, at now: Timestamp
  ) throws -> EscalationAnswer {
    guard resolution != .noResponse else { throw StorageError.noMembersResolution }
    try requireCall(escalation, upon: member)
    try withTransaction(on: "escalation_log") { session in
      let isFirst =
        try session.execute(
          ActionStatement.resolveEscalation, escalation, now, resolution.rawValue) > 0
      if isFirst { try session.execute(ActionStatement.cancelFurtherCalls, escalation, now) }
    }
    return try answer(to: escalation)
      ?? EscalationAnswer(escalation: escalation, resolution: resolution, resolvedAt: now)
  }
}

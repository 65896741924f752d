public import Foundation
public import VigilAlerts
import VigilModel
public import VigilStorage

/// Questions of members to each other, and their findings.
extension SQLStorage {
  public func pings(of member: UUID) throws -> [Ping] {
    try withSession {
      try $0.rows(MemberStatement.listPings, member) { try Ping.decode(&$0) }
    }
  }

  /// Returns a ping, for the member who answers it.
  ///
  /// - Throws: `StorageError` where there is none, or it is to another member.
  public func ping(_ id: UUID, forAnswerBy recipient: UUID) throws -> Ping {
    try requirePerson(recipient)
    let found = try withSession {
      try $0.rows(MemberStatement.findPing, id) { try Ping.decode(&$0) }
    }
    guard let ping = found.first else {
      throw StorageError(
        .notFound, "\(displayName) has no ping \(id.lowercased)",
        remedy: "name it by an id of the table pings")
    }
    guard ping.recipient == recipient else {
      throw StorageError(
        .permissionDenied, "ping \(id.lowercased) is not to \(recipient.lowercased)")
    }
    return ping
  }

  /// Requires that a member may ask another one.
  ///
  /// - Throws: `StorageError` where one of them is unknown, or they are the same or in no family together.
  public func requireRight(of sender: UUID, toPing recipient: UUID) throws {
    try requirePerson(sender)
    try requirePerson(recipient)
    guard sender != recipient else {
      throw StorageError(.permissionDenied, "\(sender.lowercased) is no other member")
    }
    try requireMember(sender, toActFor: recipient, about: "a ping to \(recipient.lowercased)")
  }

  /// Requires that a call is upon a member, who may still act for the person.
  ///
  /// - Throws: `StorageError` where it is not.
  public func requireCall(_ id: UUID, upon member: UUID) throws {
    try requirePerson(member)
    let found = try withSession {
      try $0.rows(MemberStatement.findCall, id) {
        (person: try $0.uuid(), caregiver: try $0.uuidIfPresent())
      }
    }
    guard let call = found.first else {
      throw StorageError(
        .notFound, "\(displayName) has no escalation \(id.lowercased)",
        remedy: "name it by an id of the table escalation_log")
    }
    guard call.caregiver == member else {
      throw StorageError(
        .permissionDenied, "escalation \(id.lowercased) is not upon \(member.lowercased)")
    }
    try requireMember(member, toActFor: call.person, about: "escalation \(id.lowercased)")
  }

  /// Returns the resolution of a call; nil where it has none.
  public func answer(to id: UUID) throws -> EscalationAnswer? {
    let found = try withSession {
      try $0.rows(MemberStatement.findCall, id) { row -> EscalationAnswer? in
        row.skip()
        row.skip()
        guard let resolution: EscalationResolution = try row.wordIfPresent() else { return nil }
        return EscalationAnswer(
          escalation: id, resolution: resolution, resolvedAt: try row.timestamp())
      }
    }
    return found.first ?? nil
  }
}

extension Ping {
  /// Reads id, sender, recipient, the instants of sending and of the end, the status and the instant of the answer.
  fileprivate static func decode(_ row: inout some RowReader) throws -> Ping {
    try Ping(
      id: row.uuid(), from: row.uuid(), to: row.uuid(), sentAt: row.timestamp(),
      expiresAt: row.timestamp(), status: row.word(), respondedAt: row.timestampIfPresent())
  }
}

extension StorageError {
  /// The time for an answer is over.
  public static func hasExpired(_ ping: Ping) -> StorageError {
    StorageError(
      .ended, "ping \(ping.id.lowercased) has expired", remedy: "record a check-in instead")
  }

  /// A member cannot say that there was no response.
  public static let noMembersResolution = StorageError(
    .constraint, "a member resolves an escalation with a finding",
    remedy: "give confirmed_ok, marked_taken, contacted_patient, called_emergency or false_alarm")
}

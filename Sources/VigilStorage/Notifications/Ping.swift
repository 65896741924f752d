public import Foundation
public import VigilModel

/// A question of a member to another whether all is well; a row of `pings`.
public struct Ping: Hashable, Sendable {
  public var id: UUID
  public var sender: UUID
  public var recipient: UUID
  public var sentAt: Timestamp
  /// Until when an answer counts.
  public var expiresAt: Timestamp
  public var status: Status
  /// Nil without an answer.
  public var respondedAt: Timestamp?

  public init(
    id: UUID, from sender: UUID, to recipient: UUID, sentAt: Timestamp, expiresAt: Timestamp,
    status: Status = .pending, respondedAt: Timestamp? = nil
  ) {
    self.id = id
    self.sender = sender
    self.recipient = recipient
    self.sentAt = sentAt
    self.expiresAt = expiresAt
    self.status = status
    self.respondedAt = respondedAt
  }

  /// Makes a new ping, with the UUIDv5 of sender, recipient and instant as id.
  public init(from sender: UUID, to recipient: UUID, at now: Timestamp) {
    self.init(
      id: UUID(name: "pings:\(sender.lowercased):\(recipient.lowercased):\(now)"), from: sender,
      to: recipient, sentAt: now, expiresAt: now.adding(seconds: Self.lifetimeSeconds))
  }

  /// An answer counts for this long.
  public static let lifetimeSeconds: Int64 = 24 * 3600

  /// The state of a ping.
  public enum Status: String, Sendable, CaseIterable {
    /// Sent, and not answered yet: the member who pings sets it.
    case pending
    /// Answered in time: the member who was pinged sets it.
    case responded
    /// No answer came in time: a sender marks it, or the next ping to the same member.
    case expired
  }
}

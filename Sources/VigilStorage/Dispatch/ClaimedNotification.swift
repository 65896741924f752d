public import Foundation
public import VigilModel

/// A row of the queue that a sender has taken.
public struct ClaimedNotification: Hashable, Sendable {
  public var id: UUID
  public var recipient: UUID
  /// The person that the notification is about.
  public var member: UUID
  /// `PlannedNotification.Kind.notificationType`.
  public var type: String
  public var templateID: String
  /// Nil for a subject without one.
  public var level: AlertLevel?
  public var channel: PlannedNotification.Channel
  /// JSON that follows the schema of notifications.md section 4.
  public var payload: String
  public var priority: PlannedNotification.Priority
  public var scheduledFor: Timestamp
  /// Nil for a row of the app alone; no sender sends it.
  public var expiresAt: Timestamp?
  /// The attempts so far; the taking of the row counts as one.
  public var attempts: Int
  public var maxAttempts: Int
  public var dedupeKey: String
  public var fencingToken: Int
  /// The emergency contact of the recipient to whom it goes in their place; nil for a notification to the recipient.
  public var contact: UUID?

  public init(
    id: UUID, recipient: UUID, member: UUID, type: String, templateID: String, level: AlertLevel?,
    channel: PlannedNotification.Channel, payload: String, priority: PlannedNotification.Priority,
    scheduledFor: Timestamp, expiresAt: Timestamp?, attempts: Int, maxAttempts: Int,
    dedupeKey: String, fencingToken: Int, contact: UUID? = nil
  ) {
    self.id = id
    self.recipient = recipient
    self.member = member
    self.type = type
    self.templateID = templateID
    self.level = level
    self.channel = channel
    self.payload = payload
    self.priority = priority
    self.scheduledFor = scheduledFor
    self.expiresAt = expiresAt
    self.attempts = attempts
    self.maxAttempts = maxAttempts
    self.dedupeKey = dedupeKey
    self.fencingToken = fencingToken
    self.contact = contact
  }

  /// The right to record its outcome.
  public var lease: DispatchLease { DispatchLease(id: id, fencingToken: fencingToken) }
}

/// The right of a sender to record the outcome of a row.
public struct DispatchLease: Hashable, Sendable {
  public var id: UUID
  public var fencingToken: Int

  public init(id: UUID, fencingToken: Int) {
    self.id = id
    self.fencingToken = fencingToken
  }
}

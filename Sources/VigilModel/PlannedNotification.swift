public import Foundation

/// One row of `notification_queue` or `shadow_notification_queue`, before delivery begins.
public struct PlannedNotification: Hashable, Sendable {
  public var recipient: UUID
  /// Whom the alert is about.
  public var member: UUID
  public var alertStateID: UUID
  public var level: AlertLevel
  public var notificationType: String
  public var templateID: String
  public var channel: Channel
  /// JSON, as the schema of notifications.md section 4 has it.
  public var payload: String
  public var priority: Priority
  public var scheduledFor: Timestamp
  public var expiresAt: Timestamp
  public var maxAttempts: Int

  public init(
    recipient: UUID, member: UUID, alertStateID: UUID, level: AlertLevel, notificationType: String,
    templateID: String, channel: Channel, payload: String, priority: Priority,
    scheduledFor: Timestamp, expiresAt: Timestamp, maxAttempts: Int = 3
  ) {
    self.recipient = recipient
    self.member = member
    self.alertStateID = alertStateID
    self.level = level
    self.notificationType = notificationType
    self.templateID = templateID
    self.channel = channel
    self.payload = payload
    self.priority = priority
    self.scheduledFor = scheduledFor
    self.expiresAt = expiresAt
    self.maxAttempts = maxAttempts
  }

  /// Alert, recipient, channel and level: what can be sent only once.
  ///
  /// The member leads, so that a run, which goes from person to person, appends to the index of
  /// the keys instead of touching all of it.
  public var dedupeKey: String {
    "\(member.lowercased):\(alertStateID.lowercased):\(recipient.lowercased)"
      + ":\(channel.rawValue):\(level.rawValue)"
  }

  /// UUIDv5 of the dedupe key, the same in shadow and live.
  public var id: UUID { UUID(name: "notification_queue:\(dedupeKey)") }

  public enum Channel: String, Sendable, Codable, CaseIterable {
    case push
    case whatsapp
    case sms
    case email
    case inApp = "in_app"
  }

  public enum Priority: String, Sendable, Codable, CaseIterable {
    case low
    case normal
    case high
    case critical
  }
}

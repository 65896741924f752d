public import Foundation
public import VigilModel

/// One row of `notification_queue` about a prompt.
public struct PromptNotice: Hashable, Sendable {
  public var recipient: UUID
  public var channel: PlannedNotification.Channel
  public var scheduledFor: Timestamp
  /// Nil for a row of the app alone about a prompt without an end of its own.
  public var expiresAt: Timestamp?
  /// The reason why it is not sent, or not at once.
  public var statusReason: PlannedNotification.StatusReason?
  public var dedupeKey: String
  /// Ids and words of the program; nothing in it is about health.
  public var payload: String

  init(
    of prompt: Prompt, to recipient: UUID, on channel: PlannedNotification.Channel,
    scheduledFor: Timestamp, expiresAt: Timestamp?,
    because statusReason: PlannedNotification.StatusReason?
  ) {
    self.recipient = recipient
    self.channel = channel
    self.scheduledFor = scheduledFor
    self.expiresAt = expiresAt
    self.statusReason = statusReason
    dedupeKey =
      "\(prompt.kind.rawValue):\(prompt.id.lowercased):\(recipient.lowercased):\(channel.rawValue)"
    payload = PromptPayload(prompt.kind, id: prompt.id, template: prompt.kind.rawValue).text
  }

  /// UUIDv5 of the dedupe key.
  public var id: UUID { UUID(name: "notification_queue:\(dedupeKey)") }

  public var status: PlannedNotification.Status { .init(enqueuedBecauseOf: statusReason) }
}

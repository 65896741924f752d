public import Foundation
public import VigilModel

/// A notification whose time has passed while it was held.
public struct OverdueNotification: Sendable, Hashable {
  public var dedupeKey: String
  public var recipient: UUID
  public var channel: PlannedNotification.Channel
  public var priority: PlannedNotification.Priority
  /// The reason with which it was planned.
  public var statusReason: PlannedNotification.StatusReason?

  public init(
    dedupeKey: String, recipient: UUID, channel: PlannedNotification.Channel,
    priority: PlannedNotification.Priority,
    statusReason: PlannedNotification.StatusReason? = nil
  ) {
    self.dedupeKey = dedupeKey
    self.recipient = recipient
    self.channel = channel
    self.priority = priority
    self.statusReason = statusReason
  }
}

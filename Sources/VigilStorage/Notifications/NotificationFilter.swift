public import Foundation
public import VigilModel

/// The rows of a queue to list; a nil property means any.
///
/// ```swift
/// let filter = NotificationFilter(queue: .live, status: .skipped, reason: .snoozed)
/// print(filter.reason?.rawValue ?? "any")  // snoozed
/// ```
public struct NotificationFilter: Sendable {
  public var queue: NotificationList
  public var id: UUIDPrefix?
  public var status: PlannedNotification.Status?
  public var reason: PlannedNotification.StatusReason?
  public var recipient: UUID?
  /// The person that the alert is about.
  public var member: UUID?
  /// The alert, or one of the alerts of a group.
  public var alert: UUID?

  public init(
    queue: NotificationList = .live, id: UUIDPrefix? = nil,
    status: PlannedNotification.Status? = nil, reason: PlannedNotification.StatusReason? = nil,
    recipient: UUID? = nil, member: UUID? = nil, alert: UUID? = nil
  ) {
    self.queue = queue
    self.id = id
    self.status = status
    self.reason = reason
    self.recipient = recipient
    self.member = member
    self.alert = alert
  }
}

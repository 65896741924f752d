public import Foundation
public import VigilModel

/// The times at which a row of the app was first delivered and read.
public struct NotificationReceipt: Hashable, Sendable {
  public var notification: UUID
  public var deliveredAt: Timestamp?
  /// Nil for a row that was not read.
  public var readAt: Timestamp?

  public init(notification: UUID, deliveredAt: Timestamp? = nil, readAt: Timestamp? = nil) {
    self.notification = notification
    self.deliveredAt = deliveredAt
    self.readAt = readAt
  }

  /// The event that an app records of a row.
  public enum Mark: Hashable, Sendable, CaseIterable {
    /// The app has the row, and shows it.
    case delivered
    /// The recipient has read it, so that it is delivered, too.
    case read
  }
}

import Foundation
import VigilModel
public import VigilStorage

/// The output of `vigil queue retry` and `vigil queue cancel`: the row after the change.
public struct QueueChangeReport: Sendable {
  public let notification: QueuedNotification
  /// The change, such as `will be sent again`.
  public let change: String

  public init(notification: QueuedNotification, change: String) {
    self.notification = notification
    self.change = change
  }
}

extension QueueChangeReport: Report {
  public func text(style: TextStyle) -> String {
    "Notification \(notification.id.shortened) on channel \(notification.channel.words) \(change).\n"
  }

  public func encode(to encoder: any Encoder) throws {
    try notification.fields([:]).encode(to: encoder)
  }
}

import ArgumentParser
import Foundation
import VigilModel
import VigilReport
import VigilStorage

struct QueueRetry: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Sends a notification again that failed, expired or was cancelled by hand.",
    discussion: """
      It has all its attempts again, and at least a day until it expires. What members have decided \
      since, and quiet hours, count as for every notification.

      Example:
        vigil queue list --status failed
        vigil queue retry 4c1d2e3f
      """)

  @OptionGroup var notification: NotificationIDArgument

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(.existing)
    let id = try notification.notification(in: storage).id
    try storage.retryNotification(id, at: context.clock.now)
    try context.write(
      QueueChangeReport(
        notification: try notification.notification(in: storage), change: "will be sent again"))
  }
}

struct QueueCancel: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel",
    abstract: "Cancels a notification that waits.",
    discussion: """
      One that is being sent at this moment cannot be cancelled.

      Example:
        vigil queue cancel 4c1d2e3f
      """)

  @OptionGroup var notification: NotificationIDArgument

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(.existing)
    let id = try notification.notification(in: storage).id
    try storage.cancelNotification(id, at: context.clock.now)
    try context.write(
      QueueChangeReport(
        notification: try notification.notification(in: storage), change: "is cancelled"))
  }
}

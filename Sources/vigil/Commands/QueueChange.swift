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

  @OptionGroup var change: QueueChangeArguments

  func run() throws {
    try change.carryOut(described: "will be sent again") { storage, id, now in
      try storage.retryNotification(id, at: now)
    }
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

  @OptionGroup var change: QueueChangeArguments

  func run() throws {
    try change.carryOut(described: "is cancelled") { storage, id, now in
      try storage.cancelNotification(id, at: now)
    }
  }
}

/// The arguments of both commands.
struct QueueChangeArguments: ParsableArguments {
  @OptionGroup var id: IDArgument<QueuedNotification>

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  /// Changes the notification, and writes it as it is then.
  ///
  /// - Parameters:
  ///   - words: The change, as `QueueChangeReport` shows it.
  ///   - change: Gets the storage, the id and the present instant.
  func carryOut(
    described words: String, _ change: (any DispatchStorage, UUID, Timestamp) throws -> Void
  ) throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(.existing)
    try change(storage, try id.notification(in: storage).id, context.clock.now)
    try context.write(
      QueueChangeReport(notification: try id.notification(in: storage), change: words))
  }
}

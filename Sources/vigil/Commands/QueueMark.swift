import ArgumentParser
import Foundation
import VigilModel
import VigilReport
import VigilStorage

struct QueueMarkDelivered: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mark-delivered",
    abstract: "Records that the app has a notification of its own channel.",
    discussion: """
      The notification is sent then. The first time stays. An app does the same with mark_delivered.

      Example:
        vigil queue mark-delivered 4c1d2e3f --by anna
      """)

  @OptionGroup var mark: QueueMarkArguments

  func run() throws { try mark.carryOut(.delivered) }
}

struct QueueMarkRead: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mark-read",
    abstract: "Records that a notification was read in the app.",
    discussion: """
      The notification is delivered then at the latest. The first time stays. It answers neither the alert nor a call: \
      vigil alerts ack does. An app does the same with mark_read.

      Example:
        vigil queue mark-read 4c1d2e3f --by anna
      """)

  @OptionGroup var mark: QueueMarkArguments

  func run() throws { try mark.carryOut(.read) }
}

/// The arguments of both commands: the notification, and its recipient.
struct QueueMarkArguments: ParsableArguments {
  @OptionGroup var id: IDArgument<QueuedNotification>

  @Option(
    help: ArgumentHelp(
      "The recipient, by UUID, its first 8 digits, or original id.", valueName: "id"))
  var by: String

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func carryOut(_ mark: NotificationReceipt.Mark) throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(.existing)
    let notification = try id.notification(in: storage).id
    guard let member = try PersonList(option: "--by", id: by).ids(in: storage).first else {
      throw CommandFailure(.badData, "--by \(by) names no person")
    }
    let receipt = try storage.mark(notification, as: mark, by: member, at: context.clock.now)
    let first =
      switch mark {
      case .delivered: "was delivered" + Self.time(receipt.deliveredAt)
      case .read: "was read" + Self.time(receipt.readAt)
      }
    try context.write(
      QueueChangeReport(notification: try id.notification(in: storage), change: first))
  }

  private static func time(_ instant: Timestamp?) -> String {
    instant.map { " at \($0)" } ?? ""
  }
}

import ArgumentParser
import VigilModel
import VigilReport
import VigilStorage

struct QueueDelivery: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delivery",
    abstract: "Records what a provider reports about the delivery of a text message.",
    discussion: """
      For the program that gets the provider's reports, where the database is SQLite; on PostgreSQL \
      it calls record_sms_delivery. A report can be given again, and in any order: the state of a \
      message only goes forward, and the first of delivered, failed and undelivered stays.

      Example:
        vigil queue delivery SM30ad --status delivered --at 2026-06-30T09:15:00Z
      """)

  @Argument(
    help: ArgumentHelp(
      "The id that the provider has answered, or that of the notification.", valueName: "message"))
  var message: String

  @Option(
    help: ArgumentHelp(
      "The state: \(MessageDelivery.words).",
      valueName: "status"),
    completion: .list(MessageDelivery.allCases.map(\.rawValue)), transform: MessageDelivery.argument
  )
  var status: MessageDelivery

  @Option(
    help: ArgumentHelp("When it came to be so; without it, now.", valueName: "instant"),
    transform: Timestamp.argument)
  var at: Timestamp?

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(.existing)
    let now = context.clock.now
    let delivery = try storage.recordDelivery(
      MessageReport(message, status, at: at ?? now), at: now)
    try context.write(MessageDeliveryReport(message: message, delivery: delivery))
  }
}

extension MessageDelivery {
  fileprivate static let words = allCases.map(\.rawValue).joined(separator: ", ")

  fileprivate static func argument(_ text: String) throws -> MessageDelivery {
    guard let delivery = MessageDelivery(rawValue: text) else {
      throw ValidationError("'\(text)' is none of \(words)")
    }
    return delivery
  }
}

import ArgumentParser
import Foundation
import VigilModel
import VigilReport
import VigilStorage

struct Queue: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Shows the notifications that runs have planned, and their outcomes.",
    discussion: """
      Example:
        vigil queue
        vigil queue list --status skipped --reason snoozed
        vigil queue show 4c1d2e3f
        vigil queue retry 4c1d2e3f
        vigil queue mark-read 4c1d2e3f --by anna
        vigil queue prune --older-than 90d
      """,
    subcommands: [
      QueueList.self, QueueShow.self, QueueRetry.self, QueueCancel.self, QueueMarkDelivered.self,
      QueueMarkRead.self, QueueDelivery.self, QueuePrune.self,
    ],
    defaultSubcommand: QueueList.self)
}

struct QueueList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists notifications: first the pending ones, then the newest.",
    discussion: """
      Example:
        vigil queue list --status pending
        vigil queue list --user participant-12 --reason quiet_hours
        vigil queue list --shadow --limit 20
        vigil queue list --held
      """)

  @Option(
    help: ArgumentHelp("Only this status: \(Words.status.list).", valueName: "status"),
    completion: .list(Words.status.all))
  var status: String?

  @Option(
    help: ArgumentHelp(
      "Only what is not sent, or not at once, because of this: \(Words.reason.list).",
      valueName: "reason"),
    completion: .list(Words.reason.all))
  var reason: String?

  @Option(
    help: ArgumentHelp(
      "Only to this recipient, by UUID, its first 8 digits, or original id.", valueName: "id"))
  var recipient: String?

  @Option(
    help: ArgumentHelp(
      "Only about this person, by UUID, its first 8 digits, or original id.", valueName: "id"))
  var user: String?

  @Flag(help: "Notifications that shadow runs would have sent.")
  var shadow = false

  @Flag(help: "Notifications that live runs hold until an operator decides.")
  var held = false

  @Option(
    help: ArgumentHelp(
      "The order: attention (pending ones by the time they are due, then the newest), newest,"
        + " person, recipient or status.",
      valueName: "key"),
    completion: .list(QueueOrder.words), transform: QueueOrder.choice)
  var sort = QueueOrder.attention

  @OptionGroup var limit: ListLimit

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    try Words.status.check(status, option: "--status")
    try Words.reason.check(reason, option: "--reason")
    if shadow, held { throw ValidationError("--shadow and --held exclude each other") }
  }

  func run() throws {
    let context = try common.context(formats: OutputFormat.ofLists)
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let filter = try filter(in: storage)
    let found = try storage.notifications(
      matching: filter, limit: sort == .attention ? limit.rows : nil)
    let waiting = shadow ? [] : try storage.notificationsWaitingForDecision()
    let externalIDs = try storage.externalIDs(
      of: Set(found.flatMap { [$0.recipient, $0.member] }))
    let notifications = Array(
      sort.sorted(found, externalIDs: externalIDs).prefix(limit.rows ?? found.count))
    try context.write(
      QueueReport(
        queue: filter.queue, notifications: notifications,
        counts: try storage.notificationCounts(matching: filter),
        read: try storage.readCount(matching: filter),
        held: waiting.map { .init(run: $0.run, notifications: $0.notifications) },
        externalIDs: externalIDs,
        emptyHint: notifications.isEmpty
          ? try emptyHint(storage, isHolding: !waiting.isEmpty) : ""))
  }

  private func filter(in storage: some Storage) throws -> NotificationFilter {
    NotificationFilter(
      queue: shadow ? .shadow : held ? .held : .live,
      status: status.flatMap(PlannedNotification.Status.init(rawValue:)),
      reason: reason.flatMap(PlannedNotification.StatusReason.init(rawValue:)),
      recipient: try person(recipient, option: "--recipient", in: storage),
      member: try person(user, option: "--user", in: storage))
  }

  private func person(
    _ id: String?, option: String, in storage: some Storage
  ) throws -> UUID? {
    try id.flatMap { try PersonList(option: option, id: $0).ids(in: storage).first }
  }

  /// The likeliest reason why nothing matches, and the next step.
  private func emptyHint(_ storage: some Storage, isHolding: Bool) throws -> String {
    if let hint = try FirstSteps.hint(storage) { return hint }
    if [status, reason, recipient, user].contains(where: { $0 != nil }) {
      return "Fewer conditions may find some."
    }
    if held { return "No run waits for a decision." }
    if isHolding {
      return "What the last runs have planned is held back; vigil queue list --held lists it."
    }
    let other = NotificationFilter(queue: shadow ? .live : .shadow)
    let hasOthers = try !storage.notifications(matching: other, limit: 1).isEmpty
    if shadow, hasOthers {
      return "Runs were live; without --shadow their notifications are listed."
    }
    if !shadow, try storage.hasDiscardedNotifications() {
      return "The notifications that live runs held were discarded; Vigil notifies of escalations."
    }
    if !shadow, hasOthers, try storage.runs(limit: 1).first?.mode == .shadow {
      return "Runs were in shadow mode; --shadow lists what they would have sent."
    }
    return "No alert has reached a level to notify of; vigil alerts list shows the alerts there"
      + " are."
  }
}

struct QueueShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows all columns of one notification, its payload included.",
    discussion: """
      Example:
        vigil queue show 4c1d2e3f --format json
      """)

  @OptionGroup var id: IDArgument<QueuedNotification>

  @Flag(help: "A notification that a shadow run would have sent.")
  var shadow = false

  @Flag(help: "A notification that a live run holds.")
  var held = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    if shadow, held { throw ValidationError("--shadow and --held exclude each other") }
  }

  func run() throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let queue: NotificationList = shadow ? .shadow : held ? .held : .live
    let notification = try id.notification(in: storage, queue)
    try context.write(
      NotificationReport(
        notification: notification, queue: queue,
        externalIDs: try storage.externalIDs(of: [notification.recipient, notification.member]),
        sending: queue == .live ? try storage.sendingState(of: notification.id) : nil))
  }
}

/// The words that an option accepts.
private struct Words {
  let all: [String]

  static let status = Words(all: PlannedNotification.Status.allCases.map(\.rawValue))
  static let reason = Words(all: PlannedNotification.StatusReason.allCases.map(\.rawValue))

  var list: String { all.joined(separator: ", ") }

  func check(_ word: String?, option: String) throws {
    guard let word, !all.contains(word) else { return }
    let nearest = NearestName.of(word, among: all).map { "; did you mean \($0)?" } ?? ""
    throw ValidationError("\(option) '\(word)' is none of \(list)\(nearest)")
  }
}

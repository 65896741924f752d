import ArgumentParser
import VigilModel
import VigilReport
import VigilStorage

struct AlertsAcknowledge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ack",
    abstract: "Says that somebody knows of an alert.",
    discussion: """
      Its open escalations count as answered. It is told all the same when it escalates.

      Example:
        vigil alerts ack 0f3a2b1c --by anna
      """)

  @OptionGroup var action: AlertActionArguments

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws { try action.carryOut(.acknowledge, try common.context()) }
}

struct AlertsSnooze: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snooze",
    abstract: "Tells nobody of an alert for some days.",
    discussion: """
      What of it waits in the queue is cancelled. Days before that of --until are not told of; from \
      that day on they are, where the alert is higher by then than what was told.

      Example:
        vigil alerts snooze 0f3a2b1c --by anna --until 2026-03-12
      """)

  @OptionGroup var action: AlertActionArguments

  @Option(
    help: ArgumentHelp(
      "The first day that is told of again; after today.", valueName: "date"),
    transform: Day.argument)
  var until: Day

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    let today = try context.today
    guard until > today else {
      throw CommandFailure(
        .usage,
        "--until \(until) is not after today, \(today); give the first day that is"
          + " to be told of again")
    }
    try action.carryOut(.snooze(until: until), context)
  }
}

struct AlertsDismiss: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dismiss",
    abstract: "Tells nobody of an alert any more.",
    discussion: """
      What of it waits in the queue is cancelled, and its open escalations need no answer any more.

      Example:
        vigil alerts dismiss 0f3a2b1c --by anna
      """)

  @OptionGroup var action: AlertActionArguments

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws { try action.carryOut(.dismiss, try common.context()) }
}

struct AlertsRestore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Takes a snooze and a dismissal back.",
    discussion: """
      What of the alert they have cancelled waits in the queue again, unless it has expired.

      Example:
        vigil alerts restore 0f3a2b1c --by anna
      """)

  @OptionGroup var action: AlertActionArguments

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws { try action.carryOut(.restore, try common.context()) }
}

/// What the four commands have in common: which alert, and who says it.
struct AlertActionArguments: ParsableArguments {
  @OptionGroup var id: AlertIDArgument

  @Option(
    help: ArgumentHelp(
      "Who says so, by UUID or original id: the person, or an accepted member of their family.",
      valueName: "id"))
  var by: String

  func carryOut(_ kind: AlertAction.Kind, _ context: CommandContext) throws {
    let storage = try context.openCurrentDatabase(.existing)
    let alert = try id.alert(in: storage)
    guard let actor = try PersonList(option: "--by", id: by).ids(in: storage).first else {
      throw CommandFailure(.badData, "--by \(by) is nobody")
    }
    let outcome = try storage.carryOut(
      AlertAction(kind, alert: alert.id, by: actor, at: context.clock.now))
    let persons = [alert.series.user, actor, outcome.alert.acknowledgedBy].compactMap(\.self)
    var report = AlertActionReport(
      outcome: outcome, externalIDs: try storage.externalIDs(of: Set(persons)))
    // Only the JSON has it.
    if context.settings.format == .json {
      report.course = context.courses(of: [outcome.alert], in: storage)[outcome.alert.id]
    }
    try context.write(report)
  }
}

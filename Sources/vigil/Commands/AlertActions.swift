import ArgumentParser
import VigilModel
import VigilReport
import VigilStorage

struct AlertsAcknowledge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ack",
    abstract: "Acknowledges an alert.",
    discussion: """
      Its open escalations count as answered. Vigil notifies again when the alert escalates.

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
    abstract: "Snoozes an alert: no notifications of it before a date.",
    discussion: """
      Its waiting notifications are cancelled. From the day of --until on, Vigil notifies of the \
      alert again if its level is higher than the one already notified.

      Example:
        vigil alerts snooze 0f3a2b1c --by anna --until 2026-03-12
      """)

  @OptionGroup var action: AlertActionArguments

  @Option(
    help: ArgumentHelp(
      "Notifications resume on this date; after today.", valueName: "date"),
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
        "--until \(until) is not after today, \(today); give the day on which notifications"
          + " resume")
    }
    try action.carryOut(.snooze(until: until), context)
  }
}

struct AlertsDismiss: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dismiss",
    abstract: "Dismisses an alert: no more notifications of it.",
    discussion: """
      Its waiting notifications are cancelled, and its open escalations need no answer any more.

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
    abstract: "Takes back a snooze and a dismissal.",
    discussion: """
      Notifications that they have cancelled wait in the queue again, unless they have expired.

      Example:
        vigil alerts restore 0f3a2b1c --by anna
      """)

  @OptionGroup var action: AlertActionArguments

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws { try action.carryOut(.restore, try common.context()) }
}

/// The arguments of the four commands: the alert, and the person who acts.
struct AlertActionArguments: ParsableArguments {
  @OptionGroup var id: IDArgument<PatternAlertState>

  @Option(
    help: ArgumentHelp(
      "Who acts, by UUID, its first 8 digits, or original id: the person, or an accepted member of their family.",
      valueName: "id"))
  var by: String

  func carryOut(_ kind: AlertAction.Kind, _ context: CommandContext) throws {
    let storage = try context.openCurrentDatabase(.existing)
    let alert = try id.alert(in: storage)
    guard let actor = try PersonList(option: "--by", id: by).ids(in: storage).first else {
      throw CommandFailure(.badData, "--by \(by) names no person")
    }
    let outcome = try storage.carryOut(
      AlertAction(kind, alert: alert.id, by: actor, at: context.clock.now))
    let persons = [alert.series.user, actor, outcome.alert.acknowledgedBy].compactMap(\.self)
    var report = AlertActionReport(
      outcome: outcome, externalIDs: try storage.externalIDs(of: Set(persons)))
    // Only the JSON has it.
    if context.settings.format == .json {
      report.limits = context.limits(in: storage)
      report.course = context.courses(of: [outcome.alert], in: storage)[outcome.alert.id]
    }
    try context.write(report)
  }
}

import ArgumentParser
import Foundation
import VigilDetection
import VigilModel
import VigilReport
import VigilStorage

struct PersonLimitsSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Sets a limit of a metric for one person.",
    discussion: """
      Without --yes it shows the limit, and changes nothing. To change one, end it, and set another that \
      begins on the next day. A person can have several limits of a metric and side: of those that a day \
      meets the gravest counts.

      Example:
        vigil person limits set participant-12 --metric resting_hr --above 110 \\
          --days 3 --until 2026-09-30 --by 'Dr. Lee' --note 'new tablets' --yes
      """)

  @OptionGroup var argument: PersonArgument

  @Option(help: ArgumentHelp("The metric, such as resting_hr.", valueName: "name"))
  var metric: String

  @Option(help: ArgumentHelp("Values below this one are beyond the limit.", valueName: "value"))
  var below: Double?

  @Option(help: ArgumentHelp("Values above this one are beyond the limit.", valueName: "value"))
  var above: Double?

  @Option(
    help: ArgumentHelp("The values in a row that open an alert, from 1 to 7.", valueName: "n"))
  var days = 1

  @Option(
    help: ArgumentHelp(
      "The severity with which an alert opens: watch, attention (the default) or critical.",
      valueName: "word"),
    transform: Severity.choice)
  var severity = Severity.attention

  @Option(
    help: ArgumentHelp("The first day whose value counts (default: today).", valueName: "date"),
    transform: Day.argument)
  var from: Day?

  @Option(
    help: ArgumentHelp("The last day whose value counts.", valueName: "date"),
    transform: Day.argument)
  var until: Day

  @Option(help: ArgumentHelp("The name of who set it.", valueName: "name"))
  var by: String

  @Option(help: ArgumentHelp("Why it was set.", valueName: "text"))
  var note: String?

  @Flag(help: "Sets the limit.")
  var yes = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    guard (below == nil) != (above == nil) else {
      throw ValidationError("give one of --below and --above, with the limit")
    }
    guard CriticalLimit.possibleDays.contains(days) else {
      throw ValidationError("--days \(days) is not from 1 to 7")
    }
    if let from, from > until {
      throw ValidationError("--from \(from) is after --until \(until); swap them")
    }
  }

  func run() throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(yes ? .existing : .existingReadOnly)
    let person = try argument.known(in: storage)
    let today = try context.today
    let first = min(from ?? today, until)
    let limit = PersonLimit(
      CriticalLimit(
        metric: MetricType(metric), below == nil ? .above : .below, below ?? above ?? 0,
        days: days, severity: severity),
      on: first...until, setBy: by)
    let others = try context.limits(of: person, in: storage)
    let thresholds = try context.thresholds(of: storage)
    if let fault = limit.fault(under: thresholds, on: today, beside: others) {
      throw CommandFailure(.usage, words(of: fault, limit, on: today, thresholds))
    }
    guard try storage.metricColumns().numeric.contains(limit.limit.metric) else {
      throw CommandFailure(
        .badData,
        "wearable_daily_metrics of \(storage.displayName) has no column \(metric), so that the limit"
          + " would have no effect; add the column first")
    }
    if yes, try !storage.add(limit, of: person, note: note) {
      throw CommandFailure(.usage, words(of: .taken(limit), limit, on: today, thresholds))
    }
    try context.write(
      PersonLimitChangeReport(
        limit, of: person, .set, isDryRun: !yes, note: note, others: others,
        externalIDs: storage.externalIDs(of: [person]), database: storage.displayName))
  }

  private func words(
    of fault: LimitFault, _ limit: PersonLimit, on today: Day, _ thresholds: Thresholds
  ) -> String {
    let side = limit.limit.direction.rawValue
    switch fault {
    case .notMeasured:
      return "--metric \(metric): it is not measured by wearables, and can have no limit"
    case .notFollowed(let metrics):
      let names = metrics.map(\.rawValue)
      let hint =
        NearestName.of(metric, among: names).map { "did you mean \($0)?" }
        ?? "its metrics are \(names.joined(separator: ", "))"
      return
        "--metric \(metric): thresholds \(thresholds.version) do not follow it, so that a limit would have no"
        + " effect; \(hint)"
    case .impossible(let range):
      let ends = [range.lowerBound, range.upperBound].map { JSONReader.shown(.number($0)) }
      return
        "--\(side): no day can have such a value of \(metric); give one from \(ends[0]) to \(ends[1])"
    case .over: return "--until \(until) is before today, \(today): give a later day"
    case .unnamed: return "--by: give the name of who set the limit"
    case .taken(let other):
      return
        "there is a limit of \(metric) \(side) a value with --days \(other.limit.days) and --from"
        + " \(other.days.lowerBound); end it, and set the new one from the next day on, or give another --days"
    }
  }
}

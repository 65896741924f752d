import ArgumentParser
import Foundation
import VigilDetection
import VigilModel
import VigilStorage

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explains why there is, or is not, an alert on a day, step by step.",
    discussion: """
      Example:
        vigil explain --user participant-12 --metric steps
        vigil explain --user participant-12 --metric steps --date 2026-06-30 --thresholds v1
        vigil explain --user participant-12 --metric steps --svg steps.svg
        vigil explain --user participant-12 --metric combined
        vigil explain --user participant-12 --metric resting_hr --limit above
        vigil explain --user participant-12 --metric inactivity
        vigil explain --user participant-12 --score sleep
        vigil explain --user participant-12 --medication 5b1e
        vigil explain --alert 0f3a2b1c

      Decides about the day once more from the stored input, and shows the values that count, the \
      comparison with its thresholds, the alert before and after, its notifications, and the least \
      change that would have led to the opposite answer. The database is not changed.
      """)

  @Option(
    help: ArgumentHelp(
      "An alert, in place of a person and a metric, by its id or the id's first digits.",
      valueName: "id"))
  var alert: String?

  @Option(
    help: ArgumentHelp("The person, by UUID, its first 8 digits, or original id.", valueName: "id"))
  var user: String?

  @Option(
    help: ArgumentHelp(
      "The metric, such as steps; inactivity or check_in_overdue for silence, or combined for all metrics together, where the profile follows them.",
      valueName: "name"))
  var metric: String?

  @Option(
    help: ArgumentHelp(
      "Explains the limits of the metric on this side, which hold without a baseline: below or above.",
      valueName: "side"))
  var limit: String?

  @Option(
    help: ArgumentHelp(
      "In place of a metric, a score: total, sleep, movement or stress.", valueName: "name"))
  var score: String?

  @Option(
    help: ArgumentHelp(
      "In place of a metric, the doses of a medication, by its id or the id's first digits.",
      valueName: "id"))
  var medication: String?

  @Option(
    help: ArgumentHelp(
      "The evaluated day (default: the last; with --alert the one that opened it).",
      valueName: "date"),
    transform: Day.argument)
  var date: Day?

  @Option(
    help: ArgumentHelp(
      "The thresholds to decide with (default: those of the database).", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var thresholds: String?

  @Option(
    help: ArgumentHelp("Also writes the chart as a picture.", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var svg: String?

  @Flag(help: "Replaces the file of --svg where it is there already.")
  var force = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  private static let scores = ["total"] + Pillar.scored.map(\.rawValue)

  func validate() throws {
    let given = [metric, score, medication].compactMap(\.self)
    if let alert {
      guard given.isEmpty, user == nil, limit == nil else {
        throw ValidationError("--alert names the person and the metric; give no other")
      }
      guard UUIDPrefix(alert) != nil else {
        throw ValidationError(
          "--alert \(alert) is no id; give a UUID, or its first four digits or more")
      }
      return
    }
    guard user != nil else { throw ValidationError("give --user with the person, or --alert") }
    guard given.count == 1 else {
      throw ValidationError("give one of --metric, --score and --medication")
    }
    if let limit, CriticalLimit.Direction(rawValue: limit) == nil || metric == nil {
      throw ValidationError("--limit \(limit): give below or above, together with --metric")
    }
    if let score, !Self.scores.contains(score) {
      throw ValidationError(
        "--score \(score) is no score; scores are \(Self.scores.joined(separator: ", "))")
    }
    if let medication, UUIDPrefix(medication) == nil {
      throw ValidationError(
        "--medication \(medication) is no id; give a UUID, or its first four digits or more")
    }
    if metric == nil, thresholds != nil || svg != nil {
      throw ValidationError("--thresholds and --svg go with --metric")
    }
  }

  func run() throws {
    let context = try common.context([:].with(.option(\.thresholds, thresholds)))
    if let date { try context.requireBegun(date, option: "--date") }
    _ = try AddressSpace.threads()
    let file = try svg.map { try context.newFile($0, option: "--svg", replaces: force) }
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    guard let alert else {
      guard let user,
        let person = try PersonList(option: "--user", id: user).ids(in: storage).first
      else { return }
      return try explain(person, context, storage, to: file)
    }
    let row = try IDArgument<PatternAlertState>.alert(beginningWith: alert, in: storage)
    var own = self
    own.date = date ?? row.episode.openedOn
    if let medication = row.series.medication {
      own.medication = medication.lowercased
    } else {
      own.metric = row.series.metric.rawValue
      own.limit =
        CriticalLimit.Direction.allCases.first { $0.pattern == row.series.pattern }?.rawValue
    }
    // An alert of an earlier profile is explained by the rules that found it.
    let rules = thresholds == nil ? try context.thresholds(of: row, in: storage) : nil
    try own.explain(row.series.user, context, storage, to: file, by: rules)
  }
}

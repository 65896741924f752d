import ArgumentParser
import Foundation
import VigilAnalysis
import VigilBatch
import VigilCharts
import VigilDetection
import VigilFiles
import VigilModel
import VigilReport
import VigilStorage
import VigilVitality

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

  private func explain(
    _ person: UUID, _ context: CommandContext, _ storage: any Storage, to file: NewFile?,
    by rules: Thresholds? = nil
  ) throws {
    let profiles = try RunProfiles(
      context.settings, own: storage.databaseProfiles(), database: storage.displayName)
    let sensitivity = try ExplanationReading.sensitivity(
      of: person, in: storage, logger: context.logger)
    let direction = limit.flatMap(CriticalLimit.Direction.init)
    if direction == nil, let metric, sensitivity[MetricType(metric)] == .off {
      throw CommandFailure(
        .badData,
        "--metric \(metric): sensitivity_overrides turns it off for this person, so that no day of it is judged;"
          + " set it to normal to see what the thresholds say")
    }
    let shared = try rules ?? profiles.thresholds.load()
    let thresholds = direction == nil ? shared.adjusted(to: sensitivity) : shared
    let reading = ExplanationReading(
      in: storage, thresholds: thresholds, vitality: try profiles.vitality.requireVitality(),
      zones: context.zones, logger: context.logger)
    if let direction {
      let (report, strip) = try reportLimit(
        direction, of: person, thresholds, sensitivity, reading, storage)
      try file?.write(strip.drawing.file)
      return try context.write(report)
    }
    if let score {
      return try context.write(
        report(on: Pillar(rawValue: score), of: person, reading, storage))
    }
    if let medication = medication.flatMap(UUIDPrefix.init) {
      return try context.write(report(on: medication, of: person, reading, storage))
    }
    if metric == MetricType.combined.rawValue {
      var (report, strips) = try reportTogether(
        on: person, thresholds, sensitivity, reading, storage)
      report.stored.course = report.stored.alert.flatMap {
        context.courses(of: [$0], in: storage, through: report.explanation.day)[$0.id]
      }
      if let file {
        guard let strips else {
          throw CommandFailure(
            .badData,
            "--svg: no metric of the person has a value and a history on \(report.explanation.day); there is"
              + " nothing to draw")
        }
        try file.write(strips.drawing.file)
      }
      return try context.write(report)
    }
    let silence = [MetricType.inactivity, .checkInOverdue].first { $0.rawValue == metric }
    if let silence {
      let (report, strip) = try reportSilence(
        silence, of: person, thresholds, sensitivity, reading, storage)
      try file?.write(strip.drawing.file)
      return try context.write(report)
    }
    var (report, strip) = try report(of: person, thresholds, sensitivity, reading, storage)
    report.stored.course = report.stored.alert.flatMap {
      context.courses(of: [$0], in: storage, through: report.explanation.day)[$0.id]
    }
    try file?.write(strip.drawing.file)
    try context.write(report)
  }

  // MARK: Metrics

  private func reportTogether(
    on person: UUID, _ thresholds: Thresholds, _ sensitivity: PersonalSensitivity,
    _ reading: ExplanationReading, _ storage: any Storage
  ) throws -> (CombinedExplanationReport, StackedStrips?) {
    guard thresholds.combined != nil else {
      throw CommandFailure(
        .usage,
        "--metric combined: thresholds \(thresholds.version) do not follow metrics together; explain one of"
          + " them, or give --thresholds v3")
    }
    let evaluated = try evaluatedDays(reading, in: storage)
    let (day, first) = (evaluated.day, evaluated.first)
    let input = try reading.readTogether(of: person, on: day, from: first)
    guard let explainer = CombinedExplainer(input.metrics, of: thresholds) else {
      throw CommandFailure(
        .badData,
        "wearable_daily_metrics in \(storage.displayName) has too few metrics to follow together; name one"
          + " with --metric")
    }
    let explanation = explainer.explain(
      input.series, stored: input.episodes, on: day, from: first)
    var report = CombinedExplanationReport(
      explanation, of: person, by: thresholds.profile, sensitivity)
    try read(
      &report.stored, of: explanation.after ?? explanation.before, of: person,
      among: input.stored, evaluated, reading, storage)
    let strips = report.strips(
      of: input.metrics, input.series, by: thresholds,
      evaluated: evaluated.runs.lastEvaluatedDays)
    report.chart = strips?.terminalText(width: 79)
    return (report, strips)
  }

  /// Reads what the database holds of the decision about an episode.
  func read(
    _ stored: inout StoredDecision, of episode: Episode?, of person: UUID,
    among rows: [PatternAlertState], _ evaluated: EvaluatedDays, _ reading: ExplanationReading,
    _ storage: any Storage
  ) throws {
    if let found = try reading.alert(of: episode, among: rows, on: evaluated.day) {
      stored.alert = found.alert
      stored.notifications = found.notifications
      stored.shadowNotifications = found.shadowNotifications
    }
    stored.run = evaluated.run
    stored.externalIDs = try storage.externalIDs(of: stored.recipients.union([person]))
  }

  func evaluatedDays(
    _ reading: ExplanationReading, in storage: some Storage
  ) throws -> EvaluatedDays {
    guard let found = try reading.evaluatedDays(on: date) else { throw noData(in: storage) }
    return found
  }

  private func report(
    of person: UUID, _ thresholds: Thresholds, _ sensitivity: PersonalSensitivity,
    _ reading: ExplanationReading, _ storage: any Storage
  ) throws -> (ExplanationReport, SeriesStrip) {
    let metric = try metric(in: thresholds)
    let evaluated = try evaluatedDays(reading, in: storage)
    let (day, first) = (evaluated.day, evaluated.first)
    let input = try reading.read(
      metric, of: person, on: day, from: first, evaluatedAt: evaluated.run?.startedAt)
    var report = ExplanationReport(
      DecisionExplainer(metric, of: thresholds).explain(input.series, on: day, from: first),
      of: ExplainedPerson(person, by: thresholds.profile, sensitivity[metric.metric]))
    report.observed = input.observed
    report.wear = input.wear
    try read(
      &report.stored, of: report.explanation.after ?? report.explanation.before, of: person,
      among: input.stored, evaluated, reading, storage)
    let strip = report.strip(of: input.series, evaluated: evaluated.runs.lastEvaluatedDays)
    report.chart = strip.values.isEmpty ? nil : strip.terminalText(width: 79)
    return (report, strip)
  }

  func metric(in thresholds: Thresholds) throws -> MetricThresholds {
    let metric = metric ?? ""
    if let found = thresholds.metrics.first(where: { $0.metric.rawValue == metric }) {
      return found
    }
    let names = thresholds.metrics.map(\.metric.rawValue)
    let hint =
      NearestName.of(metric, among: names).map { "did you mean \($0)?" }
      ?? "its metrics are \(names.joined(separator: ", "))"
    throw CommandFailure(
      .usage, "--metric \(metric): thresholds \(thresholds.version) have no such metric; \(hint)")
  }

  func noData(in storage: some Storage) -> CommandFailure {
    CommandFailure(
      .badData,
      "wearable_daily_metrics in \(storage.displayName) has no row; import data with"
        + " vigil import first")
  }
}

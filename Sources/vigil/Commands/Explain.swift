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
        vigil explain --user participant-12 --metric inactivity
        vigil explain --user participant-12 --score sleep
        vigil explain --user participant-12 --medication 5b1e

      Decides about the day once more from the stored input, and shows the values that count, the \
      comparison with its thresholds, the alert before and after, its notifications, and the least \
      change that would have led to the opposite answer. The database is not changed.
      """)

  @Option(help: ArgumentHelp("The person, by UUID or original id.", valueName: "id"))
  var user: String

  @Option(
    help: ArgumentHelp(
      "The metric, such as steps; inactivity or check_in_overdue for silence, or combined for all metrics together, where the profile follows them.",
      valueName: "name"))
  var metric: String?

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
    help: ArgumentHelp("The evaluated day (default: the last).", valueName: "date"),
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
    guard given.count == 1 else {
      throw ValidationError("give one of --metric, --score and --medication")
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
    guard let person = try PersonList(option: "--user", id: user).ids(in: storage).first else {
      return
    }
    let profiles = try RunProfiles(
      context.settings, own: storage.databaseProfiles(), database: storage.displayName)
    let sensitivity = try ExplanationReading.sensitivity(
      of: person, in: storage, logger: context.logger)
    if let metric, sensitivity[MetricType(metric)] == .off {
      throw CommandFailure(
        .badData,
        "--metric \(metric): sensitivity_overrides turns it off for this person, so that no day of it is judged;"
          + " set it to normal to see what the thresholds say")
    }
    let thresholds = try profiles.thresholds.load().adjusted(to: sensitivity)
    let reading = ExplanationReading(
      in: storage, thresholds: thresholds, vitality: try profiles.vitality.requireVitality(),
      zones: context.zones, logger: context.logger)
    if let score {
      return try context.write(
        report(on: Pillar(rawValue: score), of: person, reading, storage))
    }
    if let medication = medication.flatMap(UUIDPrefix.init) {
      return try context.write(report(on: medication, of: person, reading, storage))
    }
    if metric == MetricType.combined.rawValue {
      let (report, strips) = try reportTogether(
        on: person, thresholds, sensitivity, reading, storage)
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
      let (report, strip) = try reportSilence(silence, of: person, thresholds, reading, storage)
      try file?.write(strip.drawing.file)
      return try context.write(report)
    }
    let (report, strip) = try report(of: person, thresholds, sensitivity, reading, storage)
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
    let (runs, day, first) = try evaluation(by: thresholds, in: storage)
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
      explanation, of: person, profile: thresholds.profile)
    report.sensitivity = sensitivity
    report.alert = input.stored.alert(of: explanation.after ?? explanation.before, on: day)
    if let alert = report.alert {
      report.notifications = try notifications(of: alert, in: .live, storage)
      report.shadowNotifications = try notifications(of: alert, in: .shadow, storage)
    }
    report.run = runs.filter { $0.days.contains(day) }.max { $0.startedAt < $1.startedAt }
    report.externalIDs = try storage.externalIDs(of: report.persons)
    let strips = report.strips(
      of: input.metrics, input.series, by: thresholds, evaluated: runs.lastEvaluatedDays)
    report.chart = strips?.terminalText(width: 79)
    return (report, strips)
  }

  /// The runs that have evaluated the profile, the day to explain, and the day from which episodes are followed
  /// where no run has stored any.
  func evaluation(
    by thresholds: Thresholds, in storage: any Storage
  ) throws -> (runs: [RunRecord], day: Day, first: Day?) {
    let runs = try storage.runs(limit: Int(Int32.max)).filter { run in
      run.status == .succeeded && run.parts.contains(.patterns)
        && run.thresholds == thresholds.profile
    }
    let day = try date ?? runs.map(\.days.upperBound).max() ?? lastDay(in: storage)
    let first = try runs.isEmpty ? storage.metricDays().map { min($0.lowerBound, day) } : nil
    return (runs, day, first)
  }

  private func report(
    of person: UUID, _ thresholds: Thresholds, _ sensitivity: PersonalSensitivity,
    _ reading: ExplanationReading, _ storage: any Storage
  ) throws -> (ExplanationReport, SeriesStrip) {
    let metric = try metric(in: thresholds)
    let (runs, day, first) = try evaluation(by: thresholds, in: storage)
    let run = runs.filter { $0.days.contains(day) }.max { $0.startedAt < $1.startedAt }
    let input = try reading.read(
      metric, of: person, on: day, from: first, evaluatedAt: run?.startedAt)
    var report = ExplanationReport(
      DecisionExplainer(metric, of: thresholds).explain(input.series, on: day, from: first),
      of: person, profile: thresholds.profile)
    report.observed = input.observed
    report.wear = input.wear
    report.sensitivity = sensitivity[metric.metric]
    report.run = run
    try add(to: &report, input, storage)
    report.externalIDs = try storage.externalIDs(of: report.persons)
    let strip = report.strip(of: input.series, evaluated: runs.lastEvaluatedDays)
    report.chart = strip.values.isEmpty ? nil : strip.terminalText(width: 79)
    return (report, strip)
  }

  /// Adds the stored alert and its notifications.
  private func add(
    to report: inout ExplanationReport, _ input: ExplanationInput, _ storage: any Storage
  ) throws {
    let found = report.explanation
    guard let alert = input.stored.alert(of: found.after ?? found.before, on: found.day) else {
      return
    }
    report.alert = alert
    report.notifications = try notifications(of: alert, in: .live, storage)
    report.shadowNotifications = try notifications(of: alert, in: .shadow, storage)
  }

  /// The notifications of an alert, and of the event that it joined.
  func notifications(
    of alert: PatternAlertState, in queue: NotificationList, _ storage: any Storage
  ) throws -> [QueuedNotification] {
    try (alert.startsEvent ? [alert.id] : [alert.eventID, alert.id]).flatMap { id in
      try storage.notifications(matching: NotificationFilter(queue: queue, alert: id))
    }
  }

  private func metric(in thresholds: Thresholds) throws -> MetricThresholds {
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

  /// The newest day with data, where no run has evaluated any.
  private func lastDay(in storage: some Storage) throws -> Day {
    guard let days = try storage.metricDays() else {
      throw CommandFailure(
        .badData,
        "wearable_daily_metrics in \(storage.displayName) has no row; import data with"
          + " vigil import first")
    }
    return days.upperBound
  }

  // MARK: Scores

  private func report(
    on pillar: Pillar?, of person: UUID, _ reading: ExplanationReading, _ storage: any Storage
  ) throws -> ScoreExplanationReport {
    let evaluated = try storage.trendCoverages(of: [person]).map(\.day).max()
    let day = try date ?? evaluated ?? lastDay(in: storage)
    var report = ScoreExplanationReport(
      try reading.scores(of: person, on: day), of: pillar, person: person)
    let history = try storage.vitalityScores(of: [person], in: (day - 65)...day)
    report.stored = history.first { $0.day == day }
    report.insights = try storage.trendInsights(
      matching: InsightFilter(users: [person], days: day...day, includesSuppressed: true)
    ).filter { pillar == nil || $0.pillar == pillar }
    report.externalIDs = try storage.externalIDs(of: [person])
    let strip = ScoreExplanationReport.strip(of: history, pillar: pillar, through: day)
    report.chart = strip.values.isEmpty ? nil : strip.terminalText(width: 79, rows: 8)
    return report
  }

  // MARK: Doses

  private func report(
    on medication: UUIDPrefix, of person: UUID, _ reading: ExplanationReading,
    _ storage: any Storage
  ) throws -> DoseExplanationReport {
    let evaluated = try storage.runs(limit: Int(Int32.max))
      .filter { $0.status == .succeeded && $0.parts.contains(.adherence) }
      .map(\.days.upperBound).max()
    let day = try date ?? evaluated ?? lastDay(in: storage)
    guard let found = try reading.doses(of: medication, of: person, on: day) else {
      throw CommandFailure(
        .badData,
        "--medication \(self.medication ?? ""): not exactly one medication of this person that counts"
          + " begins so; vigil adherence --user lists them")
    }
    var report = DoseExplanationReport(found, of: person)
    let about = report.medication
    report.alerts = try storage.alertStates(matching: AlertFilter(users: [person])).filter {
      $0.series.medication == about
    }.compactMap { $0.standing(on: day) }.filter(\.episode.isActive)
    report.externalIDs = try storage.externalIDs(of: [person])
    return report
  }
}

extension [PatternAlertState] {
  /// The row of an episode or, where the input no longer leads to one, the row that is active on the day.
  fileprivate func alert(of episode: Episode?, on day: Day) -> PatternAlertState? {
    first { $0.episode.activeSince == episode?.activeSince }
      ?? last { row in
        row.episode.openedOn <= day && row.episode.resolution.map { $0.day > day } ?? true
      }
  }
}

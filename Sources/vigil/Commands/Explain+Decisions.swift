import Foundation
import VigilAnalysis
import VigilBatch
import VigilCharts
import VigilDetection
import VigilFiles
import VigilModel
import VigilReport
import VigilStorage

/// Explanations of decisions about metrics, limits and silence.
extension Explain {
  /// Writes what was asked for about a person.
  ///
  /// - Parameter rules: Those that found an alert; nil for those of the options.
  func explain(
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
    // A limit is no matter of sensitivity.
    let thresholds = direction == nil ? shared.adjusted(to: sensitivity) : shared
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
    let view = DecisionView(
      person: person, thresholds: thresholds, sensitivity: sensitivity, reading: reading,
      storage: storage, context: context, file: file)
    if let direction { return try explainLimit(direction, in: view) }
    if metric == MetricType.combined.rawValue { return try explainTogether(in: view) }
    let silence = [MetricType.inactivity, .checkInOverdue].first { $0.rawValue == metric }
    if let silence { return try explainSilence(silence, in: view) }
    try explainMetric(in: view)
  }

  private func explainMetric(in view: DecisionView) throws {
    let metric = try metric(in: view.thresholds)
    let found = try view.reading.explain(metric, of: view.person, on: evaluatedDays(in: view))
    var report = ExplanationReport(found.decision, of: view.subject(metric.metric))
    try view.add(found, to: &report.stored)
    report.stored.course = view.course(of: report.stored.alert, through: found.days.day)
    let strip = report.strip(
      of: found.input.series, evaluated: found.days.runs.lastEvaluatedDays)
    report.chart = strip.values.isEmpty ? nil : strip.terminalText(width: 79)
    try view.write(report, strip.drawing)
  }

  private func explainLimit(_ direction: CriticalLimit.Direction, in view: DecisionView) throws {
    let metric = try metric(in: view.thresholds)
    let found = try view.reading.explainLimit(
      of: metric, direction, of: view.person, view.sensitivity[metric.metric],
      on: evaluatedDays(in: view))
    var report = LimitExplanationReport(found.decision, of: view.subject(metric.metric))
    try view.add(found, to: &report.stored)
    let strip = report.strip(
      of: found.input.series, evaluated: found.days.runs.lastEvaluatedDays)
    report.chart = strip.values.isEmpty ? nil : strip.terminalText(width: 79)
    try view.write(report, strip.drawing)
  }

  private func explainSilence(_ metric: MetricType, in view: DecisionView) throws {
    guard
      let found = try view.reading.explainSilence(
        metric, of: view.person, on: evaluatedDays(in: view))
    else {
      throw CommandFailure(
        .usage,
        "--metric \(metric): thresholds \(view.thresholds.version) do not follow silence; add the object"
          + " \(metric) to the file, or give --thresholds v3")
    }
    var report = SilenceExplanationReport(found.decision, of: view.subject(metric))
    try view.add(found, to: &report.stored)
    try view.write(report, report.strip(evaluated: found.days.runs.lastEvaluatedDays).drawing)
  }

  private func explainTogether(in view: DecisionView) throws {
    guard view.thresholds.combined != nil else {
      throw CommandFailure(
        .usage,
        "--metric combined: thresholds \(view.thresholds.version) do not follow metrics together; explain one of"
          + " them, or give --thresholds v3")
    }
    let days = try evaluatedDays(in: view)
    guard let found = try view.reading.explainTogether(of: view.person, on: days) else {
      throw CommandFailure(
        .badData,
        "wearable_daily_metrics in \(view.storage.displayName) has too few metrics to follow together; name one"
          + " with --metric")
    }
    var report = CombinedExplanationReport(
      found.decision, of: view.person, by: view.thresholds.profile, view.sensitivity)
    try view.add(found, to: &report.stored)
    let strips = report.strips(
      of: found.input.metrics, found.input.series, by: view.thresholds,
      evaluated: days.runs.lastEvaluatedDays)
    report.chart = strips?.terminalText(width: 79)
    report.stored.course = view.course(of: report.stored.alert, through: days.day)
    if view.file != nil, strips == nil {
      throw CommandFailure(
        .badData,
        "--svg: no metric of the person has a value and a history on \(days.day); there is"
          + " nothing to draw")
    }
    try view.write(report, strips?.drawing)
  }

  private func evaluatedDays(in view: DecisionView) throws -> EvaluatedDays {
    guard let found = try view.reading.evaluatedDays(on: date) else {
      throw noData(in: view.storage)
    }
    return found
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

  func noData(in storage: some Storage) -> CommandFailure {
    CommandFailure(
      .badData,
      "wearable_daily_metrics in \(storage.displayName) has no row; import data with"
        + " vigil import first")
  }
}

/// The person and the rules of an explained decision, and the places that get the answer.
private struct DecisionView {
  let person: UUID
  /// The rules of the person, or for a limit the rules of all.
  let thresholds: Thresholds
  let sensitivity: PersonalSensitivity
  let reading: ExplanationReading
  let storage: any Storage
  let context: CommandContext
  /// Gets the drawing; nil where none is wanted.
  let file: NewFile?

  func subject(_ metric: MetricType) -> ExplainedPerson {
    ExplainedPerson(person, by: thresholds.profile, sensitivity[metric])
  }

  /// Adds what the database holds of a decision.
  func add<Decision, Input>(
    _ found: ReadDecision<Decision, Input>, to stored: inout StoredDecision
  ) throws {
    if let own = found.stored {
      stored.alert = own.alert
      stored.notifications = own.notifications
      stored.shadowNotifications = own.shadowNotifications
    }
    stored.run = found.days.run
    stored.externalIDs = try storage.externalIDs(of: stored.recipients.union([person]))
  }

  func course(of alert: PatternAlertState?, through day: Day) -> EpisodeCourse? {
    alert.flatMap { context.courses(of: [$0], in: storage, through: day)[$0.id] }
  }

  func write(_ report: some Report, _ drawing: Drawing?) throws {
    if let file, let drawing { try file.write(drawing.file) }
    try context.write(report)
  }
}

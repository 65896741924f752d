import ArgumentParser
import Foundation
import VigilAnalysis
import VigilBatch
import VigilDetection
import VigilModel
import VigilReport
import VigilStorage

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explains why there is, or is not, an alert on a day, step by step.",
    discussion: """
      Example:
        vigil explain --user participant-12 --metric steps
        vigil explain --user participant-12 --metric steps --date 2026-06-30 --thresholds v1

      Decides about the day once more from the stored input, and shows the values that count, the \
      comparison with its thresholds, the alert before and after, its notifications, and the least \
      change that would have led to the opposite answer. The database is not changed.
      """)

  @Option(help: ArgumentHelp("The person, by UUID or original id.", valueName: "id"))
  var user: String

  @Option(help: ArgumentHelp("The metric, such as steps.", valueName: "name"))
  var metric: String

  @Option(
    help: ArgumentHelp("The evaluated day (default: the last).", valueName: "date"),
    transform: Day.argument)
  var date: Day?

  @Option(
    help: ArgumentHelp(
      "The thresholds to decide with (default: those of the database).", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var thresholds: String?

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context([:].with(.option(\.thresholds, thresholds)))
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    guard let person = try PersonList(option: "--user", id: user).ids(in: storage).first else {
      return
    }
    let profiles = try RunProfiles(
      context.settings, own: storage.databaseProfiles(), database: storage.displayName)
    let thresholds = try profiles.thresholds.load()
    let metric = try metric(in: thresholds)
    let runs = try storage.runs(limit: Int(Int32.max)).filter { run in
      run.status == .succeeded && run.parts.contains(.patterns)
        && run.thresholds == thresholds.profile
    }
    let day = try date ?? runs.map(\.days.upperBound).max() ?? lastDay(in: storage)
    let explainer = DecisionExplainer(metric, of: thresholds)
    let first = try runs.isEmpty ? firstDay(in: storage) : nil
    let input = try ExplanationReading(
      in: storage, thresholds: thresholds, vitality: profiles.vitality.requireVitality(),
      zones: context.zones, logger: context.logger
    ).read(metric, of: person, on: day, from: first.map { min($0, day) })
    var report = ExplanationReport(
      explainer.explain(input.series, on: day, from: first.map { min($0, day) }), of: person,
      profile: thresholds.profile)
    report.observed = input.observed
    report.run = runs.filter { $0.days.contains(day) }.max { $0.startedAt < $1.startedAt }
    try add(to: &report, input, storage)
    report.externalIDs = try storage.externalIDs(of: report.persons)
    try context.write(report)
  }

  /// Adds the stored alert and its notifications.
  private func add(
    to report: inout ExplanationReport, _ input: ExplanationInput, _ storage: any Storage
  ) throws {
    let episode = report.explanation.after ?? report.explanation.before
    guard let alert = input.stored.first(where: { $0.episode.activeSince == episode?.activeSince })
    else { return }
    report.alert = alert
    report.notifications = try storage.notifications(
      matching: NotificationFilter(queue: .live, alert: alert.id))
    report.shadowNotifications = try storage.notifications(
      matching: NotificationFilter(queue: .shadow, alert: alert.id))
  }

  private func metric(in thresholds: Thresholds) throws -> MetricThresholds {
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

  private func firstDay(in storage: some Storage) throws -> Day? {
    try storage.metricDays()?.lowerBound
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
}

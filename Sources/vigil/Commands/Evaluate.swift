import ArgumentParser
import Foundation
import VigilAnalysis
import VigilBatch
import VigilDetection
import VigilImport
import VigilModel
import VigilReport
import VigilStorage

struct Evaluate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Compares the alerts of a database with changes that are known to have happened.",
    discussion: """
      Example:
        vigil evaluate --labels sample/labels.csv --labels-complete

      A label is found by the first alert of its person, and of its metric if it names one, that \
      opens from the first changed day to \(LabelledChange.grace) days after the last one. Further \
      alerts of the same change are neither true nor false. The delay counts from the first changed \
      day, which is day 1. Intervals hold the true value in 95 of 100 cases. Alerts on doses count only \
      where a label names dose_adherence_pct. Alerts of limits are counted apart: they are neither \
      true nor false.

      A day counts where the profile could judge a metric of the person: with a value, and enough \
      values before it. A label without such a day is no miss, and named apart.

      The file is CSV with the columns user_id, first_day, last_day and, for labels of one metric, \
      metric_type.
      """)

  @Option(
    help: ArgumentHelp("The changes, as CSV.", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var labels: String

  @Flag(
    help:
      "The file names every change of its persons, so that an alert without a label is false.")
  var labelsComplete = false

  @Option(
    help: ArgumentHelp(
      "Only alerts and labels from this day on (default: the first evaluated day).",
      valueName: "date"),
    transform: Day.argument)
  var from: Day?

  @Option(
    help: ArgumentHelp(
      "Only alerts and labels up to this day (default: the last evaluated day).",
      valueName: "date"),
    transform: Day.argument)
  var to: Day?

  @Option(
    help: ArgumentHelp(
      "The thresholds that the alerts were found with (default: those of the database).",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var thresholds: String?

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    if let from, let to, from > to {
      throw ValidationError("--from \(from) is after --to \(to); swap them")
    }
  }

  func run() throws {
    let context = try common.context([:].with(.option(\.thresholds, thresholds)))
    context.interruption.begin()
    let file = try LabelFile(path: labels, in: context.surroundings.folder)
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let days = try days(evaluatedIn: storage)
    let all = try changes(of: file, in: storage)
    let stored = try storage.databaseProfiles()
    let own = stored.first { $0.part == .patterns }?.profile
    let builtIn = thresholds == nil ? own.flatMap(ThresholdsSource.builtIn) : nil
    let profile = try
      (builtIn
      ?? RunProfiles(context.settings, own: stored, database: storage.displayName).thresholds)
      .load()
    if let own, own != profile.profile {
      throw CommandFailure(
        .badData,
        "the alerts of \(storage.displayName) were found with \(own.id), and --thresholds is \(profile.profile.id);"
          + " give the file of the first")
    }
    try requireKnown(all, of: profile)
    let changes = all.filter { days.contains($0.days.lowerBound) }
    let doses = MetricType.doseAdherence
    let countsDoses = changes.contains { $0.metric == doses }
    let alerts = try storage.alertStates(matching: AlertFilter())
      .filter { row in
        row.profile == own && row.episode.resolution?.reason != .retracted
          && (countsDoses || row.series.metric != doses) && row.series.pattern != .silence
          && row.series.medication == nil
      }
      .map(RaisedAlert.init).filter { days.contains($0.openedOn) }
    let judged = try judgedDays(days, labels: changes, by: profile, in: storage, context)
    try context.write(
      EvaluationReport(
        DetectionEvaluation(of: alerts, against: changes, judged: judged.isJudged), days: days,
        persons: judged.persons, personDays: judged.personDays,
        labelsOutside: all.count - changes.count, areLabelsComplete: labelsComplete,
        profile: own?.version))
  }

  /// Reads the values of all persons, as detection sees them.
  private func judgedDays(
    _ days: ClosedRange<Day>, labels: [LabelledChange], by thresholds: Thresholds,
    in storage: any Storage, _ context: CommandContext
  ) throws -> JudgedDays {
    let reading = try ObservationReading(
      storage: storage, thresholds: thresholds,
      days: (days.lowerBound - thresholds.longestHorizonDays)...days.upperBound,
      logger: context.logger)
    var judged = JudgedDays(of: reading.metrics, by: thresholds, over: days, labels: labels)
    let interruption = context.interruption
    try reading.forEachBatch(of: nil, shouldStop: { interruption.isRequested }) { block, persons in
      judged.add(block, of: persons)
    }
    try interruption.check()
    return judged
  }

  /// Refuses labels of metrics that no alert of the profile can be about: each would be a miss.
  private func requireKnown(
    _ changes: [LabelledChange], of thresholds: Thresholds
  ) throws {
    let known = thresholds.metrics.map(\.metric)
    let unknown = Set(changes.compactMap(\.metric)).subtracting(known)
    guard let first = unknown.map(\.rawValue).min() else { return }
    throw CommandFailure(
      .badData,
      "--labels \(labels): thresholds \(thresholds.version) follow no metric \"\(first.terminalSafe)\"; they follow"
        + " \(known.map(\.rawValue).joined(separator: ", "))")
  }

  /// The days that runs have evaluated, as far as they are asked for.
  private func days(evaluatedIn storage: some Storage) throws -> ClosedRange<Day> {
    let evaluated = try storage.succeededRuns(of: .patterns).filter { $0.kind != .person }
      .map(\.days)
    guard let first = evaluated.map(\.lowerBound).min(),
      let last = evaluated.map(\.upperBound).max()
    else {
      throw CommandFailure(
        .badData, "no run is recorded in \(storage.displayName); begin with vigil backfill")
    }
    // Days that no run has evaluated have no alerts, and must not count as days without one.
    let (from, to) = (max(from ?? first, first), min(to ?? last, last))
    guard from <= to else {
      throw CommandFailure(
        .usage,
        "\(storage.displayName) is evaluated from \(first) to \(last); give days among those")
    }
    return from...to
  }

  private func changes(of file: LabelFile, in storage: some Storage) throws -> [LabelledChange] {
    let lines = Dictionary(
      file.rows.map { ($0.person, $0.line) }, uniquingKeysWith: { min($0, $1) })
    let persons = try PersonList(name: "--labels \(labels)", lines: lines).persons(in: storage)
    let unknown = file.rows.filter { persons[$0.person] == nil }
    guard unknown.isEmpty else {
      let lines = unknown.prefix(10).map { "\($0.line)" }.joined(separator: ", ")
      throw CommandFailure(
        .badData,
        "--labels \(labels): \(unknown.count) of \(file.rows.count) rows are about no person in"
          + " \(storage.displayName) (line \(lines)\(unknown.count > 10 ? " and more" : "")); import"
          + " the persons, or take those rows out")
    }
    return file.rows.compactMap { row in
      persons[row.person].map { LabelledChange(person: $0, metric: row.metric, days: row.days) }
    }
  }
}

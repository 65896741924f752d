import ArgumentParser
import Foundation
import VigilAnalysis
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
      where a label names dose_adherence_pct.

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

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    if let from, let to, from > to {
      throw ValidationError("--from \(from) is after --to \(to); swap them")
    }
  }

  func run() throws {
    let context = try common.context()
    let file = try LabelFile(path: labels, in: context.surroundings.folder)
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let days = try days(evaluatedIn: storage)
    let changes = try changes(of: file, in: storage).filter { days.contains($0.days.lowerBound) }
    let persons = try storage.persons(withDataIn: days)
    let own = try storage.databaseProfiles().first { $0.part == .patterns }?.profile
    let doses = MetricType.doseAdherence
    let countsDoses = changes.contains { $0.metric == doses }
    let alerts = try storage.alertStates(matching: AlertFilter())
      .filter { row in
        row.profile == own && row.episode.resolution?.reason != .retracted
          && (countsDoses || row.series.metric != doses) && row.series.pattern != .silence
          && row.series.medication == nil
      }
      .map(RaisedAlert.init).filter { days.contains($0.openedOn) }
    try context.write(
      EvaluationReport(
        DetectionEvaluation(of: alerts, against: changes), days: days, persons: persons.count,
        areLabelsComplete: labelsComplete, profile: own?.version))
  }

  /// The days that runs have evaluated, as far as they are asked for.
  private func days(evaluatedIn storage: some Storage) throws -> ClosedRange<Day> {
    let evaluated = try storage.runs(limit: Int(Int32.max)).filter { run in
      run.status == .succeeded && run.parts.contains(.patterns) && run.kind != .person
    }.map(\.days)
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
    let ids = Set(file.rows.map(\.person))
    let uuids = Dictionary(
      ids.compactMap { id in UUID(uuidString: id).map { (id, $0) } }, uniquingKeysWith: { $1 })
    let present = try storage.persons(among: Set(uuids.values))
    let originals = ids.filter { uuids[$0] == nil }
    let known = originals.isEmpty ? [:] : try storage.persons(withExternalIDs: originals)
    func person(_ id: String) -> UUID? {
      guard let uuid = uuids[id] else { return known[id] }
      return present.contains(uuid) ? uuid : nil
    }
    let unknown = file.rows.filter { person($0.person) == nil }
    guard unknown.isEmpty else {
      let lines = unknown.prefix(10).map { "\($0.line)" }.joined(separator: ", ")
      throw CommandFailure(
        .badData,
        "--labels \(labels): \(unknown.count) of \(file.rows.count) rows are about no person in"
          + " \(storage.displayName) (line \(lines)\(unknown.count > 10 ? " and more" : "")); import"
          + " the persons, or take those rows out")
    }
    return file.rows.compactMap { row in
      person(row.person).map { LabelledChange(person: $0, metric: row.metric, days: row.days) }
    }
  }
}

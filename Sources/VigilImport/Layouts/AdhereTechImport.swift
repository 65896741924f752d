import Foundation
import VigilModel
public import VigilStorage

/// Reads the dose-by-dose export of AdhereTech's pill bottles, in the form of the example that comes with
/// the R package oncmap (github.com/oncmap/oncmap, `tests/testthat/test_adheretech_2.csv`).
///
/// - A dose is due at its deadline: schedules expect one at each deadline, within 60 minutes, and
///   at no other time. `PENDING` deadlines are expected as well and have no record: the engine
///   counts them as missed once their time is over.
/// - `ONTIME`, `LATE` and `EARLY` become taken, at the time of opening; `PAUSED` becomes a planned
///   skip, also where the bottle was opened.
/// - Times and dates are those in UTC: the export's local deadline leaves out summer time.
/// - The export has neither dosage nor form, and no schedules. A deadline in an hour that a clock
///   shows twice is expected the first time, and its record found there. A medication that is not
///   taken daily gets a schedule for each run of days.
/// - An export must hold all doses of its medications: where it holds fewer than an earlier export,
///   the older doses stay in `dose_history` and may not be expected any more.
public struct AdhereTechImport {
  /// The text before a patient's id in the name that its UUID is derived from.
  public static let idPrefix = "https://github.com/oncmap/oncmap#"

  private let reader: CSVReader
  private let rows: PillBottleRows
  private let options: ImportOptions

  /// Opens the file and checks its header; reads no row yet.
  ///
  /// - Throws: `ImportError` where the file cannot be read or is in another layout.
  public init(file: String, options: ImportOptions) throws {
    let meter = ProgressMeter(
      paths: [file.path(startingIn: options.currentFolder)], report: options.progress)
    reader = try CSVReader(path: file, in: options.currentFolder, didRead: { meter.add($0) })
    rows = PillBottleRows(
      columns: try PublishedColumns(
        of: reader, required: PillBottleRows.required,
        parser: FieldParser(today: options.today, zones: options.zones)),
      now: options.now)
    self.options = options
  }

  /// Imports the file in one transaction; once for each value of this type.
  ///
  /// Holds the doses of the whole file in memory.
  ///
  /// - Throws: `ImportError` where rows cannot be used (see `ImportOptions`) or `shouldStop`
  ///   returns true, `StorageError` from the database, `ZoneFault` where the rules of a time zone
  ///   cannot be read. Nothing is imported then.
  public func run(into storage: some Storage) throws -> ImportSummary {
    try storage.importRows { try load(into: $0) }
  }

  func load(into writer: any ImportWriter) throws -> ImportSummary {
    let session = ImportSession(writer: writer, options: options)
    func loader(_ table: InputTable, _ columns: [String]) throws -> TableLoader {
      try TableLoader(
        table: table, columns: columns, file: fileName(reader.path), session: session)
    }
    let medications = try loader(
      .medications, ["id", "user_id", "name", "dosage", "form", "start_date"])
    let schedules = try loader(
      .schedules,
      [
        "id", "medication_id", "type", "reference_timezone", "start_date", "end_date",
        "time_based_times", "time_based_flexibility_minutes",
      ])
    let history = try loader(
      .doseHistory,
      [
        "id", "medication_id", "schedule_id", "status", "scheduled_time", "actual_time",
        "recorded_timezone",
      ])

    var doses: [MedicationKey: [PillBottleDose]] = [:]
    try reader.forEachRow { row in
      do throws(RowProblem) {
        let dose = try rows.dose(in: row)
        doses[MedicationKey(dose), default: []].append(dose)
      } catch {
        try history.reject(error, line: row.line)
      }
    }
    // In the order in which the file first names them.
    for (key, doses) in doses.sorted(by: { $0.value[0].line < $1.value[0].line }) {
      let expected = DeadlineSchedules(of: key.id, doses: doses)
      try load(key, from: expected, into: medications, line: doses[0].line)
      try load(expected, of: key, into: schedules)
      try load(doses, of: key, on: expected, into: history)
    }
    return try session.finish(
      tables: [medications.summary, schedules.summary, history.summary])
  }

  private func load(
    _ key: MedicationKey, from expected: DeadlineSchedules, into loader: TableLoader, line: Int
  ) throws {
    guard let start = expected.all.map(\.days.lowerBound).min() else { return }
    var values: [InputValue] = [
      .uuid(key.id), .uuid(key.person.id), .text(key.name), .text("not stated"), .text("other"),
      .day(start),
    ]
    try loader.load(&values, of: key.person, line: line)
  }

  private func load(
    _ expected: DeadlineSchedules, of key: MedicationKey, into loader: TableLoader
  ) throws {
    for schedule in expected.all {
      var values: [InputValue] = [
        .uuid(schedule.id), .uuid(key.id), .text("timeBased"), .text(schedule.zone),
        .day(schedule.days.lowerBound), .day(schedule.days.upperBound),
        .text("[\"\(schedule.time)\"]"), .integer(Self.flexibilityMinutes),
      ]
      try loader.load(&values, of: nil, line: schedule.line)
    }
  }

  private func load(
    _ doses: [PillBottleDose], of key: MedicationKey, on expected: DeadlineSchedules,
    into loader: TableLoader
  ) throws {
    for dose in doses {
      guard let status = dose.status.recorded else {
        try loader.merge()
        continue
      }
      var values: [InputValue] = [
        .uuid(UUID(name: "dose_history:\(key.id.lowercased):\(dose.deadline)")), .uuid(key.id),
        expected.schedule(of: dose).map { .uuid($0) } ?? .null, .text(status.rawValue),
        .timestamp(dose.deadline), dose.recorded.map { .timestamp($0) } ?? .null,
        .text(dose.local.zone),
      ]
      try loader.load(&values, of: nil, line: dose.line)
    }
  }

  /// The minutes by which a bottle's `LATE` and `EARLY` differ from its `ONTIME`.
  private static let flexibilityMinutes: Int64 = 60

  /// A patient's medication, for which the export has only a name.
  private struct MedicationKey: Hashable {
    let person: PersonID
    let name: String

    init(_ dose: PillBottleDose) {
      (person, name) = (dose.person, dose.medication)
    }

    var id: UUID { UUID(name: "medications:\(person.id.lowercased):\(name)") }
  }
}

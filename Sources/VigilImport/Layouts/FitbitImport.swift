import Foundation
import VigilModel
public import VigilStorage

/// Reads Fitbit's daily exports in the form of the 2016 crowd-sourced data set
/// (doi:10.5281/zenodo.53894): `dailyActivity_merged.csv` and `sleepDay_merged.csv`.
///
/// - `movement_minutes` is the sum of fairly and very active minutes, missing where either is.
/// - Sleep records of one day are added up; rows that are equal in all columns count once.
/// - `sleep_efficiency_pct` is minutes asleep per minute in bed, rounded to two decimals.
public struct FitbitImport {
  /// The text before a participant's id in the name that its UUID is derived from.
  public static let idPrefix = "https://doi.org/10.5281/zenodo.53894#"

  static let activityFile = "dailyActivity_merged.csv"
  static let sleepFile = "sleepDay_merged.csv"

  private let activity: CSVReader
  private let activityColumns: PublishedColumns
  private let sleep: CSVReader
  private let sleepColumns: PublishedColumns
  private let ignoredFiles: [String]
  private let options: ImportOptions

  /// Opens both files and checks their headers; reads no row yet.
  ///
  /// - Throws: `ImportError` where a file is missing, cannot be read or is in another layout.
  public init(folder: String, options: ImportOptions) throws {
    let place = folder.path(startingIn: options.currentFolder)
    let names = try fileNames(inFolder: folder, at: place)
    let expected = [Self.activityFile, Self.sleepFile]
    let missing = expected.filter { !names.contains($0) }
    guard missing.isEmpty else {
      throw ImportError(
        .usage, "\(folder) does not hold \(missing.joined(separator: " and "))",
        remedy: .namePerson)
    }
    let paths = expected.map { path(of: $0, in: place) }
    let meter = ProgressMeter(paths: paths, report: options.progress)
    let parser = FieldParser(today: options.today, zones: options.zones)
    activity = try CSVReader(path: paths[0], didRead: { meter.add($0) })
    activityColumns = try PublishedColumns(
      of: activity, required: ["Id", "ActivityDate", "TotalSteps"], parser: parser)
    sleep = try CSVReader(path: paths[1], didRead: { meter.add($0) })
    sleepColumns = try PublishedColumns(
      of: sleep, required: ["Id", "SleepDay", "TotalMinutesAsleep", "TotalTimeInBed"],
      parser: parser)
    ignoredFiles = names.filter { !expected.contains($0) }.sorted()
    self.options = options
  }

  /// Imports both files in one transaction; once for each value of this type.
  ///
  /// - Throws: `ImportError` where rows cannot be used (see `ImportOptions`) or `shouldStop`
  ///   returns true, `StorageError` from the database. Nothing is imported then.
  public func run(into storage: some Storage) throws -> ImportSummary {
    try storage.importRows { try load(into: $0) }
  }

  func load(into writer: any ImportWriter) throws -> ImportSummary {
    let session = ImportSession(writer: writer, options: options)
    let key = ["user_id", "metric_date", "source"]
    let days = try TableLoader(
      table: .wearableDailyMetrics, columns: key + ["steps", "movement_minutes"],
      file: Self.activityFile, session: session)
    try loadActivity(with: days)
    let nights = try TableLoader(
      table: .wearableDailyMetrics, columns: key + ["sleep_minutes", "sleep_efficiency_pct"],
      file: Self.sleepFile, session: session)
    try loadSleep(with: nights)
    return try session.finish(
      tables: [days.summary, nights.summary], ignoredFiles: ignoredFiles)
  }

  private func loadActivity(with loader: TableLoader) throws {
    try activity.forEachRow { row in
      let person: PersonID
      var values: [InputValue]
      do throws(RowProblem) {
        if let problem = row.problem { throw RowProblem(reason: problem.description) }
        person = try activityColumns.person("Id", of: row, prefix: Self.idPrefix)
        let day = try activityColumns.required("ActivityDate", of: row, parse: Self.day)
        let steps = try activityColumns.number("TotalSteps", of: row)
        let fair = try activityColumns.number("FairlyActiveMinutes", of: row)
        let vigorous = try activityColumns.number("VeryActiveMinutes", of: row)
        values = [
          .uuid(person.id), .day(day), .text("fitbit"), InputValue(steps),
          InputValue(fair.flatMap { part in vigorous.map { part + $0 } }),
        ]
      } catch {
        return try loader.reject(error, line: row.line)
      }
      try loader.load(&values, of: person, line: row.line)
    }
  }

  private func loadSleep(with loader: TableLoader) throws {
    var seen: Set<SleepRecord> = []
    var nights: [Night: Sleep] = [:]
    try sleep.forEachRow { row in
      let record: SleepRecord
      do throws(RowProblem) {
        if let problem = row.problem { throw RowProblem(reason: problem.description) }
        record = try sleepRecord(in: row)
      } catch {
        return try loader.reject(error, line: row.line)
      }
      guard seen.insert(record).inserted else { return try loader.merge() }
      if nights[record.night] == nil {
        nights[record.night] = Sleep(line: row.line)
      } else {
        try loader.merge()
      }
      nights[record.night]?.minutesAsleep += record.minutesAsleep
      nights[record.night]?.minutesInBed += record.minutesInBed
    }
    for (night, sleep) in nights.sorted(by: { $0.value.line < $1.value.line }) {
      var values: [InputValue] = [
        .uuid(night.person.id), .day(night.day), .text("fitbit"), .real(sleep.minutesAsleep),
        InputValue(sleep.efficiency),
      ]
      try loader.load(&values, of: night.person, line: sleep.line)
    }
  }

  private func sleepRecord(in row: CSVRow) throws(RowProblem) -> SleepRecord {
    let person = try sleepColumns.person("Id", of: row, prefix: Self.idPrefix)
    let day = try sleepColumns.required("SleepDay", of: row, parse: Self.day)
    guard let asleep = try sleepColumns.number("TotalMinutesAsleep", of: row) else {
      throw RowProblem(column: "TotalMinutesAsleep", reason: "missing")
    }
    guard let inBed = try sleepColumns.number("TotalTimeInBed", of: row) else {
      throw RowProblem(column: "TotalTimeInBed", reason: "missing")
    }
    return SleepRecord(
      night: Night(person: person, day: day),
      records: try sleepColumns.number("TotalSleepRecords", of: row), minutesAsleep: asleep,
      minutesInBed: inBed)
  }

  private struct Night: Hashable {
    var person: PersonID
    var day: Day
  }

  /// One row of the sleep file.
  private struct SleepRecord: Hashable {
    var night: Night
    var records: Double?
    var minutesAsleep: Double
    var minutesInBed: Double
  }

  /// The sums of the records of a night.
  private struct Sleep {
    /// The line of its first record.
    var line: Int
    var minutesAsleep = 0.0
    var minutesInBed = 0.0

    /// In percent, rounded half to even to two decimals; nil where there are no minutes in bed.
    var efficiency: Double? {
      guard minutesInBed > 0 else { return nil }
      return (10_000 * minutesAsleep / minutesInBed).rounded(.toNearestOrEven) / 100
    }
  }

  /// `M/D/YYYY`, with or without a time behind it.
  static func day(_ parser: FieldParser, _ bytes: FieldParser.Bytes) throws(Refusal) -> Day {
    let day = try parser.americanDay(bytes)
    guard day <= parser.lastDay else { throw Refusal("date in the future") }
    return day
  }
}

import Foundation
import VigilModel
public import VigilStorage

/// Reads the daily table of the LifeSnaps data set as it is published
/// (`daily_fitbit_sema_df_unprocessed.csv`, doi:10.5281/zenodo.7229547).
///
/// - `movement_minutes` is the sum of moderately and very active minutes, missing where either is.
/// - `deep_sleep_minutes` and `rem_sleep_minutes` stay empty: the file has only their ratio to the
///   person's own 30-day mean. `active_calories` stays empty: `calories` includes the basal rate.
/// - `worn_minutes` is the sum of the minutes in the zones of the heart rate, missing where one is or all are 0.
/// - Each activity type of a day becomes one exercise session without a time.
public struct LifeSnapsImport {
  /// The text before a participant's id in the name that its UUID is derived from.
  public static let idPrefix = "https://doi.org/10.5281/zenodo.7229547#"

  private let reader: CSVReader
  private let columns: PublishedColumns
  private let options: ImportOptions

  /// Opens the file and checks its header; reads no row yet.
  ///
  /// - Throws: `ImportError` where the file cannot be read or is in another layout.
  public init(file: String, options: ImportOptions) throws {
    let meter = ProgressMeter(
      paths: [file.path(startingIn: options.currentFolder)], report: options.progress)
    reader = try CSVReader(path: file, in: options.currentFolder, didRead: { meter.add($0) })
    columns = try PublishedColumns(
      of: reader, required: ["id", "date"],
      parser: FieldParser(today: options.today, zones: options.zones))
    self.options = options
  }

  /// Imports the file in one transaction; once for each value of this type.
  ///
  /// - Throws: `ImportError` where rows cannot be used (see `ImportOptions`) or `shouldStop`
  ///   returns true, `StorageError` from the database. Nothing is imported then.
  public func run(into storage: some Storage) throws -> ImportSummary {
    try storage.importRows { try load(into: $0) }
  }

  /// The source's metric columns that are read without a change.
  private static let metrics: [(source: String, metric: String)] = [
    ("steps", "steps"),
    ("minutesAsleep", "sleep_minutes"),
    ("rmssd", "hrv_ms"),
    ("resting_hr", "resting_hr"),
    ("sleep_efficiency", "sleep_efficiency_pct"),
    ("full_sleep_breathing_rate", "breathing_rate"),
    ("minutesAwake", "awake_minutes"),
    ("spo2", "spo2_avg_pct"),
    ("nightly_temperature", "skin_temperature_c"),
  ]

  func load(into writer: any ImportWriter) throws -> ImportSummary {
    let session = ImportSession(writer: writer, options: options)
    let file = fileName(reader.path)
    let days = try TableLoader(
      table: .wearableDailyMetrics,
      columns: ["user_id", "metric_date", "source"] + Self.metrics.map(\.metric)
        + ["movement_minutes", "worn_minutes"],
      file: file, session: session)
    let workouts = try TableLoader(
      table: .exerciseSessions, columns: ["id", "user_id", "metric_date", "activity_type_name"],
      file: file, session: session)
    try reader.forEachRow { row in
      let person: PersonID
      let day: Day
      let activityTypes: [String]
      var values: [InputValue]
      do throws(RowProblem) {
        if let problem = row.problem { throw RowProblem(reason: problem.description) }
        person = try columns.person("id", of: row, prefix: Self.idPrefix)
        day = try columns.required("date", of: row) { parser, bytes throws(Refusal) in
          try parser.day(bytes)
        }
        values = [.uuid(person.id), .day(day), .text("fitbit")]
        for (source, _) in Self.metrics {
          values.append(InputValue(try columns.number(source, of: row)))
        }
        let moderate = try columns.number("moderately_active_minutes", of: row)
        let vigorous = try columns.number("very_active_minutes", of: row)
        values.append(InputValue(moderate.flatMap { part in vigorous.map { part + $0 } }))
        values.append(InputValue(try wornMinutes(in: row)))
        activityTypes = Self.activityTypes(in: try columns.text("activityType", of: row) ?? "")
      } catch {
        return try days.reject(error, line: row.line)
      }
      try days.load(&values, of: person, line: row.line)
      for type in activityTypes {
        let id = exerciseSessionID(
          person: person.id, day: day, activityType: type, startedAt: nil)
        var values: [InputValue] = [.uuid(id), .uuid(person.id), .day(day), .text(type)]
        try workouts.load(&values, of: person, line: row.line)
      }
    }
    return try session.finish(tables: [days.summary, workouts.summary])
  }

  private static let zones = [
    "minutes_below_default_zone_1", "minutes_in_default_zone_1", "minutes_in_default_zone_2",
    "minutes_in_default_zone_3",
  ]

  private func wornMinutes(in row: CSVRow) throws(RowProblem) -> Double? {
    var sum = 0.0
    for zone in Self.zones {
      guard let minutes = try columns.number(zone, of: row) else { return nil }
      sum += minutes
    }
    return sum > 0 ? sum : nil
  }

  /// The words of a list as Python prints it, such as `['Walk', "Driver's Ed"]`; a text that is no
  /// list is one word.
  static func activityTypes(in text: String) -> [String] {
    guard let first = text.first, first == "[" || first == "{" else {
      return text.isEmpty ? [] : [text]
    }
    var words: [String] = []
    var word = ""
    var delimiter: Character?
    var isEscaped = false
    for character in text.dropFirst() {
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if delimiter == nil {
        if character == "'" || character == "\"" { delimiter = character }
      } else if character == "\\" {
        isEscaped = true
      } else if character == delimiter {
        words.append(word)
        word = ""
        delimiter = nil
      } else {
        word.append(character)
      }
    }
    return words.filter { !$0.isEmpty }
  }
}

extension InputValue {
  init(_ number: Double?) {
    self = number.map { .real($0) } ?? .null
  }
}

import Foundation
import VigilModel
import VigilStorage

/// The files of one maker's export: which tables they hold, and the metric of each column.
///
/// A file in JSON under `Presets/Archives`. Of two tables that have a metric on a day, the earlier one counts.
struct ArchiveLayout {
  let name: String
  let about: String
  /// The source of all rows.
  let source: String
  let tables: [ArchiveTable]
}

/// One kind of table of an export.
struct ArchiveTable {
  enum Format: String, Decodable {
    case csv
    case json
    case sqlite
    /// FIT files, of which `FITLayout` knows the messages.
    case fit
    /// The monthly JSON files of a Fitbit account, which `FitbitDays` knows.
    case fitbit
  }

  /// The way to the date of a record.
  struct DayRule: Decodable {
    enum Form: String, Decodable {
      /// The date that the text begins with; or, of a number, milliseconds since 1970 at midnight of UTC.
      case local
      /// An instant, with the offset in the text or in `offset`, or else in the person's zone.
      case instant
      /// `MM/DD/YY HH:MM:SS`.
      case monthFirst = "month_first"
    }

    /// The first of them that a record has.
    var columns: [String]
    var form: Form?
    /// The column with the offset, such as `+02:00` and `UTC+0200`.
    var offset: String?
  }

  /// The way to the workout of a record, whose `DayRule` has the start.
  struct WorkoutRule: Decodable {
    /// The columns with the activity; the first that a record has.
    var activity: [String]
    /// The column with the end.
    var end: String?
    /// The activities that the export writes as numbers.
    var names: [String: String]?
    /// Patterns of activities that are no workout, such as `*walk*`.
    var leftOut: [String]?
  }

  /// Patterns of names, with `*` for any text; case makes no difference.
  let files: [String]
  let format: Format
  let skippedLines: Int
  /// A pattern of the first line, by which a CSV file with another name is recognized; nil for none.
  let firstLine: String?
  /// The heading that stands for one of an account in another language, both as letters.
  let headings: [String: String]
  /// Keys in JSON whose lists and objects are not looked at, as they are most of the file.
  let skippedKeys: [String]
  /// The path to the list of records in JSON; empty for the whole file.
  let rows: String
  /// Columns without which a file is none of these.
  let needs: [String]
  /// Values that a record must have, by column.
  let when: [String: [String]]
  /// Values that a record must not have, by column.
  let unless: [String: [String]]
  let day: DayRule
  /// For a table with a workout in each record, which has no metrics; else nil.
  let workout: WorkoutRule?
  /// The metric of each column; columns of one metric are added up.
  let columns: [(column: String, metric: MetricType, unit: MetricUnit)]
  let missingZeros: Set<String>
  /// Columns that look like a metric and are none, with the reason.
  let leftOut: [String: String]
  let sameDay: SameDayRule
  /// The columns that make a record the same as another one, of which the later counts.
  let id: [String]
  /// The column with the device; of a day the device with the largest value counts.
  let oneOf: String?
  /// The name of the query of a table in SQLite.
  let query: String?
}

extension ArchiveLayout {
  private struct Document: Decodable {
    var name: String
    var about: String
    var source: String
    var headings: [String: String]?
    var tables: [Table]
  }

  private struct Table: Decodable {
    var files: [String]
    var format: ArchiveTable.Format
    var skipLines: Int?
    var firstLine: String?
    var skipKeys: [String]?
    var rows: String?
    var needs: [String]?
    var when: [String: [String]]?
    var unless: [String: [String]]?
    var day: ArchiveTable.DayRule?
    var workout: ArchiveTable.WorkoutRule?
    var columns: [String: String]?
    var missingZeros: [String]?
    var leftOut: [String: String]?
    var sameDay: String?
    var id: [String]?
    var oneOf: String?
    var query: String?
  }

  /// - Throws: `DecodingError` or `ImportError` where the file is no layout.
  init(json: String) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let document = try decoder.decode(Document.self, from: Data(json.utf8))
    (name, about, source) = (document.name, document.about, document.source)
    let headings = (document.headings ?? [:]).map {
      (ColumnRole.letters(of: $0), ColumnRole.letters(of: $1))
    }
    tables = try document.tables.map { table in
      ArchiveTable(
        files: table.files, format: table.format,
        skippedLines: table.skipLines ?? 0, firstLine: table.firstLine,
        headings: Dictionary(uniqueKeysWithValues: headings),
        skippedKeys: table.skipKeys ?? [], rows: table.rows ?? "",
        needs: table.needs ?? [],
        when: table.when ?? [:], unless: table.unless ?? [:],
        day: table.day ?? ArchiveTable.DayRule(columns: []), workout: table.workout,
        columns: try (table.columns ?? [:]).sorted { $0.key < $1.key }.map { column, target in
          guard
            case .metric(let metric, let unit) = try ColumnAssignment(
              column: column, target: target
            ).role
          else {
            throw ImportError(.badData, "\(document.name): '\(column)' is no metric")
          }
          return (column, metric, unit)
        },
        missingZeros: Set(table.missingZeros ?? []), leftOut: table.leftOut ?? [:],
        sameDay: table.sameDay.flatMap(SameDayRule.init(rawValue:)) ?? .last,
        id: table.id ?? [], oneOf: table.oneOf, query: table.query)
    }
  }

  /// The layouts that come with Vigil, in the order in which they are tried.
  static func shipped() throws -> [ArchiveLayout] {
    try [
      PackageResources.fitbit_json, PackageResources.garmin_json, PackageResources.oura_json,
      PackageResources.whoop_json, PackageResources.withings_json, PackageResources.samsung_json,
      PackageResources.polar_json, PackageResources.health_connect_json,
    ].map(ArchiveLayout.init(json:))
  }
}

extension ArchiveTable {
  /// Whether a file has a name of this kind; case and what a browser adds to a copy make no difference.
  func matches(_ path: String) -> Bool {
    let name = Self.withoutCopyNumber(fileName(path).lowercased())
    return files.contains { Self.matches(name[...], pattern: $0.lowercased()[...]) }
  }

  /// `sleep.csv` for `sleep (1).csv`.
  private static func withoutCopyNumber(_ name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
      name[name.index(before: dot)] == ")", let open = name[..<dot].lastIndex(of: "("),
      Int(name[name.index(after: open)..<name.index(before: dot)]) != nil
    else { return name }
    var stem = name[..<open]
    if stem.last == " " { stem.removeLast() }
    return String(stem + name[dot...])
  }

  /// Whether a text is that of a pattern, in which `*` stands for any text.
  static func matches(_ name: Substring, pattern: Substring) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    if first == "*" {
      let rest = pattern.dropFirst()
      var end = name
      while true {
        if matches(end, pattern: rest) { return true }
        if end.isEmpty { return false }
        end.removeFirst()
      }
    }
    return name.first == first && matches(name.dropFirst(), pattern: pattern.dropFirst())
  }
}

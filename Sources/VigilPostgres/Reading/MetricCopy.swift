import Foundation
import VigilModel
import VigilSQL
import VigilStorage

/// The COPY that reads the metric rows of some persons.
///
/// A COPY takes no parameters. What stands in its text are ids and days in the spelling of their
/// types, and names of columns that the catalogue has, quoted.
struct MetricCopy {
  static let table = "wearable_daily_metrics"

  /// What every row begins with: person, day, source, update.
  static let leadingColumns = 4

  private let select: String

  /// - Parameter columns: The names of the table's or view's columns and their types.
  /// - Throws: `StorageError` with `.unknownColumn` for a metric that is no numeric column.
  init(
    metrics: [MetricType], reportsWear: Bool, columns: [(name: String, type: String)],
    database: String
  ) throws {
    let numeric = columns.filter { Self.isNumeric($0.type) }.map(\.name)
    let unknown = metrics.filter { !numeric.contains($0.rawValue) }
    guard unknown.isEmpty else {
      let names = unknown.map { "'\($0)'" }.joined(separator: ", ")
      throw StorageError(
        .unknownColumn,
        "\(Self.table) in \(database) has no numeric column \(names); it has "
          + numeric.joined(separator: ", "),
        hint: "correct the metric in the thresholds file, or add the column as double precision")
    }
    var selected = ["user_id", "metric_date", "source::text", Self.update(in: columns)]
    selected += metrics.map { "\($0.rawValue.quotedIdentifier)::double precision" }
    if reportsWear {
      // CASE stops at the first hit, which OR does not have to.
      let cases = numeric.map { "WHEN \($0.quotedIdentifier) > 0 THEN TRUE" }
      selected.append(
        numeric.isEmpty ? "TRUE" : "CASE \(cases.joined(separator: " ")) ELSE FALSE END")
    }
    select = "SELECT \(selected.joined(separator: ", ")) FROM {{schema}}.\(Self.table)"
  }

  /// A view of another table may have no such column; a time without a zone is taken for UTC.
  static func update(in columns: [(name: String, type: String)]) -> String {
    let type = columns.first { $0.name == "updated_at" }?.type ?? ""
    return type.hasPrefix("timestamp") ? "updated_at" : "NULL::timestamptz"
  }

  static func isNumeric(_ type: String) -> Bool {
    switch type {
    case "smallint", "integer", "bigint", "real", "double precision": true
    default: type.hasPrefix("numeric")
    }
  }

  /// Ordered as the primary key is, so that the rows of a person come together.
  func sql(persons: [UUID], days: ClosedRange<Day>) -> String {
    let ids = persons.map(\.lowercased).joined(separator: ",")
    // Their spelling knows only the days of the calendar.
    let days = days.clamped(to: Day.calendar)
    return """
      COPY (
        \(select)
        WHERE user_id = ANY ('{\(ids)}'::uuid[])
          AND metric_date BETWEEN '\(days.lowerBound)'::date AND '\(days.upperBound)'::date
        ORDER BY user_id, metric_date, source
      ) TO STDOUT (FORMAT binary)
      """
  }
}

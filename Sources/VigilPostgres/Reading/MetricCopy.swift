import Foundation
import VigilModel
import VigilSQL
import VigilStorage

/// The columns of the COPY that reads the metric rows of some persons.
struct MetricCopy {
  static let table = "wearable_daily_metrics"

  /// The number of columns that every row begins with: person, day, source, update.
  static let leadingColumns = 4

  private let columns: [SQLExpression]

  /// - Parameter columns: The names of the table's or view's columns and their types.
  /// - Throws: `StorageError` with `.unknownColumn` for a metric that is no numeric column.
  init(
    metrics: [MetricType], reportsWear: Bool, reportsCreation: Bool,
    columns: [(name: String, type: String)],
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
        remedy: "correct the metric in the thresholds file, or add the column as double precision")
    }
    let leading: [SQLExpression] = [
      .column("user_id"), .column("metric_date"), .column("source").cast(to: "text"),
      Self.instant("updated_at", in: columns),
    ]
    let values = metrics.map { SQLExpression.column($0.rawValue).cast(to: "double precision") }
    let others = MetricColumns.measurements(among: numeric, besides: metrics)
    self.columns =
      leading + values + (reportsWear ? [.isAnyPositive(others)] : [])
      + (reportsCreation ? [Self.instant("created_at", in: columns)] : [])
  }

  /// A view of another table may have no such column; a time without a zone is taken for UTC.
  static func instant(
    _ name: String, in columns: [(name: String, type: String)]
  ) -> SQLExpression {
    let type = columns.first { $0.name == name }?.type ?? ""
    return type.hasPrefix("timestamp")
      ? .column(name) : .null.cast(to: "timestamp with time zone")
  }

  static func isNumeric(_ type: String) -> Bool {
    switch type {
    case "smallint", "integer", "bigint", "real", "double precision": true
    default: type.hasPrefix("numeric")
    }
  }

  func fillings(persons: [UUID], days: ClosedRange<Day>) -> SQLFillings {
    Self.rows(of: persons, days: days)
      .merging(["metric_columns": .expressions(columns)]) { first, _ in first }
  }

  /// The fillings for the rows of each person from a day of their own on.
  func fillings(persons: [UUID], from days: [Day], through last: Day) -> SQLFillings {
    [
      "metric_columns": .expressions(columns), "persons": .expression(.literal(persons)),
      "first_days": .expression(.literal(days)),
      "last_day": .expression(.literal(min(last, Day.calendar.upperBound))),
    ]
  }

  /// The fillings of a COPY of rows of some persons and days.
  static func rows(of persons: [UUID], days: ClosedRange<Day>) -> SQLFillings {
    // Their spelling knows only the days of the calendar.
    let days = days.clamped(to: Day.calendar)
    return [
      "persons": .expression(.literal(persons)),
      "first_day": .expression(.literal(days.lowerBound)),
      "last_day": .expression(.literal(days.upperBound)),
    ]
  }
}

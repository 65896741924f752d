import Foundation
import GRDB
import VigilModel
import VigilSQL
import VigilStorage

/// The columns of the query for the metric rows of one person.
struct MetricQuery: Equatable {
  var metrics: [MetricType]
  var reportsWear: Bool
  /// Whether the last column of the result is the creation of the row.
  var reportsCreation: Bool

  static let table = "wearable_daily_metrics"

  /// Columns of the result: the date, the source, the update, the metrics, and whether another is positive.
  static let firstMetricColumn = 3

  /// - Throws: `StorageError` with `.unknownColumn` for a metric that is no numeric column.
  func fillings(on db: Database, of file: DatabaseFile) throws -> SQLFillings {
    let all = try db.columns(in: Self.table)
    let numeric = all.filter { Self.isNumeric($0.type) }.map(\.name)
    let unknown = metrics.filter { !numeric.contains($0.rawValue) }
    guard unknown.isEmpty else {
      let names = unknown.map { "'\($0)'" }.joined(separator: ", ")
      throw StorageError(
        .unknownColumn,
        "\(Self.table) in \(file.displayName) has no numeric column \(names); it has "
          + numeric.joined(separator: ", "),
        remedy: "correct the metric in the thresholds file, or add the column as REAL")
    }
    let others = MetricColumns.measurements(among: numeric, besides: metrics)
    let columns = ["metric_date", "source", "updated_at"] + metrics.map(\.rawValue)
    return [
      "metric_columns": .expressions(
        columns.map { .column($0) } + (reportsWear ? [.isAnyPositive(others)] : [])
          // A view of another table may have no such column.
          + (reportsCreation
            ? [all.contains { $0.name == "created_at" } ? .column("created_at") : .null] : []))
    ]
  }

  /// The columns that can be metrics: the thresholds file may name columns that an operator has
  /// added.
  static func columns(on db: Database) throws -> MetricColumns {
    let isView = try db.viewExists(table)
    guard try isView || db.tableExists(table) else { return MetricColumns(numericType: "REAL") }
    return MetricColumns(
      try db.columns(in: table).map { ($0.name, $0.type) }, isView: isView, numericType: "REAL",
      isNumeric: isNumeric)
  }

  static func isNumeric(_ type: String) -> Bool {
    ["REAL", "INTEGER", "INT"].contains(type.uppercased())
  }
}

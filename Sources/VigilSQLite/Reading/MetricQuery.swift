import Foundation
import GRDB
import VigilModel
import VigilSQL
import VigilStorage

/// The query for the metric rows of one person: `?1` the person, `?2` and `?3` the days.
struct MetricQuery: Equatable {
  var metrics: [MetricType]
  var reportsWear: Bool

  static let table = "wearable_daily_metrics"

  /// Columns of the result: the date, the source, the update, the metrics, and whether the device was
  /// worn.
  static let firstMetricColumn = 3

  /// - Throws: `StorageError` with `.unknownColumn` for a metric that is no numeric column.
  func sql(on db: Database, of file: DatabaseFile) throws -> String {
    let numeric = try db.columns(in: Self.table).filter { Self.isNumeric($0.type) }.map(\.name)
    let unknown = metrics.filter { !numeric.contains($0.rawValue) }
    guard unknown.isEmpty else {
      let names = unknown.map { "'\($0)'" }.joined(separator: ", ")
      throw StorageError(
        .unknownColumn,
        "\(Self.table) in \(file.displayName) has no numeric column \(names); it has "
          + numeric.joined(separator: ", "),
        hint: "correct the metric in the thresholds file, or add the column as REAL")
    }
    var columns =
      ["metric_date", "source", "updated_at"] + metrics.map { $0.rawValue.quotedIdentifier }
    if reportsWear, !numeric.isEmpty {
      // CASE stops at the first hit, which OR does not.
      let cases = numeric.map { "WHEN \($0.quotedIdentifier) > 0 THEN 1" }
      columns.append("CASE \(cases.joined(separator: " ")) ELSE 0 END")
    }
    return """
      SELECT \(columns.joined(separator: ", "))
      FROM {{schema}}.\(Self.table)
      WHERE user_id = ?1 AND metric_date BETWEEN ?2 AND ?3
      ORDER BY metric_date, source
      """
  }

  /// What can be a metric: the thresholds file may name columns that a user has added.
  static func columns(on db: Database) throws -> MetricColumns {
    let isView = try db.viewExists(table)
    guard try isView || db.tableExists(table) else { return MetricColumns(numericType: "REAL") }
    return MetricColumns(
      try db.columns(in: table).map { ($0.name, $0.type) }, isView: isView, numericType: "REAL",
      isNumeric: isNumeric)
  }

  private static func isNumeric(_ type: String) -> Bool {
    ["REAL", "INTEGER", "INT"].contains(type.uppercased())
  }
}

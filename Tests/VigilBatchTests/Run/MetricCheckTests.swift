import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilDetection
import VigilModel
import VigilStorage

@testable import VigilBatch

/// Profiles that name metrics which the database has no column for, or none of numbers.
@Suite("Metrics without a column") struct MetricCheckTests {
  static let histories = Result { try RandomHistories(seed: 71, persons: 4, days: 90) }

  /// All nights but the last were run with every column, by rules that do not ask whether a device was
  /// worn: any column answers that.
  private func database(_ kind: DatabaseKind) throws -> (BatchDatabase, last: Day) {
    let histories = try Self.histories.get()
    let database = try histories.database(kind)
    let last = histories.days.upperBound
    try database.run(
      (last - 20)...(last - 1), thresholds: BatchDatabase.thresholds("v1"), parts: [.patterns])
    return (database, last)
  }

  private func states(_ database: BatchDatabase, of metric: String?) throws -> [String] {
    let condition = metric.map { "= '\($0)'" } ?? "IS NOT NULL"
    return try database.database.rows(
      """
      SELECT user_id, metric_type, active_since, episode_status, last_evaluated_date,
        resolved_on, resolution_reason, run_id
      FROM pattern_alert_state WHERE metric_type \(condition) ORDER BY 1, 2, 3
      """)
  }

  private func drop(_ columns: [String], of database: BatchDatabase) throws {
    for column in columns {
      try database.database.execute("ALTER TABLE wearable_daily_metrics DROP COLUMN \(column)")
    }
  }

  private static func running(_ states: [String]) -> [String] {
    states.filter { $0.contains("|active|") }
  }

  @Test(
    "one is left out, counted, and its episodes stay as they are", arguments: DatabaseKind.allCases)
  func leavesOneOut(kind: DatabaseKind) throws {
    let (database, last) = try database(kind)
    let thresholds = try BatchDatabase.thresholds("v1")
    let metrics = try Self.histories.get().metrics
    let dropped = try #require(
      metrics.first { try !Self.running(states(database, of: $0)).isEmpty })
    let before = try states(database, of: dropped)
    let whole = try database.copy()
    try drop([dropped], of: database)

    let record = try database.run(last...last, thresholds: thresholds, kind: .run)
    #expect(record.status == .succeeded)
    #expect(
      record.dataQuality.filter { $0.unit == .metrics } == [
        DataQualityCount(metric: MetricType(dropped), reason: "no_column", count: 1)
      ])
    #expect(try states(database, of: dropped) == before)
    // The others are what they are with all columns.
    let complete = try whole.run(last...last, thresholds: thresholds, kind: .run)
    #expect(complete.dataQuality.allSatisfy { $0.unit != .metrics })
    for metric in metrics where metric != dropped {
      func ends(_ database: BatchDatabase) throws -> [String] {
        try states(database, of: metric).map { $0.split(separator: "|").dropLast().joined() }
      }
      try expectSame(ends(database), ends(whole), metric)
    }
    let shards = try (1...2).map { index in
      try database.run(
        last...last, thresholds: thresholds, kind: .run,
        shard: #require(RunShard(index, of: 2)))
    }
    #expect(
      try #require(shards.last).dataQuality.filter { $0.unit == .metrics }.map(\.count) == [1])
  }

  @Test(
    "a database that has none is refused, and nothing changes", arguments: DatabaseKind.allCases)
  func refusesNone(kind: DatabaseKind) throws {
    let (database, last) = try database(kind)
    let thresholds = try BatchDatabase.thresholds("v1")
    try drop(try Self.histories.get().metrics, of: database)
    let before = try states(database, of: nil)
    let error = try #require(throws: BatchError.self) {
      try database.run(last...last, thresholds: thresholds, kind: .run)
    }
    #expect(error.code == .noMetric)
    #expect(error.description.contains("none of the metrics of v1"))
    #expect(error.description.contains("it has active_calories, awake_minutes"))
    #expect(try states(database, of: nil) == before)
    #expect(try database.storage.runs(limit: 9).count { $0.status == .failed } == 1)
    // Scores are computed from others.
    let scored = try database.run(
      last...last, thresholds: thresholds, kind: .run, parts: [.vitality])
    #expect(scored.status == .succeeded && scored.dataQuality.isEmpty)
  }

  @Test("a column of another type is refused by name", arguments: DatabaseKind.allCases)
  func refusesText(kind: DatabaseKind) throws {
    let (database, last) = try database(kind)
    try drop(["hrv_ms"], of: database)
    try database.database.execute("ALTER TABLE wearable_daily_metrics ADD COLUMN hrv_ms TEXT")
    let before = try states(database, of: nil)
    let error = try #require(throws: BatchError.self) {
      try database.run(last...last, thresholds: BatchDatabase.thresholds("v1"), kind: .run)
    }
    #expect(error.code == .noMetric)
    #expect(error.description.lowercased().contains("hrv_ms (text)"))
    #expect(try states(database, of: nil) == before)
  }

  // MARK: Words

  private func finding(_ columns: MetricColumns) throws -> Finding {
    MetricCheck(of: try BatchDatabase.thresholds("v1"), in: columns).finding
  }

  @Test("the advice fits a table, and a view, which has no columns of its own to add")
  func advises() throws {
    let all = Set(InputTable.wearableMetrics)
    var columns = MetricColumns(numeric: all, numericType: "real")
    #expect(try finding(columns).status == .ok)
    #expect(try finding(columns).detail == "wearable_daily_metrics has all 7 of v1")

    columns.numeric.remove(MetricType("hrv_ms"))
    #expect(try finding(columns).status == .warning)
    #expect(
      try finding(columns).detail
        == "wearable_daily_metrics has no column hrv_ms: runs with v1 leave it out;"
        + " scores go without hrv_ms")
    #expect(
      try finding(columns).remedy?.advice
        == "ALTER TABLE wearable_daily_metrics ADD COLUMN hrv_ms real, or"
        + " use a thresholds file without it")
    columns.isView = true
    #expect(
      try finding(columns).remedy?.advice
        == "add it to the view, as real, or use a thresholds file without it")

    columns.others[MetricType("hrv_ms")] = "text"
    #expect(try finding(columns).status == .failure)
    #expect(
      try finding(columns).detail
        == "wearable_daily_metrics has columns that are metrics and hold no numbers: hrv_ms (text)")
    #expect(try finding(columns).remedy?.advice == "cast them in the view: hrv_ms::real")

    columns = MetricColumns(numeric: [MetricType("step")], isView: true, numericType: "real")
    #expect(try finding(columns).status == .failure)
    #expect(
      try finding(columns).remedy?.advice
        == "use a thresholds file of these metrics (did you mean 'step'?)")
  }
}

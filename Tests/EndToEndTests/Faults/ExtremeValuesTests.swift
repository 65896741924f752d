import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilStorage

/// Values in tables of results that no run writes, but that a table can hold or an operator can
/// force into it: they are named, and neither trap nor count as a defect of Vigil.
@Suite struct ExtremeValuesTests {
  private static let tables = [
    "pattern_alert_state", "notification_queue", "shadow_notification_queue", "held_notifications",
    "batch_runs", "run_shards", "batch_checkpoints", "dose_analytics", "trend_insights",
    "trend_coverage", "vitality_scores", "schedule_versions", "alert_actions",
  ]

  /// The sample with what a backfill and a live night leave, and without any constraint on values.
  private func database(_ kind: DatabaseKind) async throws -> TemporaryFolder {
    let folder = try SampleDatabase.imported(
      kind,
      then: [
        ["backfill", "--from", "2026-06-20", "--to", "2026-06-29"], ["golive"],
        ["run", "--date", "2026-06-30", "--live", "--max-notified-persons", "1000"],
      ])
    // Checkpoints of what has ended are removed by the next run.
    #expect(try folder.database.count("batch_checkpoints") > 0)
    try folder.database.dropConstraints()
    return folder
  }

  /// A value that a column might hold.
  private struct Case: CustomStringConvertible {
    var table: String
    var column: String
    var value: String

    var description: String { "\(table).\(column) = \(value.prefix(60))" }
  }

  private func cases(of database: TestDatabase) throws -> [Case] {
    try Self.tables.flatMap { table -> [Case] in
      try database.columns(of: table).flatMap { column, type in
        Self.values(ofType: type).map { Case(table: table, column: column, value: $0) }
      }
    }
  }

  private static func values(ofType type: String) -> [String] {
    let days = ["'0001-01-01'", "'9999-12-31'"]
    let documents = [
      #"'{"persons":9223372036854775807}'"#, #"'[{"reason":"x","count":9223372036854775807}]'"#,
      #"'{"interval_based_hours":1e300}'"#, "'[]'", "'null'", "'7'",
    ]
    return switch type {
    case "INTEGER", "bigint": ["9223372036854775807", "-9223372036854775808", "-1", "NULL"]
    case "integer": ["2147483647", "-2147483648", "-1", "NULL"]
    case "REAL": ["9e999", "-9e999", "1e300", "-1e300", "NULL"]
    case "double precision": ["'Infinity'", "'-Infinity'", "'NaN'", "1e300", "NULL"]
    case "TEXT":
      days + documents + [
        "''", "'garbage'", "'2026-13-45'", "'9999-12-31T23:59:59.999999Z'",
        "'0001-01-01T00:00:00.000000Z'", "'\(String(repeating: "x", count: 100_000))'", "NULL",
      ]
    case "text": ["''", "'garbage'", "'\(String(repeating: "x", count: 100_000))'", "NULL"]
    case "date": days + ["'infinity'", "'-infinity'", "'0044-03-15 BC'", "NULL"]
    case "timestamp with time zone":
      days + ["'infinity'", "'-infinity'", "'0044-03-15 BC'", "NULL"]
    case "jsonb": documents + ["'{}'"]
    default: []
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func noValueOfAResultIsMoreThanAnError(kind: DatabaseKind) async throws {
    let folder = try await database(kind)
    let storage = try folder.database.open()
    let reading = try ResultReading(storage)
    #expect(reading.failures().isEmpty)
    var random = SeededGenerator(seed: 11)
    let cases = try cases(of: folder.database)
    #expect(cases.count > 700)
    let named = cases.filter {
      ["days_covered", "deviation_fraction", "period_start"].contains($0.column)
    }
    var found = 0
    for table in Self.tables {
      try folder.database.execute("CREATE TABLE copy_of_\(table) AS SELECT * FROM \(table)")
    }
    let picked = (0..<Repetitions.count(fast: 20, long: 150)).map { _ in random.pick(cases) }
    for one in named + picked {
      guard force(one, into: folder.database) else { continue }
      let failures = reading.failures()
      for failure in failures {
        let error = failure as? StorageError
        #expect(error != nil && error?.code != .unexpected, "\(one): \(failure)")
        guard let message = error?.message, message.contains("a row of") else { continue }
        #expect(
          message.contains(one.table) && message.contains(one.column), "\(one): \(failure)")
      }
      found += failures.isEmpty ? 0 : 1
      try folder.database.executeWithoutReferences(
        "DELETE FROM \(one.table); INSERT INTO \(one.table) SELECT * FROM copy_of_\(one.table)")
    }
    #expect(reading.failures().isEmpty)
    #expect(found > Repetitions.count(fast: 5, long: 15))
  }

  /// Puts a value into every row of a table; false where it does not take it, such as a key twice.
  private func force(_ one: Case, into database: TestDatabase) -> Bool {
    database.force(one.value, into: one.column, of: one.table)
  }

  /// The tables themselves refuse what no run writes.
  @Test(arguments: DatabaseKind.allCases)
  func tablesRefuseValuesOutOfBounds(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(
      kind, then: [["backfill", "--from", "2026-06-01", "--to", "2026-06-30"]])
    let infinity = kind == .sqlite ? "9e999" : "'Infinity'"
    for (table, column, value) in [
      ("pattern_alert_state", "deviation_fraction", infinity),
      ("pattern_alert_state", "baseline_value", kind == .sqlite ? "-9e999" : "'-Infinity'"),
      ("pattern_alert_state", "recent_value", infinity),
      ("pattern_alert_state", "consecutive_true_days", "2147483647"),
      ("pattern_alert_state", "baseline_days", "2147483647"),
      ("batch_runs", "rows_read", "-1"), ("batch_runs", "insights_found", "-1"),
      ("dose_analytics", "days_covered", "2147483647"),
      ("dose_analytics", "missed_streak", "-1"), ("dose_analytics", "extra_doses", "2147483647"),
      ("trend_insights", "change_fraction", infinity),
      ("trend_insights", "slope_per_day", infinity),
      ("trend_insights", "coverage_days", "2147483647"),
      ("trend_coverage", "days_needed", "2147483647"),
    ] {
      try #require(try folder.database.count(table) > 0)
      let refusal = #expect(throws: (any Error).self, "\(table).\(column)") {
        try folder.database.execute("UPDATE \(table) SET \(column) = \(value)")
      }
      let text = refusal.map { "\($0)" } ?? ""
      #expect(text.contains("\(table)_") && text.contains("constraint"), "\(text)")
    }
  }

  @Test(
    arguments: DatabaseKind.allCases,
    [
      ("dose_analytics", "days_covered", "2147483647", ["adherence"]),
      ("pattern_alert_state", "deviation_fraction", "inf", ["alerts", "list", "--format", "json"]),
    ])
  func valueOutOfBoundsIsNamed(
    kind: DatabaseKind, of: (table: String, column: String, value: String, command: [String])
  ) async throws {
    let folder = try await database(kind)
    let value =
      switch (kind, of.value) {
      case (.sqlite, "inf"): "9e999"
      case (.postgres, "inf"): "'Infinity'"
      default: of.value
      }
    #expect(
      force(Case(table: of.table, column: of.column, value: value), into: folder.database))
    let run = try await CommandRun.vigil(arguments: of.command, in: folder)
    run.expectFailure(65, mentioning: "a row of \(of.table) has a \(of.column) that is not")
  }
}

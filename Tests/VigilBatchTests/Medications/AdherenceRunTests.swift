import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilAdherence
import VigilModel
import VigilStorage

@Suite("Doses in runs")
struct AdherenceRunTests {
  private static let start = Day(ordinal: 20_454)  // 2026-01-01

  private func database(_ kind: DatabaseKind, persons: Int = 3, seed: Int = 5) throws
    -> BatchDatabase
  {
    let database = try BatchDatabase(kind)
    try database.insertDoses(persons: persons, from: Self.start, days: 75, seed: seed)
    return database
  }

  /// The results of runs about doses, without columns with the time and the run of their writing.
  private func adherence(in database: BatchDatabase) throws -> [String] {
    let left: Set = ["run_id", "created_at", "updated_at", "evaluated_at", "computed_at"]
    return try database.rows(of: "dose_analytics", without: left)
      + database.rows(of: "trend_insights", without: left)
      + database.rows(of: "pattern_alert_state", without: left)
      + database.database.rows(
        "SELECT schedule_id, valid_from FROM schedule_versions ORDER BY 1, 2")
  }

  @Test("nightly runs leave the rows of a backfill", arguments: DatabaseKind.allCases)
  func nightsEqualBackfill(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let days = (Self.start + 60)...(Self.start + 69)
    let nightly = try database(kind)
    try nightly.runNightly(days, thresholds: thresholds)
    let backfill = try database(kind)
    try backfill.run(days, thresholds: thresholds, workers: 2, batchSize: 2)
    let expected = try adherence(in: backfill)
    try expectSame(adherence(in: nightly), expected)
    try expectSame(nightly.alertStates(), backfill.alertStates())
    // Each day has its 7, 30 and 90 days, and all have one month; of a person and two medications each.
    #expect(expected.filter { $0.contains("period_kind=") }.count == 3 * 3 * (3 * 10 + 1))
    #expect(expected.contains { $0.contains("rule=missed_streak") })
    #expect(expected.contains { $0.contains("metric_type=missed_streak") })
    #expect(try backfill.alertStates().contains { $0.contains("metric_type=dose_adherence_pct") })
    #expect(expected.contains { $0.contains("rule=concurrent_episodes") })
  }

  @Test("both databases hold the same rows")
  func databasesAgree() throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let days = (Self.start + 66)...(Self.start + 69)
    let found = try DatabaseKind.allCases.map { kind in
      let database = try database(kind)
      try database.run(days, thresholds: thresholds)
      return try adherence(in: database) + database.alertStates()
    }
    try expectSame(found[0], found[1])
  }

  @Test("a second run of a day writes nothing", arguments: DatabaseKind.allCases)
  func repeats(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let day = Self.start + 69
    let database = try database(kind)
    func rows() throws -> [String] {
      try ["dose_analytics", "trend_insights", "pattern_alert_state"].flatMap {
        try database.rows(of: $0)
      }
        + database.database.rows("SELECT * FROM schedule_versions ORDER BY 1, 2")
    }
    try database.run(day...day, thresholds: thresholds, kind: .run)
    let first = try rows()
    try database.run(
      day...day, thresholds: thresholds, kind: .run, continuing: false,
      at: BatchDatabase.now.adding(seconds: 3600))
    try expectSame(rows(), first)
  }

  @Test("a schedule edited in place changes no day before", arguments: DatabaseKind.allCases)
  func keepsThePast(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let day = Self.start + 60
    let database = try database(kind, persons: 1)
    try database.run(day...day, thresholds: thresholds, kind: .run)
    let before = try database.rows(of: "dose_analytics")
    try database.database.execute(
      #"UPDATE schedules SET time_based_times = '["03:00","04:00","05:00"]'"#)
    try database.run(
      day...day, thresholds: thresholds, kind: .run, continuing: false,
      at: BatchDatabase.now.adding(seconds: 60))
    try expectSame(database.rows(of: "dose_analytics"), before)
    #expect(
      try database.database.rows("SELECT valid_from FROM schedule_versions ORDER BY valid_from")
        == ["0001-01-01", "0001-01-01", "\(day + 1)", "\(day + 1)"])
    try database.run((day + 1)...(day + 1), thresholds: thresholds, kind: .run)
    let later = try database.storage.doseAnalytics(
      of: nil, period: .sevenDays, endingOn: day + 1)
    let old = try database.storage.doseAnalytics(of: nil, period: .sevenDays, endingOn: day)
    let expected = (old + later).filter { $0.analytics.medication != nil }
      .map(\.analytics.measures.expectedDoses)
    // Six days of two doses, and one of three.
    #expect(expected == [14, 14, 15, 15])
  }

  @Test(
    "rows that cannot be used are quarantined, and the rest is evaluated",
    arguments: DatabaseKind.allCases
  )
  func quarantines(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let day = Self.start + 60
    let database = try database(kind, persons: 2)
    try database.database.execute(
      """
      UPDATE schedules SET reference_timezone = 'Mars/Olympus'
      WHERE id = '\(DoseSample.schedule(person: 0, medication: 0).lowercased)';
      UPDATE schedules SET time_based_times = '["noon"]'
      WHERE id = '\(DoseSample.schedule(person: 0, medication: 1).lowercased)';
      UPDATE dose_history SET recorded_timezone = 'Nowhere'
      WHERE id = '\(DoseSample.dose(person: 1, medication: 1, day: 50, time: 0).lowercased)';
      UPDATE dose_history SET actual_time = '2036-01-01T00:00:00.000000Z'
      WHERE id = '\(DoseSample.dose(person: 1, medication: 1, day: 50, time: 1).lowercased)';
      UPDATE dose_history
      SET schedule_id = '\(DoseSample.schedule(person: 1, medication: 0).lowercased)'
      WHERE id = '\(DoseSample.dose(person: 1, medication: 1, day: 51, time: 0).lowercased)';
      """)
    let run = try database.run(day...day, thresholds: thresholds, kind: .run)
    #expect(run.status == .succeeded)
    let reasons = Set(
      try database.database.rows("SELECT table_name, column_name, reason FROM quarantined_rows"))
    let expected: Set = [
      "schedules|reference_timezone|unknown_timezone",
      "dose_history|recorded_timezone|unknown_timezone", "dose_history|actual_time|future_time",
      "dose_history|schedule_id|unknown_schedule", "schedules|time_based_times|impossible_times",
    ]
    #expect(reasons.isSuperset(of: expected), "\(reasons)")
    #expect(try database.database.count("dose_analytics") > 0)
  }

  @Test("a run that was cut off goes on as if it had not been", arguments: DatabaseKind.allCases)
  func continues(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let days = (Self.start + 66)...(Self.start + 69)
    let whole = try database(kind)
    try whole.run(days, thresholds: thresholds, batchSize: 1)
    let cut = try database(kind)
    try cut.run(days, thresholds: thresholds, stoppingAfter: 1, batchSize: 1)
    // A dose of a person whose batch is written: the batch is repeated.
    let dose = DoseSample.dose(person: 0, medication: 0, day: 68, time: 0).lowercased
    try cut.database.execute("UPDATE dose_history SET status = 'skipped' WHERE id = '\(dose)'")
    try whole.database.execute("UPDATE dose_history SET status = 'skipped' WHERE id = '\(dose)'")
    try cut.run(days, thresholds: thresholds, batchSize: 1)
    try whole.run(days, thresholds: thresholds, batchSize: 1, continuing: false)
    try expectSame(adherence(in: cut), adherence(in: whole))
    #expect(try cut.storage.runs(limit: 10).count == 1)
  }

  @Test("without medications nothing is read or written for them", arguments: DatabaseKind.allCases)
  func costsNothing(kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    let person = UUID(name: "person")
    try database.insert([
      .init(
        person: person, metric: "steps",
        values: Dictionary(uniqueKeysWithValues: (0..<60).map { (Self.start + $0, 9000) }))
    ])
    try database.run(
      (Self.start + 59)...(Self.start + 59), thresholds: BatchDatabase.thresholds("v1"))
    #expect(
      try database.database.rows("SELECT DISTINCT medication_digest IS NULL FROM batch_checkpoints")
        == ["1"])
    #expect(try database.database.count("dose_analytics") == 0)
  }
}

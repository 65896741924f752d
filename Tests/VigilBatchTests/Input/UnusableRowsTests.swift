import Foundation
import InMemoryLogging
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// Rows of the database that no run can use.
@Suite struct UnusableRowsTests {
  private static let days = Day(ordinal: 20_100)...Day(ordinal: 20_129)
  private static let stranger = UUID(name: "unusable stranger")

  /// Ten persons with 30 days each, and `strangers` rows of a person who is not in `users`; the
  /// last of them on the last day.
  private func filled(_ kind: DatabaseKind, strangers: Int) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    var series = (0..<10).map { index in
      let history = RandomSeries(seed: index, days: 30)
      return BatchDatabase.Series(
        person: UUID(name: "unusable \(index)"), metric: "steps",
        values: history.byDay(from: Self.days.lowerBound))
    }
    if strangers > 0 {
      let days = (0..<strangers).map { (Self.days.upperBound - $0, 1_000.0) }
      series.append(
        .init(
          person: Self.stranger, metric: "steps", values: Dictionary(uniqueKeysWithValues: days)))
    }
    try database.insert(series)
    try database.database.executeWithoutReferences(
      "DELETE FROM users WHERE id = '\(Self.stranger.lowercased)'")
    return database
  }

  private func rowCount(_ database: BatchDatabase) throws -> Int {
    try database.database.count("wearable_daily_metrics")
  }

  @Test(arguments: DatabaseKind.allCases)
  func aFewAreListedOnceAndTheRunGoesOn(kind: DatabaseKind) throws {
    let clean = try filled(kind, strangers: 0)
    let spoilt = try filled(kind, strangers: 2)
    let thresholds = try BatchDatabase.thresholds("v1")
    let log = InMemoryLogHandler()
    var records: [RunRecord] = []
    for database in [clean, spoilt] {
      records.append(
        try database.run(
          Self.days, thresholds: thresholds, batchSize: 3, maxBadRowFraction: 0.05,
          log: log))
    }
    #expect(records.map(\.status) == [.succeeded, .succeeded])
    #expect(records[0].counts == records[1].counts)
    try expectSame(spoilt.dump(), clean.dump())
    let counted = DataQualityCount(metric: nil, reason: "unknown_person", count: 2)
    #expect(records[1].dataQuality == records[0].dataQuality + [counted])
    #expect(try clean.database.count("quarantined_rows") == 0)

    func listed() throws -> [String] {
      try spoilt.database.rows(
        "SELECT run_id, table_name, column_name, reason, row_key FROM quarantined_rows ORDER BY id")
    }
    func expected(_ run: RunRecord) -> Set<String> {
      Set(
        [Self.days.upperBound, Self.days.upperBound - 1].map {
          "\(run.id.lowercased)|wearable_daily_metrics|user_id|unknown_person|"
            + "\(Self.stranger.lowercased),\($0),test"
        })
    }
    #expect(try Set(listed()) == expected(records[1]))
    let again = try spoilt.run(
      Self.days, thresholds: thresholds, maxBadRowFraction: 0.05, log: log)
    #expect(try Set(listed()) == expected(again))
    #expect(try listed().count == 2)
    // The log must not say whose rows they are.
    #expect(log.entries.contains { "\($0.message)".contains("quarantined_rows") })
    for entry in log.entries {
      #expect(!"\(entry.message) \(entry.metadata)".contains(Self.stranger.lowercased))
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func tooManyEndTheRunBeforeItWrites(kind: DatabaseKind) throws {
    let database = try filled(kind, strangers: 20)
    let error = try #require(throws: BatchError.self) {
      try database.run(Self.days, thresholds: BatchDatabase.thresholds("v1"))
    }
    #expect(error.code == .tooManyUnusableRows)
    #expect(error.remedy == .correctRowsOrRaiseLimit(quarantines: true))
    for mention in [
      "20 of \(try rowCount(database)) rows from ", "more than the limit of 1 %",
      "20 of wearable_daily_metrics with a person that is not in users",
    ] {
      #expect(error.description.contains(mention), "\(error)")
    }
    #expect(!error.description.contains(Self.stranger.lowercased))
    let records = try database.storage.runs(limit: 10)
    #expect(records.map(\.status) == [.failed])
    #expect(records.first?.error == error.description)
    #expect(records.first?.counts == RunRecord.Counts())
    #expect(
      records.first?.dataQuality
        == [DataQualityCount(metric: nil, reason: "unknown_person", count: 20)])
    for table in ["quarantined_rows", "pattern_alert_state", "batch_checkpoints"] {
      #expect(try database.database.count(table) == 0, "\(table)")
    }
  }

  @Test func theLimitItselfIsBearable() throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    for strangers in [1, 3, 7] {
      let database = try filled(.sqlite, strangers: strangers)
      let share = Double(strangers) / Double(try rowCount(database))
      for (fraction, isBearable) in [
        (1, true), (share, true), (share.nextUp, true), (share * 0.99, false), (1e-300, false),
        (0, false),
      ] {
        let run = Result {
          try database.run(
            Self.days.upperBound...Self.days.upperBound, thresholds: thresholds, kind: .run,
            maxBadRowFraction: fraction)
        }
        let succeeded = (try? run.get()) != nil
        #expect(succeeded == isBearable, "\(strangers) strangers, limit \(fraction)")
      }
    }
  }

  @Test func rowsBesideTheLoadedDaysDoNotCount() throws {
    let database = try filled(.sqlite, strangers: 1)
    let thresholds = try BatchDatabase.thresholds("v1")
    let before = Self.days.upperBound - 1
    let record = try database.run(
      before...before, thresholds: thresholds, kind: .run, maxBadRowFraction: 0)
    #expect(record.status == .succeeded)
    #expect(throws: BatchError.self) {
      try database.run(
        Self.days.upperBound...Self.days.upperBound, thresholds: thresholds, kind: .run,
        maxBadRowFraction: 0)
    }
  }

  @Test func impossibleDatesThatAReaderMeetsAreIgnored() throws {
    let database = try filled(.sqlite, strangers: 0)
    let clean = try database.copy()
    let person = UUID(name: "unusable 3").lowercased
    let day = try #require(
      database.database.rows(
        """
        SELECT max(metric_date) FROM wearable_daily_metrics
        WHERE user_id = '\(person)' AND metric_date < '\(Self.days.upperBound)'
        """
      ).first)
    // A writer that ignores constraints; the text is between the dates of the window.
    let spoil = """
      PRAGMA ignore_check_constraints = ON;
      UPDATE wearable_daily_metrics SET metric_date = '\(day)x'
      WHERE user_id = '\(person)' AND metric_date = '\(day)';
      INSERT INTO exercise_sessions (id, user_id, metric_date)
      VALUES ('\(UUID(name: "session").lowercased)', '\(person)', '\(day)x')
      """
    try database.database.execute(spoil)
    try clean.database.execute(
      "DELETE FROM wearable_daily_metrics WHERE user_id = '\(person)' AND metric_date = '\(day)'")
    let thresholds = try BatchDatabase.thresholds("v1")
    let record = try database.run(Self.days, thresholds: thresholds, workers: 2, batchSize: 2)
    _ = try clean.run(Self.days, thresholds: thresholds)
    #expect(record.status == .succeeded)
    try expectSame(database.dump(), clean.dump())
    #expect(
      record.dataQuality.contains(
        DataQualityCount(metric: nil, reason: "impossible_date", count: 2)))
    #expect(
      try database.database.rows(
        "SELECT table_name, reason, row_key FROM quarantined_rows ORDER BY table_name") == [
          "exercise_sessions|impossible_date|\(UUID(name: "session").lowercased)",
          "wearable_daily_metrics|impossible_date|\(person),\(day)x,test",
        ])
  }
}

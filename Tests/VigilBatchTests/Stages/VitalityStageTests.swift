import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

@Suite("Scores and trends in runs")
struct VitalityStageTests {
  private static let length = 120
  private static let days = (VitalityHistories.first + 100)...(VitalityHistories.first + 119)
  private static let person = UUID(name: "person")

  private func database(
    _ kind: DatabaseKind, seed: Int, persons: Int = 24
  ) throws -> BatchDatabase {
    try VitalityHistories(seed: seed, persons: persons, days: Self.length).database(kind)
  }

  // MARK: Replay

  @Test(
    "nightly runs leave the rows of a backfill", arguments: DatabaseKind.allCases, ["v1", "v2"])
  func nightsEqualBackfill(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let vitality = try BatchDatabase.vitality(profile)
    let nightly = try database(kind, seed: 1)
    let backfill = try nightly.copy()
    try nightly.runNightly(Self.days, thresholds: thresholds, vitality: vitality)
    let record = try backfill.run(Self.days, thresholds: thresholds, vitality: vitality)
    let rows = try backfill.vitality()
    #expect(record.counts.scoresChanged > 24 * 20)
    #expect(record.counts.insightsFound > 50)
    let rules = Set(rows.compactMap { $0.firstMatch(of: /rule=(\S+)/)?.output.1 })
    #expect(rules.isSuperset(of: ["low_streak", "drop_vs_baseline", "rebound"]))
    #expect(rules.contains("declining_trend") == (profile == "v2"))
    try expectSame(nightly.vitality(), rows)
    try expectSame(nightly.alertStates(), backfill.alertStates())
  }

  @Test("chunks, batches, threads and shards change no row", arguments: DatabaseKind.allCases)
  func piecesEqualWhole(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let fresh = try database(kind, seed: 2)
    let whole = try fresh.copy()
    try whole.run(Self.days, thresholds: thresholds)
    let expected = try whole.vitality()
    for seed in 1...Repetitions.count(fast: 1, long: 6) {
      var random = SeededGenerator(seed: seed)
      let pieces = try fresh.copy()
      var start = Self.days.lowerBound
      while start <= Self.days.upperBound {
        let end = min(start + Int.random(in: 0...9, using: &random), Self.days.upperBound)
        let shards = Int.random(in: 1...3, using: &random)
        for shard in 1...shards {
          try pieces.run(
            start...end, thresholds: thresholds, workers: Int.random(in: 1...2, using: &random),
            batchSize: Int.random(in: 1...12, using: &random),
            shard: try #require(RunShard(shard, of: shards)))
        }
        start = end + 1
      }
      try expectSame(pieces.vitality(), expected, "seed \(seed)")
    }
  }

  @Test("both databases hold the same rows")
  func databasesAgree() throws {
    let found = try DatabaseKind.allCases.map { kind in
      let database = try database(kind, seed: 3)
      try database.run(
        Self.days, thresholds: BatchDatabase.thresholds("v2"),
        vitality: BatchDatabase.vitality("v2"))
      return try database.vitality()
    }
    try expectSame(found[0], found[1])
  }

  @Test("a second run writes nothing", arguments: DatabaseKind.allCases)
  func repeats(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try database(kind, seed: 4)
    func rows() throws -> [String] {
      try database.database.rows("SELECT * FROM vitality_scores ORDER BY 1, 2")
        + database.rows(of: "trend_insights")
        + database.database.rows("SELECT * FROM trend_coverage ORDER BY 1")
    }
    try database.run(Self.days, thresholds: thresholds)
    let first = try rows()
    let again = try database.run(
      Self.days, thresholds: thresholds, continuing: false,
      at: BatchDatabase.now.adding(seconds: 3600))
    try expectSame(rows(), first)
    #expect(again.counts.scoresChanged == 0)
    let last = Self.days.upperBound
    try database.run(
      last...last, thresholds: thresholds, kind: .run,
      at: BatchDatabase.now.adding(seconds: 7200))
    try expectSame(rows(), first)
  }

  @Test("a run that was cut off goes on as if it had not been", arguments: DatabaseKind.allCases)
  func continues(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let whole = try database(kind, seed: 5, persons: 8)
    let cut = try whole.copy()
    try cut.run(Self.days, thresholds: thresholds, stoppingAfter: 3, batchSize: 2)
    // Scores and a birth date of persons whose batch is done: it is done again.
    let persons = try whole.storage.persons(withDataIn: Self.days)
    for database in [whole, cut] {
      try database.insert([
        VitalityScore(
          user: persons[0], day: Self.days.upperBound - 1, total: 12, sleep: 12, movement: 12,
          stress: 12, schemaVersion: "app.3", source: "app")
      ])
      try database.database.execute(
        "UPDATE users SET birth_date = '1930-01-01' WHERE id = '\(persons[2].lowercased)'")
    }
    try cut.run(Self.days, thresholds: thresholds, batchSize: 2)
    try whole.run(Self.days, thresholds: thresholds, batchSize: 2)
    // What only the first part of the run had found, and the whole run never, is retracted.
    let isRetracted = { (row: String) in row.contains("suppressed_reason=retracted") }
    #expect(try cut.vitality().contains(where: isRetracted))
    try expectSame(cut.vitality().filter { !isRetracted($0) }, whole.vitality())
    #expect(try cut.storage.runs(limit: 10).count == 1)
  }

  @Test(
    "what another vitality file has written in between is written again",
    arguments: DatabaseKind.allCases)
  func otherVitalityInBetween(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try database(kind, seed: 11, persons: 8)
    try database.run(Self.days, thresholds: thresholds, stoppingAfter: 2, batchSize: 2)
    let last = Self.days.upperBound
    try database.run(
      last...last, thresholds: thresholds, kind: .run, vitality: BatchDatabase.vitality("v2"),
      switching: true, at: BatchDatabase.now.adding(seconds: 60))
    try database.run(
      Self.days, thresholds: thresholds, batchSize: 2, switching: true,
      at: BatchDatabase.now.adding(seconds: 120))
    // The other file looks further back than the days of this run reach.
    #expect(
      try database.database.rows(
        """
        SELECT DISTINCT schema_version FROM vitality_scores
        WHERE source = 'vigil' AND score_date >= '\(Self.days.lowerBound)'
        """) == ["vitality.v1"])
    #expect(try database.storage.runs(limit: 9).count == 2)
  }

  // MARK: Late and foreign data

  @Test("late metrics correct the scores they reach", arguments: DatabaseKind.allCases)
  func honoursLateMetrics(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let late = try database(kind, seed: 6, persons: 4)
    let fresh = try late.copy()
    let nights = (Self.days.upperBound - 3)...Self.days.upperBound
    try late.runNightly(nights.lowerBound...(nights.upperBound - 1), thresholds: thresholds)
    let before = try late.storage.vitalityScores(of: nil, in: nights)
    for database in [late, fresh] {
      try database.insert(
        ["hrv_ms", "steps"].map {
          .init(
            person: UUID(name: "vitality person 0"), metric: $0,
            values: [nights.lowerBound - 1: $0 == "steps" ? 2 : 5])
        }, source: "watch")
    }
    let last = nights.upperBound
    try late.run(last...last, thresholds: thresholds, kind: .run)
    try fresh.run(last...last, thresholds: thresholds, kind: .run)
    let corrected = try late.storage.vitalityScores(of: nil, in: nights)
    let query = """
      SELECT * FROM vitality_scores WHERE score_date >= '\(last - 20)' ORDER BY user_id, score_date
      """
    try expectSame(late.database.rows(query), fresh.database.rows(query))
    #expect(corrected.filter { $0.day < last } != before)
  }

  @Test(
    "scores go where their metrics have gone, be it all of them",
    arguments: DatabaseKind.allCases, [30, length])
  func removesWhatHasNoMetrics(kind: DatabaseKind, lost: Int) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try database(kind, seed: 7, persons: 4)
    let last = Self.days.upperBound
    try database.run(last...last, thresholds: thresholds, kind: .run)
    let person = UUID(name: "vitality person 0").lowercased
    #expect(try database.storage.vitalityScores(of: nil, in: last...last).count == 4)
    try database.database.execute(
      """
      DELETE FROM wearable_daily_metrics
      WHERE user_id = '\(person)' AND metric_date > '\(last - lost)';
      DELETE FROM vitality_scores
      WHERE user_id = '\(person)' AND score_date > '\(last - lost)' AND source <> 'vigil'
      """)
    let record = try database.run(
      last...last, thresholds: thresholds, kind: .run, continuing: false)
    #expect(record.counts.scoresChanged > 0)
    #expect(try database.storage.vitalityScores(of: nil, in: last...last).count == 3)
    #expect(
      try database.database.rows(
        """
        SELECT count(*) FROM trend_insights
        WHERE user_id = '\(person)' AND suppressed_reason IS NULL AND insight_date = '\(last)'
        """) == ["0"])
    guard lost == Self.length else { return }
    #expect(
      try database.database.rows(
        "SELECT coverage_days FROM trend_coverage WHERE user_id = '\(person)'") == ["0"])
  }

  @Test("scores from elsewhere are used and never touched", arguments: DatabaseKind.allCases)
  func keepsForeignRows(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try database(kind, seed: 8)
    let query = "SELECT * FROM vitality_scores WHERE source <> 'vigil' ORDER BY 1, 2"
    let before = try database.database.rows(query)
    #expect(before.count > 100)
    try database.run(Self.days, thresholds: thresholds)
    try expectSame(database.database.rows(query), before)

    // A person of whom there is nothing else.
    let day = Self.days.upperBound
    try database.insert(
      (0..<21).map { back in
        let score = back < 3 ? 40 : 80
        return VitalityScore(
          user: Self.person, day: day - back, total: score, sleep: score, movement: nil,
          stress: nil, schemaVersion: "1", source: "app")
      })
    try database.run(day...day, thresholds: thresholds, kind: .run)
    let found = try database.storage.trendInsights(
      matching: InsightFilter(users: [Self.person], includesSuppressed: false))
    #expect(found.map(\.rule) == [.lowStreak])
    #expect(found.first?.recent == 40 && found.first?.baseline == 80)

    // What the app corrects, the next run sees; what it no longer supports is retracted.
    try database.insert(
      (0..<3).map { back in
        VitalityScore(
          user: Self.person, day: day - back, total: 80, sleep: 80, movement: nil, stress: nil,
          schemaVersion: "1", source: "app")
      })
    try database.run(
      day...day, thresholds: thresholds, kind: .run, continuing: false,
      at: BatchDatabase.now.adding(seconds: 60))
    let later = try database.storage.trendInsights(
      matching: InsightFilter(users: [Self.person], includesSuppressed: true))
    #expect(later.map(\.suppressedReason) == [.retracted])
  }

  @Test("a row of an app takes the place of a computed one", arguments: DatabaseKind.allCases)
  func foreignRowsReplaceComputedOnes(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try database(kind, seed: 9, persons: 1)
    let day = Self.days.upperBound
    try database.run(day...day, thresholds: thresholds, kind: .run)
    let person = UUID(name: "vitality person 0")
    let computed = try database.storage.vitalityScores(of: [person], in: day...day)
    #expect(computed.map(\.source) == ["vigil"])
    let row = VitalityScore(
      user: person, day: day, total: 7, sleep: nil, movement: nil, stress: 7, schemaVersion: "1",
      source: "app")
    try database.insert([row])
    try database.run(day...day, thresholds: thresholds, kind: .run, continuing: false)
    #expect(try database.storage.vitalityScores(of: [person], in: day...day) == [row])
  }

  // MARK: Parts

  @Test("a narrowed run writes what it is narrowed to", arguments: DatabaseKind.allCases)
  func parts(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let start = Day(ordinal: 20_454)
    let fresh = try BatchDatabase(kind)
    try fresh.insertDoses(persons: 3, from: start, days: 75, seed: 5)
    try fresh.insert(
      (0..<3).flatMap { person in
        ["hrv_ms", "sleep_minutes"].map { metric in
          BatchDatabase.Series(
            person: DoseSample.person(person), metric: metric,
            values: Dictionary(
              uniqueKeysWithValues: (0..<75).map { day in
                (start + day, metric == "hrv_ms" ? 60 : Double(day < 65 ? 470 : 300))
              }))
        }
      })
    let days = (start + 66)...(start + 69)
    let whole = try fresh.copy()
    try whole.run(days, thresholds: thresholds)
    let tables: [RunPart: [String]] = [
      .patterns: [
        "pattern_alert_state WHERE medication_id IS NULL",
        "shadow_notification_queue WHERE template_id LIKE 'pattern_alert%'",
      ],
      .adherence: [
        "dose_analytics", "pattern_alert_state WHERE medication_id IS NOT NULL",
        "shadow_notification_queue WHERE template_id NOT LIKE 'pattern_alert%'",
      ], .vitality: ["vitality_scores", "trend_coverage"],
    ]
    let pieces = try fresh.copy()
    for part in RunPart.allCases {
      let narrowed = try fresh.copy()
      let record = try narrowed.run(days, thresholds: thresholds, parts: [part])
      #expect(record.parts == [part])
      #expect((record.vitality != nil) == (part == .vitality))
      try pieces.run(days, thresholds: thresholds, parts: [part])
      for other in RunPart.allCases {
        for table in tables[other] ?? [] {
          let count = try narrowed.database.count(table)
          #expect(
            count == (other == part ? try whole.database.count(table) : 0), "\(part): \(table)")
        }
      }
    }
    // One after the other they leave what a whole run leaves.
    try expectSame(pieces.vitality(), whole.vitality())
    try expectSame(pieces.alertStates(), whole.alertStates())
    #expect(try pieces.database.count("dose_analytics") == whole.database.count("dose_analytics"))
    #expect(try pieces.storage.runs(limit: 10).count == 3)
  }

  @Test("metrics that the table has not are missing", arguments: DatabaseKind.allCases)
  func missingColumns(kind: DatabaseKind) throws {
    let database = try database(kind, seed: 10, persons: 2)
    let day = Self.days.upperBound
    try database.database.execute("ALTER TABLE wearable_daily_metrics DROP COLUMN breathing_rate")
    let record = try database.run(
      day...day, thresholds: BatchDatabase.thresholds("v1"), parts: [.vitality])
    #expect(record.status == .succeeded)
    #expect(try database.storage.vitalityScores(of: nil, in: day...day).count == 2)
  }
}

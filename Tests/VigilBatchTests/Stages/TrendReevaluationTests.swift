import Foundation
import TestDatabases
import Testing
import VigilModel
import VigilStorage

/// Metrics and scores that arrive after a night has found its trends, and nights that were missed:
/// the next night corrects the rows of the nights before.
@Suite("Late scores")
struct TrendReevaluationTests {
  private static let nights = (VitalityHistories.first + 80)...(VitalityHistories.first + 99)

  private func database(_ kind: DatabaseKind, persons: Int = 12) throws -> BatchDatabase {
    try VitalityHistories(seed: 11, persons: persons, days: 100).database(kind)
  }

  private func night(
    _ day: Day, in database: BatchDatabase, profile: String = "v1", parts: Set<RunPart> = .all
  ) throws {
    try database.run(
      day...day, thresholds: BatchDatabase.thresholds(profile), kind: .run, parts: parts,
      vitality: BatchDatabase.vitality(profile), continuing: false)
  }

  private func isRetracted(_ row: String) -> Bool { row.contains("suppressed_reason=retracted") }

  /// The rows that are not retracted.
  private func rows(_ database: BatchDatabase) throws -> [String] {
    try database.vitality().filter { !isRetracted($0) }
  }

  @Test(
    "late metrics leave what timely ones would have left", arguments: DatabaseKind.allCases,
    ["v1", "v2"])
  func lateMetrics(kind: DatabaseKind, profile: String) throws {
    let timely = try database(kind)
    let late = try timely.copy()
    // Two days of ten are known only later, of the days before the first night too.
    try late.database.execute(
      """
      CREATE TABLE held AS SELECT * FROM wearable_daily_metrics
      WHERE metric_date >= '\(Self.nights.lowerBound - 15)'
        AND substr(CAST(metric_date AS text), 10, 1) IN ('3', '4');
      DELETE FROM wearable_daily_metrics
      WHERE metric_date >= '\(Self.nights.lowerBound - 15)'
        AND substr(CAST(metric_date AS text), 10, 1) IN ('3', '4');
      """)
    #expect(try late.database.count("held") > 50)
    for day in Self.nights {
      let known = day == Self.nights.upperBound ? day : day - 5
      try late.database.execute(
        """
        INSERT INTO wearable_daily_metrics SELECT * FROM held WHERE metric_date <= '\(known)';
        DELETE FROM held WHERE metric_date <= '\(known)';
        """)
      try night(day, in: late, profile: profile)
      try night(day, in: timely, profile: profile)
    }
    try expectSame(rows(late), rows(timely))
    #expect(try late.vitality().contains(where: isRetracted))
  }

  @Test(
    "late and corrected scores from elsewhere leave what timely ones would have left",
    arguments: DatabaseKind.allCases)
  func lateForeignScores(kind: DatabaseKind) throws {
    let timely = try database(kind, persons: 24)
    let late = try timely.copy()
    let isLate = "source <> 'vigil' AND score_date >= '\(Self.nights.lowerBound - 10)'"
    try late.database.execute(
      """
      CREATE TABLE held AS SELECT * FROM vitality_scores
      WHERE \(isLate) AND substr(CAST(score_date AS text), 10, 1) < '6';
      DELETE FROM vitality_scores
      WHERE \(isLate) AND substr(CAST(score_date AS text), 10, 1) < '6';
      UPDATE vitality_scores SET sleep_score = 99 - sleep_score
      WHERE \(isLate) AND substr(CAST(score_date AS text), 10, 1) = '7';
      """)
    #expect(try late.database.count("held") > 15)
    for day in Self.nights {
      let known = day == Self.nights.upperBound ? day : day - 5
      try late.database.execute(
        """
        DELETE FROM vitality_scores WHERE EXISTS (
          SELECT 1 FROM held WHERE held.score_date <= '\(known)'
            AND held.user_id = vitality_scores.user_id
            AND held.score_date = vitality_scores.score_date
        );
        INSERT INTO vitality_scores SELECT * FROM held WHERE score_date <= '\(known)';
        DELETE FROM held WHERE score_date <= '\(known)';
        """)
      if day == Self.nights.lowerBound + 6 {
        try late.database.execute(
          """
          UPDATE vitality_scores SET sleep_score = 99 - sleep_score
          WHERE \(isLate) AND substr(CAST(score_date AS text), 10, 1) = '7'
          """)
      }
      try night(day, in: late)
      try night(day, in: timely)
    }
    try expectSame(rows(late), rows(timely))
    #expect(try late.vitality().contains(where: isRetracted))
  }

  @Test("nights that were missed get their trends", arguments: DatabaseKind.allCases)
  func missedNights(kind: DatabaseKind) throws {
    let every = try database(kind)
    let missed = try every.copy()
    for (number, day) in Self.nights.enumerated() {
      try night(day, in: every)
      if [0, 1, 4, 5, 12, 19].contains(number) { try night(day, in: missed) }
    }
    try expectSame(missed.vitality(), every.vitality())
  }

  @Test("what a backfill of the past corrects reaches the nights after it")
  func correctedByBackfill() throws {
    let timely = try database(.sqlite)
    let late = try timely.copy()
    let (first, last) = (Self.nights.lowerBound, Self.nights.lowerBound + 9)
    let change = """
      UPDATE wearable_daily_metrics SET hrv_ms = 12, sleep_minutes = 200
      WHERE metric_date BETWEEN '\(first + 2)' AND '\(first + 4)'
      """
    for day in first..<last { try night(day, in: late) }
    try late.database.execute(change)
    try late.run(
      (first + 1)...(first + 4), thresholds: BatchDatabase.thresholds("v1"), continuing: false)
    try night(last, in: late)
    try timely.database.execute(change)
    for day in first...last { try night(day, in: timely) }
    try expectSame(rows(late), rows(timely))
  }

  @Test("days before the first night have no insights", arguments: DatabaseKind.allCases)
  func beginsWithTheFirstNight(kind: DatabaseKind) throws {
    let database = try database(kind)
    let first = Self.nights.lowerBound
    try night(first, in: database)
    try database.database.execute(
      "UPDATE wearable_daily_metrics SET hrv_ms = 9 WHERE metric_date = '\(first - 4)'")
    try night(first + 1, in: database)
    let found = try database.storage.trendInsights(matching: InsightFilter())
    #expect(Set(found.map(\.day)) == [first, first + 1])
    let scored = try database.database.rows(
      "SELECT min(score_date) FROM vitality_scores WHERE source = 'vigil'")
    #expect(scored == ["\(first - 20)"])
  }

  @Test(
    "nights before are evaluated again only for whom something has changed",
    arguments: DatabaseKind.allCases)
  func leavesOthersAlone(kind: DatabaseKind) throws {
    let database = try database(kind)
    let first = Self.nights.lowerBound
    for day in first...(first + 8) { try night(day, in: database) }
    let (before, insights) = (first + 8, try database.storage.trendInsights(matching: .init()))
    // What is gone comes back with an evaluation.
    try database.database.execute("DELETE FROM trend_insights")
    try night(first + 9, in: database)
    func days() throws -> [UUID: Set<Day>] {
      Dictionary(grouping: try database.storage.trendInsights(matching: .init()), by: \.user)
        .mapValues { Set($0.map(\.day)) }
    }
    #expect(Set(try days().values) == [[first + 9]])
    let changed = try #require(insights.first { $0.day == before }?.user)
    try database.database.execute(
      """
      UPDATE wearable_daily_metrics SET hrv_ms = 300, resting_hr = 45, sleep_minutes = 480
      WHERE user_id = '\(changed.lowercased)' AND metric_date >= '\(before - 3)'
      """)
    try night(first + 10, in: database)
    for (person, days) in try days() {
      let earliest = try #require(days.min())
      #expect(person == changed ? earliest >= before - 3 : earliest > before)
    }
  }

  @Test("the same night once more sees what has come meanwhile", arguments: DatabaseKind.allCases)
  func repeatedNight(kind: DatabaseKind) throws {
    let timely = try database(kind)
    let late = try timely.copy()
    let (first, last) = (Self.nights.lowerBound, Self.nights.lowerBound + 5)
    let change = """
      UPDATE wearable_daily_metrics SET hrv_ms = 12, steps = 100
      WHERE metric_date >= '\(first + 2)'
      """
    for day in first...last { try night(day, in: late) }
    try late.database.execute(change)
    try night(last, in: late)
    try timely.database.execute(change)
    for day in first...last { try night(day, in: timely) }
    try expectSame(rows(late), rows(timely))
  }
}

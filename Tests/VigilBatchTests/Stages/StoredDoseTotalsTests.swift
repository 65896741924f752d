import Foundation
import TestDatabases
import Testing
import VigilAdherence
import VigilModel
import VigilStorage

/// Doses that are logged, corrected or taken back after a night has counted them: the next night
/// corrects the rows of the nights before.
@Suite("Late doses")
struct StoredDoseTotalsTests {
  private static let start = Day(ordinal: 20_454)  // 2026-01-01
  private static let nights = (start + 60)...(start + 69)

  private func database(_ kind: DatabaseKind, persons: Int = 3) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    try database.insertDoses(persons: persons, from: Self.start, days: 75, seed: 7)
    return database
  }

  @discardableResult
  private func night(
    _ day: Day, in database: BatchDatabase, at now: Timestamp? = nil
  ) throws -> RunRecord {
    try database.run(
      day...day, thresholds: BatchDatabase.thresholds("v1"), kind: .run, continuing: false,
      at: now ?? BatchDatabase.now)
  }

  /// The rows about doses, without retracted ones and without the times of their writing.
  private func rows(_ database: BatchDatabase) throws -> [String] {
    let left: Set = ["run_id", "created_at", "updated_at", "evaluated_at", "computed_at"]
    return try database.rows(of: "dose_analytics", without: left)
      + database.rows(of: "trend_insights", without: left)
      .filter { !$0.contains("suppressed_reason=retracted") }
      // What was planned when the doses were not there yet stays so.
      + database.rows(of: "pattern_alert_state", without: left.union(["shadow_notified_level"]))
      .filter { !$0.contains("medication_id=NULL") && !$0.contains("resolution_reason=retracted") }
  }

  @Test("leave what they would have left in time", arguments: DatabaseKind.allCases)
  func lateDosesLeaveWhatTimelyOnesWould(kind: DatabaseKind) throws {
    let (late, timely) = (try database(kind), try database(kind))
    // Two thirds of the doses of five weeks come in ten portions, one a night.
    let since = (Self.nights.lowerBound - 28).midnight
    let digit = "substr(CAST(id AS text), 1, 1)"
    try late.database.execute(
      """
      CREATE TABLE held AS SELECT * FROM dose_history
      WHERE scheduled_time >= '\(since)' AND \(digit) <= '9';
      DELETE FROM dose_history WHERE id IN (SELECT id FROM held);
      """)
    let before = try late.database.count("dose_history")
    for (day, portion) in zip(Self.nights, "0123456789") {
      try late.database.execute(
        "INSERT INTO dose_history SELECT * FROM held WHERE \(digit) = '\(portion)'")
      try night(day, in: late)
      try night(day, in: timely)
    }
    #expect(try late.database.count("dose_history") > before + 100)
    try expectSame(rows(late), rows(timely))
    #expect(
      try late.rows(of: "trend_insights").contains { $0.contains("suppressed_reason=retracted") })
  }

  @Test("corrected and deleted rows count as they are now", arguments: DatabaseKind.allCases)
  func correctionsCountToo(kind: DatabaseKind) throws {
    let (late, timely) = (try database(kind), try database(kind))
    func dose(_ day: Int, _ time: Int) -> String {
      DoseSample.dose(person: 1, medication: 0, day: day, time: time).lowercased
    }
    let corrections = """
      UPDATE dose_history SET status = 'skipped' WHERE id = '\(dose(51, 0))';
      DELETE FROM dose_history WHERE id = '\(dose(54, 1))';
      """
    for day in Self.nights { try night(day, in: late) }
    try late.database.execute(corrections)
    try night(Self.nights.upperBound + 1, in: late)
    try timely.database.execute(corrections)
    for day in Self.nights { try night(day, in: timely) }
    try night(Self.nights.upperBound + 1, in: timely)
    try expectSame(rows(late), rows(timely))
  }

  /// Corrections that leave all figures of the person's 90 days as they were.
  enum Move: CaseIterable {
    case toAnotherDay, toTheOtherMedication
  }

  @Test(
    "a dose put where it belongs counts there, even where the total is the same",
    arguments: DatabaseKind.allCases, Move.allCases)
  func movedDosesCount(kind: DatabaseKind, move: Move) throws {
    let taken = DoseSample.dose(person: 1, medication: 0, day: 52, time: 0)
    // Two days that are alike but for one dose.
    func sparse() throws -> BatchDatabase {
      let database = try database(kind)
      var doses: [UUID] = []
      for day in [52, 54] {
        for (medication, time) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
          doses.append(DoseSample.dose(person: 1, medication: medication, day: day, time: time))
        }
      }
      let others = doses.filter { $0 != taken }.map { "'\($0.lowercased)'" }
      try database.database.execute(
        """
        DELETE FROM dose_history WHERE id IN (\(others.joined(separator: ", ")));
        UPDATE dose_history SET actual_time = scheduled_time WHERE id = '\(taken.lowercased)';
        """)
      return database
    }
    let (late, timely) = (try sparse(), try sparse())
    let time = (Self.start + 54).midnight.adding(seconds: 25_200)
    let change =
      switch move {
      case .toAnotherDay: "scheduled_time = '\(time)', actual_time = '\(time)'"
      case .toTheOtherMedication:
        """
        medication_id = '\(DoseSample.medication(person: 1, medication: 1).lowercased)',
        schedule_id = '\(DoseSample.schedule(person: 1, medication: 1).lowercased)'
        """
      }
    let correction = "UPDATE dose_history SET \(change) WHERE id = '\(taken.lowercased)'"
    let nights = Self.nights.lowerBound...(Self.nights.lowerBound + 2)
    for day in nights { try night(day, in: late) }
    func total() throws -> [AdherenceMeasures] {
      try late.storage.doseAnalytics(
        of: [DoseSample.person(1)], period: .ninetyDays, endingOn: nights.upperBound
      ).filter { $0.analytics.medication == nil }.map(\.analytics.measures)
    }
    let (before, rowsBefore) = try (total(), rows(late))
    try late.database.execute(correction)
    try night(nights.upperBound + 1, in: late)
    try timely.database.execute(correction)
    for day in nights { try night(day, in: timely) }
    try night(nights.upperBound + 1, in: timely)
    #expect(try total() == before)
    #expect(try !Set(rowsBefore).isSubset(of: rows(late)))
    try expectSame(rows(late), rows(timely))
  }

  @Test("of a medication that is gone nothing is left", arguments: DatabaseKind.allCases)
  func deletedMedicationsLeaveNothing(kind: DatabaseKind) throws {
    let (late, timely) = (try database(kind, persons: 4), try database(kind, persons: 4))
    func isOne(of medications: [(person: Int, number: Int)]) -> String {
      let ids = medications.map { medication in
        let id = DoseSample.medication(person: medication.person, medication: medication.number)
        return "'\(id.lowercased)'"
      }
      return "WHERE id IN (\(ids.joined(separator: ", ")))"
    }
    // Of two of the persons one is left, of one none, and the last keeps both.
    let changes = """
      UPDATE medications SET is_deleted = '1' \(isOne(of: [(0, 0), (2, 0)]));
      DELETE FROM medications \(isOne(of: [(1, 1), (2, 1)]));
      """
    func rows(_ database: BatchDatabase) throws -> [String] {
      try self.rows(database).filter { !$0.contains("rule=concurrent_episodes") }
    }
    let nights = Self.nights.lowerBound...(Self.nights.lowerBound + 2)
    for day in nights { try night(day, in: late) }
    let before = try rows(late).count
    try late.database.execute(changes)
    try night(nights.upperBound + 1, in: late)
    try timely.database.execute(changes)
    for day in nights { try night(day, in: timely) }
    try night(nights.upperBound + 1, in: timely)
    #expect(try rows(late).count < before)
    let gone = [DoseSample.person(2)]
    #expect(
      try late.storage.doseAnalytics(of: gone, period: .sevenDays, endingOn: nil).isEmpty)
    try expectSame(rows(late), rows(timely))
  }

  @Test("a dose that was pending is looked at again", arguments: DatabaseKind.allCases)
  func pendingDosesAreSettled(kind: DatabaseKind) throws {
    let database = try database(kind, persons: 1)
    let day = Self.nights.lowerBound
    // The evening's dose, of 20:00 in Madrid, can still be taken.
    let evening = (day + 1).midnight.adding(seconds: -3600)
    try database.database.execute("DELETE FROM dose_history WHERE actual_time > '\(evening)'")
    try night(day, in: database, at: evening)
    func pending() throws -> [Int] {
      try database.storage.doseAnalytics(of: nil, period: .sevenDays, endingOn: day)
        .map(\.analytics.measures.pendingDoses)
    }
    let first = try pending()
    #expect(first.reduce(0, +) > 0)
    try night(day + 1, in: database, at: (day + 2).midnight)
    #expect(try pending() == [0, 0, 0])
  }

  @Test(
    "a night that finds nothing late writes its own rows only", arguments: DatabaseKind.allCases)
  func writesNoMoreThanItsOwn(kind: DatabaseKind) throws {
    let database = try database(kind)
    let first = Self.nights.lowerBound
    for day in first...(first + 5) { try night(day, in: database) }
    try night(first + 6, in: database)
    func runs(_ day: Day) throws -> Int {
      try database.database.rows(
        "SELECT DISTINCT run_id FROM dose_analytics WHERE period_end = '\(day)'"
      ).count
    }
    #expect(try runs(first + 5) == 1)
    // It changes what was written from its day on.
    let dose = try #require(
      try database.database.rows(
        """
        SELECT min(scheduled_time) FROM dose_history
        WHERE scheduled_time > '\((first + 1).midnight)'
        """
      ).first.flatMap { Timestamp($0) })
    try database.database.execute(
      "UPDATE dose_history SET status = 'skipped' WHERE scheduled_time = '\(dose)'")
    try night(first + 7, in: database)
    let earlier = first...(first + 6)
    #expect(earlier.contains(dose.utcDay))
    #expect(try earlier.map { try runs($0) } == earlier.map { $0 < dose.utcDay ? 1 : 2 })
  }

  @Test("a night that was missed gets its rows", arguments: DatabaseKind.allCases)
  func missedNightsAreCaughtUp(kind: DatabaseKind) throws {
    let (missed, every) = (try database(kind), try database(kind))
    let first = Self.nights.lowerBound
    for day in [first, first + 1] { try night(day, in: missed) }
    for day in first...(first + 3) { try night(day, in: every) }
    let last = try [missed, every].map { try night(first + 4, in: $0) }
    try expectSame(rows(missed), rows(every))
    // What is found of missed nights is written, and not counted as the last one's.
    #expect(last[0].counts.insightsFound == last[1].counts.insightsFound)
    let found = try missed.storage.trendInsights(matching: InsightFilter())
    #expect(found.contains { $0.rule == .missedStreak && $0.day == first + 3 })
  }
}

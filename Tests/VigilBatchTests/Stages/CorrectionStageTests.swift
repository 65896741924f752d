import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// Late and corrected data (specification, runs.md section 1): what nights decided on wrong data does
/// not outlive the night that sees the right data.
@Suite struct CorrectionStageTests {
  static let first = Day(ordinal: 20_000)
  private let person = UUID(name: "late person")

  @Test(arguments: DatabaseKind.withProfiles)
  func lateAndCorrectedDataLeaveWhatTimelyDataWould(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let history = try LateHistory(
      seed: 1, persons: kind == .sqlite ? 60 : 30, days: 170,
      nights: kind == .sqlite ? 24 : 20, thresholds: thresholds)
    #expect(history.histories.seriesCount > 200)
    let late = try history.databaseBeforeFirstNight(kind)
    let timely = try history.timelyDatabase(kind)
    var before: [UUID: PatternAlertState] = [:]
    var (retracted, restored) = (0, 0)
    for night in history.nights {
      try history.update(late, before: night)
      try late.run(night...night, thresholds: thresholds, kind: .run)
      try timely.run(night...night, thresholds: thresholds, kind: .run)

      let states = try states(late)
      let after = Dictionary(uniqueKeysWithValues: states.map { ($0.id, $0) })
      for (id, old) in before {
        let new = try #require(after[id], "a row is gone after \(night)")
        #expect(Self.rank(new.shadowNotifiedLevel) >= Self.rank(old.shadowNotifiedLevel))
        if !Self.isRetracted(old), Self.isRetracted(new) { retracted += 1 }
        if Self.isRetracted(old), !Self.isRetracted(new) { restored += 1 }
      }
      before = after
    }
    // v3 opens few episodes, and late data touch fewer.
    #expect(retracted > (profile.hasPrefix("v3") ? 0 : 10))
    #expect(restored > 0 || profile.hasPrefix("v3"))
    try expectSame(Self.decisions(late), Self.decisions(timely))
  }

  @Test(arguments: DatabaseKind.allCases, ["v1", "v2"])
  func anEpisodeThatHadEndedIsRetractedToo(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let database = try BatchDatabase(kind)
    try database.insert([series("8000x30 4000x5 8000x12")])
    try database.runNightly((Self.first + 30)...(Self.first + 45), thresholds: thresholds)
    let before = try #require(try states(database).first)
    #expect(before.episode.resolution?.reason == .recovered)

    try database.insert([series("8000x47")])
    let night = Self.first + 46
    let record = try database.run(night...night, thresholds: thresholds, kind: .run)
    let after = try #require(try states(database).first)
    #expect(after.id == before.id)
    #expect(after.episode.resolution == .init(day: night, reason: .retracted))
    #expect(after.episode.level == before.episode.level)
    #expect(after.shadowNotifiedLevel == before.shadowNotifiedLevel)
    // It had been counted as resolved when it ended.
    #expect(record.counts.episodesResolved == 0)
    try database.run(night...night, thresholds: thresholds, kind: .run)
    #expect(try states(database) == [after])
  }

  @Test(arguments: DatabaseKind.allCases, ["v1", "v2"])
  func anEpisodeThatEndedBeforeTheFoldedDaysStays(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let database = try BatchDatabase(kind)
    try database.insert([series("8000x30 4000x5 8000x60")])
    try database.run((Self.first + 30)...(Self.first + 45), thresholds: thresholds)
    let before = try states(database)
    let ended = try #require(before.first?.episode.resolution?.day)
    try database.insert([series("8000x95")])
    let night = ended + thresholds.warmupDays
    try database.run(night...night, thresholds: thresholds, kind: .run)
    #expect(try states(database) == before)
  }

  /// A level that wrong days raised decides how many clean days are needed; it falls with them.
  @Test(arguments: DatabaseKind.withProfiles)
  func aLevelThatWrongDaysRaisedFallsWithThem(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let (late, timely) = (try BatchDatabase(kind), try BatchDatabase(kind))
    // The last night folds from day 52 on, the 14th of the episode where that day is wrong.
    let wrong: SeriesNotation = "8000x40 4000x14 8000x38"
    let right: SeriesNotation = "8000x40 4000x12 16000 8000x39"
    try late.insert([series(wrong)])
    try timely.insert([series(right)])
    let night = Self.first + 91
    let nights = (Self.first + 40)...(night - 1)
    try late.run(nights, thresholds: thresholds)
    try timely.run(nights, thresholds: thresholds)
    #expect(try states(late).map(\.episode.level) == [.day14])
    #expect(try states(timely).map(\.episode.level) == [.day7])
    try late.insert([series(right)])
    try late.run(night...night, thresholds: thresholds, kind: .run)
    try timely.run(night...night, thresholds: thresholds, kind: .run)
    try expectSame(Self.decisions(late), Self.decisions(timely))
  }

  /// The same where the episode paused over the beginning of the folded days.
  @Test(arguments: DatabaseKind.allCases)
  func daysOfAPauseRaiseNoLevel(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let (late, timely) = (try BatchDatabase(kind), try BatchDatabase(kind))
    // The 13th day of the episode deviates, the next two are neither deviating nor clean, and the
    // last night folds from the one after them on.
    let right: SeriesNotation = "8000x40 4000x12 12000 4000 8000 12000 8000x38"
    try late.insert([series("8000x40 4000x12 12000 4000 1 12000 8000x38")])
    try timely.insert([series(right)])
    let night = Self.first + 93
    for database in [late, timely] {
      try database.run((Self.first + 40)...(night - 1), thresholds: thresholds)
    }
    #expect(try states(late).map(\.episode.level) == [.day14])
    #expect(try states(timely).map(\.episode.level) == [.day7])
    try late.insert([series(right)])
    for database in [late, timely] {
      try database.run(night...night, thresholds: thresholds, kind: .run)
    }
    try expectSame(Self.decisions(late), Self.decisions(timely))
  }

  @Test(arguments: DatabaseKind.allCases, ["v1", "v2"])
  func nothingIsDecidedAboutASeriesWhoseRowsAreGone(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let database = try BatchDatabase(kind)
    try database.insert([
      series("8000x30 4000x5 8000x12 4000x6"), series("8000x60", of: UUID(name: "other person")),
    ])
    let nights = (Self.first + 30)...(Self.first + 52)
    try database.run(nights, thresholds: thresholds)
    let before = try states(database)
    #expect(before.map(\.episode.isActive) == [false, true])
    try database.database.execute(
      "DELETE FROM wearable_daily_metrics WHERE user_id = '\(person.lowercased)'")
    let night = nights.upperBound + 1
    let record = try database.run(night...night, thresholds: thresholds, kind: .run)
    #expect(record.counts.persons == 2)
    #expect(try states(database) == before)
  }

  @Test(arguments: DatabaseKind.allCases)
  func anEpisodeOfAPersonWhoFellSilentLongAgoStillEnds(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let database = try BatchDatabase(kind)
    try database.insert([
      series("8000x30 4000x5"), series("8000x190", of: UUID(name: "other person")),
    ])
    let last = Self.first + 34
    try database.run(last...last, thresholds: thresholds, kind: .run)
    let night = last + 150
    try database.run(night...night, thresholds: thresholds, kind: .run)
    #expect(try states(database).map(\.episode.resolution?.reason) == [.noData])
  }

  // MARK: Helpers

  private func series(
    _ notation: SeriesNotation, of person: UUID? = nil
  ) -> BatchDatabase.Series {
    var values: [Day: Double] = [:]
    for (index, value) in notation.values.enumerated() where !value.isNaN {
      values[Self.first + index] = value
    }
    return .init(person: person ?? self.person, metric: "steps", values: values)
  }

  private func states(_ database: BatchDatabase) throws -> [PatternAlertState] {
    try database.storage.alertStates(matching: AlertFilter())
  }

  private static func isRetracted(_ state: PatternAlertState) -> Bool {
    state.episode.resolution?.reason == .retracted
  }

  private static func rank(_ level: AlertLevel?) -> Int { level?.rawValue ?? 0 }

  /// Alert rows without their notified levels, and without retracted ones.
  private static func decisions(_ database: BatchDatabase) throws -> [String] {
    try database.alertStates().filter { !$0.contains("resolution_reason=retracted") }
      .map { $0.replacing(/shadow_notified_level=\S+/, with: "") }
  }
}

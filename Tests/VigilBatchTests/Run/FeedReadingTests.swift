import Foundation
import Logging
import TestDatabases
import TestSupport
import Testing
import VigilAnalysis
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// A feed that breaks (specification, silence.md section 6): one finding of the operator, and no alert of a family.
@Suite struct FeedReadingTests {
  private static let first = Day(ordinal: 20_000)
  private static let outage = 150...155
  private let persons = (0..<40).map { UUID(name: "feed \($0)") }

  /// Rows of all days up to `last`; none in the outage but of one person, and 3 persons are silent after it.
  private func rows(from start: Int = 80, to last: Int) -> [BatchDatabase.Series] {
    persons.enumerated().map { index, person in
      let days = (start...last).filter { day in
        if Self.outage.contains(day) { return index == 0 }
        return day < Self.outage.lowerBound || index >= 4 || index == 0
      }
      return BatchDatabase.Series(
        person: person, metric: "steps",
        values: Dictionary(uniqueKeysWithValues: days.map { (Self.first + $0, 8_000) }))
    }
  }

  private func database(_ kind: DatabaseKind, to last: Int) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    try database.insert(rows(to: last))
    try database.insert(
      persons.map {
        FamilyMember(
          family: UUID(name: "family \($0.lowercased)"), user: $0, role: .admin,
          inviteStatus: .accepted)
      })
    return database
  }

  private func silences(_ database: BatchDatabase) throws -> [PatternAlertState] {
    try database.storage.alertStates(matching: AlertFilter(metric: .inactivity))
  }

  @Test(arguments: DatabaseKind.allCases)
  func whileTheFeedIsBrokenNoSilenceOpensAndThenItIsJudgedAgain(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v3")
    let database = try database(kind, to: 149)
    for day in 148...160 {
      try database.insert(rows(from: day, to: day))
      let night = Self.first + day
      let run = try database.run(
        night...night, thresholds: thresholds, kind: .run,
        at: BatchDatabase.now.adding(seconds: Int64(day) * 86_400))
      let feed = try #require(run.feed)
      #expect(feed.usual == 40)
      #expect(feed.sending == (Self.outage.contains(day) ? 1 : day < 150 ? 40 : 37), "\(day)")
      #expect(feed.isBroken(on: night) == (152...157).contains(day), "\(day)")
      #expect(try silences(database).count == (day < 159 ? 0 : 3), "\(day)")
      if (152...157).contains(day) {
        let finding = try ProductionCheck(day: night + 1, mode: .shadow, at: BatchDatabase.now)
          .findings(in: database.storage).first { $0.check == "feed" }
        #expect(finding?.status == .warning)
      }
    }
    let alerts = try silences(database)
    #expect(Set(alerts.map(\.series.user)) == Set(persons[1...3]))
    #expect(alerts.allSatisfy { $0.episode.activeSince == Self.first + 150 })
    #expect(try database.queue().count == 3 * 2, "two channels of the opening")
  }

  @Test(arguments: DatabaseKind.allCases)
  func withoutALimitEveryPersonIsAnAlert(kind: DatabaseKind) throws {
    var thresholds = try BatchDatabase.thresholds("v3")
    thresholds.inactivity?.feedLimit = nil
    let database = try database(kind, to: 153)
    let night = Self.first + 153
    let run = try database.run(night...night, thresholds: thresholds, kind: .run)
    #expect(run.feed == nil)
    #expect(try silences(database).count == 39)
  }

  @Test(arguments: DatabaseKind.allCases)
  func nightsBackfillsAndShardsDecideAlike(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v3")
    let days = (Self.first + 140)...(Self.first + 165)
    let fresh = try database(kind, to: 165)
    let whole = try fresh.copy()
    try whole.run(days, thresholds: thresholds)
    let expected = try whole.dump()
    #expect(try silences(whole).count == 3)
    let nightly = try fresh.copy()
    try nightly.runNightly(days, thresholds: thresholds)
    try expectSame(try nightly.dump(), expected, "nights")
    let shared = try fresh.copy()
    let part = try #require(RunShard(1, of: 2))
    try shared.run(days, thresholds: thresholds, stoppingAfter: 1, batchSize: 3, shard: part)
    // The first process has decided: rows that arrive between shards change nothing of it.
    let decided = try #require(try shared.storage.runs(limit: 1).first?.feed)
    #expect(decided.brokenDays == ((Self.first + 152)...(Self.first + 157)).map { $0 })
    try shared.run(days, thresholds: thresholds, batchSize: 3, shard: #require(RunShard(2, of: 2)))
    try shared.run(days, thresholds: thresholds, batchSize: 3, shard: part)
    try expectSame(try shared.dump(), expected, "shards")
    #expect(try shared.storage.runs(limit: 10).map(\.feed) == [decided])
  }

  @Test(arguments: DatabaseKind.allCases)
  func aComparisonLeavesOutWhatABrokenFeedSuspends(kind: DatabaseKind) throws {
    let database = try database(kind, to: 153)
    let days = (Self.first + 150)...(Self.first + 153)
    func silences(_ limit: Double?) throws -> Int {
      var thresholds = try BatchDatabase.thresholds("v3")
      thresholds.inactivity?.feedLimit = limit
      let comparison = try ComparisonEngine(
        storage: database.storage,
        thresholds: ByProfile(first: thresholds, second: BatchDatabase.thresholds("v1")),
        vitality: BatchDatabase.vitality("v1"), days: days,
        surroundings: .init(now: { BatchDatabase.now }, zones: .system),
        logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
      ).compare()
      return try #require(comparison).metrics[.inactivity]?.only.first ?? 0
    }
    #expect(try silences(0.3) == 0)
    #expect(try silences(nil) == 39)
  }
}

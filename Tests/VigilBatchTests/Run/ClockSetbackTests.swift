import Foundation
import InMemoryLogging
import Logging
import Synchronization
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilBatch

@Suite struct ClockSetbackTests {
  private static let day = Day(ordinal: 20_129)
  private static let now = BatchDatabase.now
  private static let hourBefore = now.adding(seconds: -3600)

  private func filled(_ kind: DatabaseKind = .sqlite) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    try database.insert(
      (0..<30).map { index in
        BatchDatabase.Series(
          person: UUID(name: "person \(index)"), metric: "steps",
          values: RandomSeries(seed: index, days: 130).byDay(from: Self.day - 129))
      })
    return database
  }

  @Test(arguments: [(-7200, true), (-301, true), (-300, false), (0, false), (86_400, false)])
  func clocksThatAreMinutesApartAreRight(difference: Int64, isSetBack: Bool) {
    let now = Self.now.adding(seconds: difference)
    #expect((ClockSetback(now: now, newestRun: Self.now) != nil) == isSetBack)
  }

  @Test func firstRunHasNothingToCompareItsClockWith() {
    #expect(ClockSetback(now: Timestamp(microseconds: 0), newestRun: nil) == nil)
  }

  @Test(arguments: DatabaseKind.allCases)
  func runThatTakesItsDayFromSuchAClockIsRefusedBeforeItIsRecorded(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try filled(kind)
    let first = try database.run(Self.day...Self.day, thresholds: thresholds, kind: .run)
    let rows = try database.dump()
    let error = #expect(throws: BatchError.self) {
      try database.run(
        (Self.day - 1)...(Self.day - 1), thresholds: thresholds, kind: .run, at: Self.hourBefore,
        takesDayFromClock: true)
    }
    #expect(error?.code == .clockSetBack)
    #expect(error?.description.contains("\(Self.hourBefore)") == true)
    #expect(error?.description.contains("\(Self.now)") == true)
    #expect(try database.storage.runs(limit: 9) == [first])
    try expectSame(database.dump(), rows)
    // Nothing is held that the next run would need.
    try database.run(
      Self.day...Self.day, thresholds: thresholds, kind: .run, takesDayFromClock: true)
  }

  @Test func runWhoseDaysWereGivenSaysSoAndGoesOn() throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try filled()
    for (now, warnings) in [(Self.now, 0), (Self.hourBefore, 1)] {
      let log = InMemoryLogHandler()
      let run = try database.run(
        Self.day...Self.day, thresholds: thresholds, at: now, log: log)
      #expect(run.status == .succeeded)
      #expect(log.entries.filter { $0.level == .warning }.count == warnings)
    }
  }

  /// By such a clock a notification can expire before it is due, and its level is never sent.
  @Test(arguments: DatabaseKind.allCases)
  func liveRunIsRefusedWithAGivenDayToo(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try filled(kind)
    try database.run(Self.day...Self.day, thresholds: thresholds, kind: .run, mode: .live)
    let rows = try database.dump() + database.rows(of: "batch_runs")
    for kind in [RunRecord.Kind.run, .backfill] {
      let error = #expect(throws: BatchError.self) {
        try database.run(
          (Self.day - 1)...(Self.day + 1), thresholds: thresholds, kind: kind, mode: .live,
          at: Self.hourBefore)
      }
      #expect(error?.code == .clockSetBack)
      #expect(error?.description.contains("nothing was evaluated, as due times") == true)
      #expect(error?.remedy == ClockSetback.remedy)
    }
    try expectSame(database.dump() + database.rows(of: "batch_runs"), rows)
  }

  /// By such a clock, a notification that was due while it was held keeps its hour, which may be at night.
  @Test(arguments: DatabaseKind.allCases)
  func releaseIsRefused(kind: DatabaseKind) throws {
    let database = try filled(kind)
    let held = try database.run(
      Self.day...Self.day, thresholds: BatchDatabase.thresholds("v1"), kind: .run, mode: .live,
      rateLimit: .count(0))
    #expect(held.status == .held)
    let rows = try database.dump() + database.rows(of: "batch_runs")
    let decide = HeldRunDecision(storage: database.storage, zones: .system)
    let error = #expect(throws: BatchError.self) {
      try decide.carryOut(.release, run: held.id, at: Self.hourBefore)
    }
    #expect(error?.code == .clockSetBack)
    #expect(error?.description.contains("nothing was released, as due times") == true)
    try expectSame(database.dump() + database.rows(of: "batch_runs"), rows)
    #expect(try decide.carryOut(.release, run: held.id, at: Self.now).status == .succeeded)
  }

  @Test func discardNeedsNoClock() throws {
    let database = try filled()
    let held = try database.run(
      Self.day...Self.day, thresholds: BatchDatabase.thresholds("v1"), kind: .run, mode: .live,
      rateLimit: .count(0))
    let decided = try HeldRunDecision(storage: database.storage, zones: .system).carryOut(
      .discard, run: held.id, at: Self.hourBefore)
    #expect(decided.status == .succeeded)
  }

  /// The run plans by the time that was checked.
  @Test func clockThatIsSetBackWhileARunBeginsIsRefusedToo() throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try filled()
    try database.run(Self.day...Self.day, thresholds: thresholds, kind: .run, mode: .live)
    let asked = Mutex(0)
    let next = (Self.day + 1)...(Self.day + 1)
    let error = #expect(throws: BatchError.self) {
      try database.run(
        next, thresholds: thresholds, kind: .run, mode: .live,
        clock: {
          asked.withLock { asked in
            asked += 1
            return asked == 1 ? Self.hourBefore : Self.now
          }
        })
    }
    #expect(error?.code == .clockSetBack)
    asked.withLock { $0 = 0 }
    let run = try database.run(
      next, thresholds: thresholds, kind: .run, mode: .live,
      clock: {
        asked.withLock { asked in
          asked += 1
          return asked == 1 ? Self.now : Self.hourBefore
        }
      })
    #expect(run.startedAt == Self.now)
  }

  @Test(arguments: [false, true])
  func runThatIsContinuedByAClockThatWasSetBackEndsLikeAnUndisturbedOne(
    isSucceededBefore: Bool
  ) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let days = (Self.day - 30)...Self.day
    let whole = try filled()
    try whole.run(days, thresholds: thresholds)
    let database = try filled()
    if isSucceededBefore { try database.run(days, thresholds: thresholds) }
    for seconds in [0, -3600, -7200] as [Int64] {
      let asked = Mutex(0)
      let run = try database.run(
        days, thresholds: thresholds, batchSize: 4,
        at: Self.now.adding(seconds: seconds),
        shouldStop: {
          asked.withLock { asked in
            asked += 1
            return asked > 2 && seconds > -7200
          }
        })
      #expect(run.status == (seconds > -7200 ? .interrupted : .succeeded))
    }
    try expectSame(database.dump(), whole.dump())
  }
}

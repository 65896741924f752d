import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilModel
import VigilStorage

/// The night in which a database begins to notify people.
@Suite("The first live night")
struct FirstLiveNightTests {
  private let persons = (1...4).map { UUID(name: "person \($0)") }.sorted()
  private let last: Day

  init() throws { last = try #require(Day("2026-06-30")) }

  /// Persons whose steps have fallen a week ago.
  private func database(_ kind: DatabaseKind) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    try database.insert(
      persons.map { person in
        let values = (0..<70).map { (last - $0, $0 < 8 ? 3000.0 : 9000.0) }
        return .init(
          person: person, metric: "steps", values: Dictionary(uniqueKeysWithValues: values))
      })
    return database
  }

  @discardableResult
  private func night(
    _ database: BatchDatabase, _ day: Day, _ mode: RunRecord.Mode, parts: Set<RunPart> = .all,
    shard: RunShard = .whole, continuing: Bool = true, kind: RunRecord.Kind = .run
  ) throws -> RunRecord {
    try database.run(
      day...day, thresholds: BatchDatabase.thresholds("v1"), kind: kind, mode: mode, parts: parts,
      shard: shard, continuing: continuing)
  }

  private func goLive(_ database: BatchDatabase) throws {
    _ = try database.storage.withRuns { try $0.goLive(at: BatchDatabase.now) }
  }

  @Test(
    "over alerts of shadow nights it is refused before it writes, until they count as notified",
    arguments: DatabaseKind.allCases, [RunRecord.Kind.run, .backfill])
  func afterShadowNights(kind: DatabaseKind, run: RunRecord.Kind) throws {
    let database = try database(kind)
    try night(database, last - 1, .shadow)
    let before = try database.dump() + database.records()
    let error = #expect(throws: BatchError.self) { try night(database, last, .live, kind: run) }
    #expect(error?.code == .neverNotified)
    #expect(error?.description.contains("holds 4 active alerts of shadow nights") == true)
    #expect(error?.remedy == .countAlertsAsNotified)
    #expect(try database.dump() + database.records() == before)
    // Scores and doses lead to no notification.
    try night(database, last, .live, parts: [.vitality])
    try goLive(database)
    #expect(try night(database, last, .live, kind: run).counts.notificationsEnqueued == 0)
    // After going live, an operator may try something in shadow mode.
    try night(database, last, .shadow)
    #expect(try night(database, last, .live, kind: run).status == .succeeded)
  }

  @Test(
    "without shadow nights it goes on, also cut off, begun anew or shared",
    arguments: DatabaseKind.allCases)
  func withoutShadowNights(kind: DatabaseKind) throws {
    let database = try database(kind)
    let thresholds = try BatchDatabase.thresholds("v1")
    let cutOff = try database.run(
      last...last, thresholds: thresholds, stoppingAfter: 1, kind: .run, mode: .live, batchSize: 1)
    #expect(cutOff.status == .interrupted)
    let states = try database.alertStates()
    #expect(!states.isEmpty && states.allSatisfy { $0.contains("last_notified_level=NULL") })
    for continuing in [true, false] {
      let copy = try database.copy()
      let run = try night(copy, last, .live, continuing: continuing)
      #expect(run.status == .succeeded && run.counts.notificationsEnqueued > 0)
      #expect((run.id == cutOff.id) == continuing)
    }
  }

  @Test("its shards do not refuse each other", arguments: DatabaseKind.allCases)
  func shared(kind: DatabaseKind) throws {
    let database = try database(kind)
    for index in 1...3 {
      let shard = try #require(RunShard(index, of: 3))
      #expect(try night(database, last, .live, shard: shard).status != .failed)
    }
    #expect(try database.storage.runs(limit: 9).map(\.status) == [.succeeded])
    #expect(try !database.queue(.live).isEmpty)
  }

  @Test(
    "a discard counts as a decision, and a release does", arguments: DatabaseKind.allCases,
    [HeldDecision.discard, .release])
  func decided(kind: DatabaseKind, decision: HeldDecision) throws {
    let database = try database(kind)
    let held = try database.run(
      last...last, thresholds: BatchDatabase.thresholds("v1"), kind: .run, mode: .live,
      rateLimit: .count(0))
    #expect(held.counts.notificationsHeld > 0)
    _ = try HeldRunDecision(storage: database.storage, zones: .system).carryOut(
      decision, run: held.id, at: BatchDatabase.now)
    try night(database, last, .shadow)
    #expect(try night(database, last, .live).status == .succeeded)
  }
}

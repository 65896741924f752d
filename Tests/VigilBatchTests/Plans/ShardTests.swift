import Foundation
import Synchronization
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// Which runs and shards may be at work at the same time, and what those leave that are gone.
@Suite struct ShardTests {
  private static let days = (RandomHistories.first + 80)...(RandomHistories.first + 84)

  private let thresholds: Thresholds

  init() throws {
    thresholds = try BatchDatabase.thresholds("v1")
  }

  private func database(_ kind: DatabaseKind) throws -> BatchDatabase {
    try RandomHistories(seed: 21, persons: 12, days: 85).database(kind)
  }

  private func shard(_ index: Int, of count: Int) throws -> RunShard {
    try #require(RunShard(index, of: count))
  }

  // MARK: At the same time

  /// Calls `body` while a run is at work.
  private func during(
    _ shard: RunShard, of database: BatchDatabase, _ body: @escaping () throws -> Void
  ) throws {
    let outcome = Mutex<Result<Void, any Error>?>(nil)
    // Called by the threads of the run, which hold nothing that `body` would wait for.
    nonisolated(unsafe) let body = body
    try database.run(
      Self.days, thresholds: thresholds, batchSize: 2, shard: shard,
      shouldStop: {
        outcome.withLock { outcome in
          if outcome == nil { outcome = Result { try body() } }
        }
        return false
      })
    try #require(outcome.withLock { $0 }).get()
  }

  private func expectRefusal(
    of shard: RunShard, days: ClosedRange<Day> = days, in database: BatchDatabase,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let other = try database.database.open()
    let error = #expect(throws: StorageError.self, sourceLocation: sourceLocation) {
      try database.run(days, thresholds: thresholds, shard: shard, through: other)
    }
    let run = try #require(try database.storage.runs(limit: 1).first)
    #expect(error?.code == .locked, sourceLocation: sourceLocation)
    #expect(
      error?.message.contains(run.id.lowercased) == true, "\(error?.message ?? "")",
      sourceLocation: sourceLocation)
  }

  @Test(arguments: DatabaseKind.allCases)
  func nothingRunsBesideARunOfEverybody(kind: DatabaseKind) throws {
    let database = try database(kind)
    try during(.whole, of: database) {
      try expectRefusal(of: .whole, in: database)
      try expectRefusal(of: shard(1, of: 2), in: database)
      try expectRefusal(of: shard(2, of: 2), in: database)
    }
    #expect(try database.storage.runs(limit: 9).map(\.status) == [.succeeded])
  }

  @Test(arguments: DatabaseKind.allCases)
  func besideAShardOnlyOthersOfItsRunMayRun(kind: DatabaseKind) throws {
    let database = try database(kind)
    let later = Self.days.lowerBound...(Self.days.upperBound - 1)
    try during(shard(2, of: 3), of: database) {
      try expectRefusal(of: .whole, in: database)
      try expectRefusal(of: shard(2, of: 3), in: database)
      try expectRefusal(of: shard(1, of: 2), in: database)
      try expectRefusal(of: shard(1, of: 3), days: later, in: database)
      let other = try database.database.open()
      try database.run(Self.days, thresholds: thresholds, shard: shard(1, of: 3), through: other)
    }
    try database.run(Self.days, thresholds: thresholds, shard: shard(3, of: 3))
    #expect(try database.storage.runs(limit: 9).map(\.status) == [.succeeded])
  }

  // MARK: After an end without a result

  /// Each pair is cut off by a killed process, and run after that.
  @Test(
    arguments: DatabaseKind.allCases,
    [[1, 1, 1, 2], [1, 2, 1, 1], [1, 2, 1, 2], [1, 2, 2, 2], [2, 3, 1, 2], [1, 1, 1, 1]])
  func nothingThatWasKilledIsInTheWay(kind: DatabaseKind, shards: [Int]) throws {
    let killed = try shard(shards[0], of: shards[1])
    let next = try shard(shards[2], of: shards[3])
    let database = try database(kind)
    try database.run(
      Self.days, thresholds: thresholds, stoppingAfter: 1, batchSize: 1, shard: killed)
    try database.forgetEnds()
    let run = try database.run(
      Self.days, thresholds: thresholds, shard: next, through: database.database.open())
    #expect(run.shards == next.count)
    let runs = try database.storage.runs(limit: 9)
    #expect(runs.count == (killed.count == next.count ? 1 : 2))
    #expect(
      runs.filter { $0.id != run.id }.allSatisfy {
        $0.status == .interrupted && $0.error != nil
      })
  }

  @Test(arguments: DatabaseKind.allCases)
  func shardsThatBeginAnewMakeOneNewRun(kind: DatabaseKind) throws {
    let database = try database(kind)
    let old = try database.run(
      Self.days, thresholds: thresholds, stoppingAfter: 1, batchSize: 1, shard: shard(1, of: 2))
    try database.run(
      Self.days, thresholds: thresholds, stoppingAfter: 1, batchSize: 1, shard: shard(2, of: 2))
    let anew = try [2, 1].map { index in
      try database.run(
        Self.days, thresholds: thresholds, shard: shard(index, of: 2), continuing: false,
        at: BatchDatabase.now.adding(seconds: 60))
    }
    #expect(anew[0].id != old.id)
    #expect(anew[1].id == anew[0].id)
    #expect(anew[1].status == .succeeded)
    #expect(anew[1].counts.persons == 12)
    #expect(try database.storage.run(id: old.id)?.status == .interrupted)
  }

  @Test(arguments: [[1, 3], [1, 1], [1, 2]])
  func lockFileOfAKilledShardIsGoneWithTheNextRun(next: [Int]) throws {
    let database = try database(.sqlite)
    guard case .sqlite(let path) = database.database else { return }
    try database.run(
      Self.days, thresholds: thresholds, stoppingAfter: 1, batchSize: 1, shard: shard(2, of: 3))
    try database.forgetEnds()
    // The files as its process leaves them: they exist, and no process holds them.
    for name in [".lock", ".lock-2-of-3"] { try Data().write(to: URL(filePath: path + name)) }
    try database.run(Self.days, thresholds: thresholds, shard: shard(next[0], of: next[1]))
    let folder = URL(filePath: path).deletingLastPathComponent().path
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(left.filter { $0.contains(".lock") }.isEmpty)
  }
}

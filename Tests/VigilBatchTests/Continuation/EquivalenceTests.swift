import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// All ways to run leave the same rows, on more than two hundred random series each.
@Suite struct EquivalenceTests {
  private static let persons = 40
  private static let days = (RandomHistories.first + 150)...(RandomHistories.first + 163)

  private func histories(seed: Int) throws -> RandomHistories {
    try RandomHistories(seed: seed, persons: Self.persons, days: 164)
  }

  private struct Reference {
    let fresh: BatchDatabase
    let persons: [UUID]
    let dump: [String]
    let records: [String]
  }

  /// The results of an undisturbed backfill.
  private func reference(
    _ kind: DatabaseKind, seed: Int, thresholds: Thresholds
  ) throws -> Reference {
    let fresh = try histories(seed: seed).database(kind)
    let undisturbed = try fresh.copy()
    let record = try undisturbed.run(Self.days, thresholds: thresholds)
    try #require(record.counts.series > 200)
    let dump = try undisturbed.dump()
    try #require(dump.count > (thresholds.version.hasPrefix("v3") ? 5 : 200))
    return Reference(
      fresh: fresh, persons: try undisturbed.storage.persons(withDataIn: Self.days), dump: dump,
      records: try undisturbed.records())
  }

  // MARK: Shards

  @Test(arguments: DatabaseKind.withProfiles)
  func nightsAndShardsInAnyOrderLeaveTheSameRows(kind: DatabaseKind, profile: String) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let reference = try reference(kind, seed: 11, thresholds: thresholds)
    let nightly = try reference.fresh.copy()
    try nightly.runNightly(Self.days, thresholds: thresholds)
    try expectSame(nightly.dump(), reference.dump)
    for seed in 1...Repetitions.count(fast: 1, long: 4) {
      var random = SeededGenerator(seed: seed)
      let shared = try reference.fresh.copy()
      var start = Self.days.lowerBound
      while start <= Self.days.upperBound {
        let end = min(start + Int.random(in: 0...9, using: &random), Self.days.upperBound)
        try runInShards(shared, start...end, thresholds, &random)
        start = end + 1
      }
      try expectSame(shared.dump(), reference.dump, "seed \(seed)")
      #expect(try shared.storage.runs(limit: 100).allSatisfy { $0.status == .succeeded })
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func shardsMakeOneRunLikeAnUndisturbedOne(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let reference = try reference(kind, seed: 12, thresholds: thresholds)
    for count in 2...5 {
      var random = SeededGenerator(seed: count)
      let shared = try reference.fresh.copy()
      try runInShards(shared, Self.days, thresholds, &random, count: count)
      try expectSame(shared.dump(), reference.dump, "\(count) shards")
      try shared.expectOneRun(
        like: reference.records, shards: count, persons: reference.persons, "\(count) shards")
    }
  }

  /// Does a run in shards, in random order and some of them at the same time, each through a storage
  /// of its own.
  private func runInShards(
    _ database: BatchDatabase, _ days: ClosedRange<Day>, _ thresholds: Thresholds,
    _ random: inout SeededGenerator, count: Int? = nil
  ) throws {
    let count = count ?? Int.random(in: 1...5, using: &random)
    var shards = (1...count).compactMap { RunShard($0, of: count) }.shuffled(using: &random)
    while !shards.isEmpty {
      let together = Array(shards.prefix(Int.random(in: 1...3, using: &random)))
      shards.removeFirst(together.count)
      let parts = try together.map { shard in
        (
          shard: shard, storage: try database.database.open(),
          batchSize: Int.random(in: 1...12, using: &random),
          workers: Int.random(in: 1...2, using: &random)
        )
      }
      DispatchQueue.concurrentPerform(iterations: parts.count) { index in
        let part = parts[index]
        do {
          try database.run(
            days, thresholds: thresholds, workers: part.workers, batchSize: part.batchSize,
            shard: part.shard, through: part.storage)
        } catch {
          Issue.record(error, "shard \(part.shard)")
        }
      }
    }
  }

  // MARK: Interruptions

  @Test(arguments: DatabaseKind.withProfiles)
  func interruptedAgainAndAgainARunEndsLikeAnUndisturbedOne(
    kind: DatabaseKind, profile: String
  ) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let reference = try reference(kind, seed: 13, thresholds: thresholds)
    for seed in 1...Repetitions.count(fast: 1, long: 6) {
      var random = SeededGenerator(seed: seed)
      let database = try reference.fresh.copy()
      for _ in 1...Int.random(in: 2...4, using: &random) {
        try interrupt(database, thresholds, &random)
      }
      try database.run(
        Self.days, thresholds: thresholds, workers: Int.random(in: 1...3, using: &random),
        batchSize: Int.random(in: 1...12, using: &random))
      try expectSame(database.dump(), reference.dump, "seed \(seed)")
      try database.expectOneRun(
        like: reference.records, persons: reference.persons, "seed \(seed)")
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func interruptedShardsEndLikeAnUndisturbedRun(kind: DatabaseKind) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let reference = try reference(kind, seed: 14, thresholds: thresholds)
    for seed in 1...Repetitions.count(fast: 1, long: 6) {
      var random = SeededGenerator(seed: seed)
      let database = try reference.fresh.copy()
      for index in [1, 3, 2, 3] {
        try interrupt(database, thresholds, &random, shard: #require(RunShard(index, of: 3)))
      }
      try runInShards(database, Self.days, thresholds, &random, count: 3)
      try expectSame(database.dump(), reference.dump, "seed \(seed)")
      try database.expectOneRun(
        like: reference.records, shards: 3, persons: reference.persons, "seed \(seed)")
    }
  }

  /// Begins or continues the run and cuts it off after some batches: by a signal, by a full disk,
  /// or by an end without a result.
  private func interrupt(
    _ database: BatchDatabase, _ thresholds: Thresholds, _ random: inout SeededGenerator,
    shard: RunShard = .whole
  ) throws {
    // Few enough that there is something left every time.
    let batches = Int.random(in: 0...(shard.isWhole ? 3 : 1), using: &random)
    let workers = Int.random(in: 1...2, using: &random)
    let batchSize = Int.random(in: 1...2, using: &random)
    switch Int.random(in: 0...2, using: &random) {
    case 0:
      let full = FlakyStorage(database.storage, limits: .init(writes: batches))
      _ = try #require(throws: StorageError.self) {
        try database.run(
          Self.days, thresholds: thresholds, workers: workers, batchSize: batchSize,
          shard: shard, through: full)
      }
    case let end:
      try database.run(
        Self.days, thresholds: thresholds, stoppingAfter: batches, workers: workers,
        batchSize: batchSize, shard: shard)
      let ended = "SELECT status FROM run_shards WHERE shard = \(shard.index)"
      #expect(try database.database.rows(ended) == ["interrupted"])
      if end == 1 { try database.forgetEnds() }
    }
  }
}

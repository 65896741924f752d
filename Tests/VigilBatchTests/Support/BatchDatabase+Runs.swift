import Foundation
import TestDatabases
import Testing
import VigilBatch
import VigilDetection
import VigilModel
import VigilStorage

/// The records of runs.
extension BatchDatabase {
  /// The rows that runs have read and changed and how they ended, in the order of their text.
  func records() throws -> [String] {
    try rows(
      of: "batch_runs",
      without: ["id", "host", "shards", "started_at", "finished_at"]
    ).sorted()
  }

  /// Checks that the only run of this work has ended like an undisturbed one, and that each person is in
  /// exactly one of its batches.
  func expectOneRun(
    like records: [String], shards: Int = 1, persons: [UUID], _ label: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expectSame(self.records(), records, label, sourceLocation: sourceLocation)
    let ends = try database.rows("SELECT shard, status, error IS NULL FROM run_shards ORDER BY 1")
    #expect(
      ends == (1...shards).map { "\($0)|succeeded|1" }, "\(label)", sourceLocation: sourceLocation)
    let covered = try checkpoints().flatMap { checkpoint in
      persons.filter { person in
        (checkpoint.firstPerson...checkpoint.lastPerson).contains(person)
          && RunShard(checkpoint.shard, of: shards)?.contains(person) == true
      }
    }
    #expect(covered.sorted() == persons, "\(label)", sourceLocation: sourceLocation)
  }

  /// The checkpoints of all runs.
  func checkpoints() throws -> [BatchCheckpoint] {
    try storage.runs(limit: .max).flatMap { run in
      try storage.withRuns { try $0.checkpoints(of: run.id) }
    }
  }

  /// Leaves all runs as processes leave them that are killed.
  func forgetEnds() throws {
    for table in ["batch_runs", "run_shards"] {
      try database.execute(
        "UPDATE \(table) SET status = 'running', finished_at = NULL, error = NULL")
    }
  }

  /// Does a run until it has written some batches, and a few more where several workers are at it.
  @discardableResult
  func run(
    _ days: ClosedRange<Day>, thresholds: Thresholds, candidate: Thresholds? = nil,
    stoppingAfter batches: Int,
    kind: RunRecord.Kind = .backfill, mode: RunRecord.Mode = .shadow, workers: Int = 1,
    batchSize: Int, shard: RunShard = .whole, usesHistory: Bool = true,
    at now: Timestamp = BatchDatabase.now
  ) throws -> RunRecord {
    let counting = FlakyStorage(storage)
    return try run(
      days, thresholds: thresholds, candidate: candidate, kind: kind, mode: mode,
      workers: workers, batchSize: batchSize, shard: shard, usesHistory: usesHistory,
      through: counting, at: now,
      shouldStop: { counting.history.writes >= batches })
  }
}

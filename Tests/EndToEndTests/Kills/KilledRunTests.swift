import Foundation
import TestDatabases
import TestSupport
import Testing

/// Backfills that are killed again and again, as a whole and in shards.
@Suite struct KilledRunTests {
  /// So long that each person is a batch of its own.
  private static let backfill = [
    "backfill", "--from", "1900-01-01", "--to", "2026-06-30", "--only", "patterns",
  ]
  private static let people = 32

  /// More than two hundred series.
  private func imported(_ kind: DatabaseKind) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder(kind)
    for command in [
      [
        "generate", "data", "--medications", "0", "--people", "\(Self.people)", "--days", "150",
        "--seed", "12",
        "--end-date", "2026-06-30",
      ],
      ["import", "csv", "data"],
    ] {
      let run = try await CommandRun.vigil(arguments: command, in: folder)
      try #require(run.status == 0, "\(run.errors)")
    }
    return folder
  }

  private struct Ending: Equatable {
    var outcome: [String]
    var records: [String]
    /// The number of batches that each person is in.
    var batches: [String]

    init(in folder: TemporaryFolder) throws {
      outcome = try folder.database.outcome()
      records = try folder.database.dump(
        "batch_runs", without: ["id", "host", "shards", "started_at", "finished_at"])
      batches = try folder.database.rows(
        "SELECT first_person, last_person, persons FROM batch_checkpoints ORDER BY first_person")
    }
  }

  private func undisturbed(in imported: TemporaryFolder) async throws -> Ending {
    let folder = try imported.copyOfDatabase()
    let run = try await CommandRun.vigil(arguments: Self.backfill, in: folder)
    try #require(run.status == 0, "\(run.errors)")
    let ending = try Ending(in: folder)
    try #require(ending.batches.count == Self.people)
    try #require(ending.outcome.count > 200)
    return ending
  }

  /// Kills the process a moment after it has written some batches; leaves it alone where it ends before.
  private static func kill(
    _ process: Process, in database: TestDatabase, afterBatches batches: Int, delay: Double = 0,
    shard: Int = 1
  ) {
    let query = "SELECT count(*) FROM batch_checkpoints WHERE shard = \(shard)"
    func written() -> Int? {
      (try? database.rows(query))?.first.flatMap { Int($0) }
    }
    let deadline = Date(timeIntervalSinceNow: 120)
    let before = written() ?? 0
    while process.isRunning, Date() < deadline {
      if let count = written(), count >= before + batches {
        Thread.sleep(forTimeInterval: delay)
        Foundation.kill(process.processIdentifier, SIGKILL)
        return
      }
      Thread.sleep(forTimeInterval: 0.002)
    }
  }

  @Test(arguments: DatabaseKind.allCases, 1...Repetitions.count(fast: 1, long: 5))
  func killedAgainAndAgainABackfillEndsLikeAnUndisturbedOne(
    kind: DatabaseKind, seed: Int
  ) async throws {
    let imported = try await imported(kind)
    let expected = try await undisturbed(in: imported)
    var folder = try imported.copyOfDatabase()
    var random = SeededGenerator(seed: seed)
    let mostKills = Repetitions.count(fast: 3, long: 5)
    var kills = 0
    while true {
      let database = folder.database
      let batches = Int.random(in: 0...5, using: &random)
      let delay = Double.random(in: 0...0.05, using: &random)
      let isKilled = kills < mostKills
      let run = try await CommandRun.vigil(
        arguments: Self.backfill, in: folder,
        whileRunning: { process in
          guard isKilled else { return }
          Self.kill(process, in: database, afterBatches: batches, delay: delay)
        })
      if run.status == 0, kills > 0 { break }
      if run.status == 0 {
        // The run was faster than this test.
        folder = try imported.copyOfDatabase()
        continue
      }
      try #require(run.status == SIGKILL, "\(run.errors)")
      #expect(try database.isSound())
      if try database.rows("SELECT status FROM batch_runs").contains("running") {
        let runs = try await CommandRun.vigil("runs", in: folder)
        #expect(runs.output.contains("  running, its process is gone  "), "\(runs)")
      }
      kills += 1
    }
    #expect(try Ending(in: folder) == expected)
    #expect(try folder.database.rows("SELECT shard, status FROM run_shards") == ["1|succeeded"])
    #expect(try folder.names == (kind == .sqlite ? ["vigil.sqlite"] : []))
  }

  @Test(arguments: DatabaseKind.allCases)
  func shardThatIsKilledIsRunAgainAndTheRunIsWhole(kind: DatabaseKind) async throws {
    let imported = try await imported(kind)
    let expected = try await undisturbed(in: imported)
    let folder = try imported.copyOfDatabase()
    let database = folder.database
    async let first = CommandRun.vigil(
      arguments: Self.backfill + ["--shard", "1/2"], in: folder)
    async let second = CommandRun.vigil(
      arguments: Self.backfill + ["--shard", "2/2"], in: folder,
      whileRunning: { process in
        Self.kill(process, in: database, afterBatches: 1, shard: 2)
      })
    let (kept, killed) = try await (first, second)
    #expect(kept.status == 0, "\(kept.errors)")
    #expect(killed.status == SIGKILL, "\(killed.errors)")
    // It leaves nothing that would be in the way of a run of everybody.
    let other = try folder.copyOfDatabase()
    let night = try await CommandRun.vigil("run", "--date", "2026-06-30", in: other)
    #expect(night.status == 0, "\(night.errors)")

    let again = try await CommandRun.vigil(
      arguments: Self.backfill + ["--shard", "2/2"], in: folder)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try Ending(in: folder) == expected)
    #expect(
      try database.rows("SELECT shard, status FROM run_shards ORDER BY 1")
        == ["1|succeeded", "2|succeeded"])
    #expect(try folder.names == (kind == .sqlite ? ["vigil.sqlite"] : []))
  }
}

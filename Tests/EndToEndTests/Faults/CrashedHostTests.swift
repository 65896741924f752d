import Foundation
import PostgresTestServer
import Synchronization
import TestDatabases
import Testing

/// Locks and records that a run leaves behind whose process or machine went away in the middle.
@Suite struct CrashedHostTests {
  /// So long that each person is a batch of its own.
  private static let backfill = [
    "backfill", "--from", "1800-01-01", "--to", "2026-06-30", "--only", "patterns",
  ]
  private static let night = ["run", "--date", "2026-06-30"]

  /// Blocks until the run has written a batch.
  private static func waitForBatch(of process: Process, in database: TestDatabase) throws {
    let deadline = Date(timeIntervalSinceNow: 120)
    while (try? database.count("batch_checkpoints")) ?? 0 == 0 {
      guard process.isRunning, Date() < deadline else { throw NoBatch() }
      Thread.sleep(forTimeInterval: 0.002)
    }
  }

  private struct NoBatch: Error {}

  @Test(arguments: DatabaseKind.allCases)
  func locksOfAKilledShardDoNotDelayOtherRuns(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.importedWithoutDoses(kind)
    let database = folder.database
    let undisturbed = try folder.copyOfDatabase()
    _ = try await CommandRun.vigil(arguments: Self.backfill, in: undisturbed)

    let killed = try await CommandRun.vigil(
      arguments: Self.backfill + ["--shard", "1/2"], in: folder,
      whileRunning: { process in
        try Self.waitForBatch(of: process, in: database)
        kill(process.processIdentifier, SIGKILL)
      })
    try #require(killed.status == SIGKILL, "\(killed.output)\(killed.errors)")
    if kind == .sqlite {
      #expect(
        try Set(folder.names).isSuperset(of: ["vigil.sqlite.lock", "vigil.sqlite.lock-1-of-2"]))
    }
    let id = try #require(try database.rows("SELECT id FROM batch_runs").first)
    var doctor = try await CommandRun.vigil("doctor", in: folder)
    // A server needs a moment to notice that its client is dead.
    let deadline = Date(timeIntervalSinceNow: 60)
    while !doctor.output.contains("no run holds it"), Date() < deadline {
      doctor = try await CommandRun.vigil("doctor", in: folder)
    }
    #expect(doctor.status == 0, "\(doctor.output)")
    #expect(doctor.output.contains("no run holds it"), "\(doctor.output)")
    #expect(doctor.output.contains("run \(id), which began at"), "\(doctor.output)")

    for shard in ["1/2", "2/2"] {
      let run = try await CommandRun.vigil(
        arguments: Self.backfill + ["--shard", shard], in: folder)
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try database.rows("SELECT id, status FROM batch_runs") == ["\(id)|succeeded"])
    #expect(try database.outcome() == undisturbed.database.outcome())
    #expect(try folder.names == (kind == .sqlite ? ["vigil.sqlite"] : []))
    let after = try await CommandRun.vigil("doctor", in: folder)
    #expect(after.output.contains("none was left behind"), "\(after.output)")
  }

  @Test func sessionOfAFrozenMachineIsNamedAndCanBeEnded() async throws {
    let folder = try SampleDatabase.importedWithoutDoses(.postgres)
    let database = folder.database
    let undisturbed = try folder.copyOfDatabase()
    _ = try await CommandRun.vigil(arguments: Self.backfill, in: undisturbed)
    let runs = Mutex<[CommandRun]>([])
    let frozen = try await CommandRun.vigil(
      arguments: Self.backfill, in: folder,
      whileRunning: { process in
        try Self.waitForBatch(of: process, in: database)
        kill(process.processIdentifier, SIGSTOP)
        for command in [Self.night, ["doctor"]] {
          let run = try CommandRun.blocking(command, in: folder)
          runs.withLock { $0.append(run) }
        }
        // The server finds out, as it does by itself when its client no longer answers.
        guard case .postgres(let schema) = database else { return }
        try schema.session().execute(
          """
          SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND (pid IN (
            SELECT pid FROM pg_locks JOIN pg_class ON pg_class.oid = relation
            WHERE relnamespace = quote_ident(current_schema())::regnamespace
          ) OR application_name LIKE 'vigil run ' || (SELECT id FROM batch_runs))
          """)
        let run = try CommandRun.blocking(Self.backfill, in: folder)
        runs.withLock { $0.append(run) }
        kill(process.processIdentifier, SIGKILL)
      })
    #expect(frozen.status == SIGKILL)
    let (refused, doctor, again) = try runs.withLock {
      try #require($0.count == 3)
      return ($0[0], $0[1], $0[2])
    }
    let id = try #require(try database.rows("SELECT id FROM batch_runs").first)
    refused.expectFailure(
      75, mentioning: "locked by run \(id) (server process ", "try again when that run has ended",
      "vigil doctor")
    #expect(doctor.status == 0, "\(doctor.output)")
    #expect(doctor.output.contains("held by run \(id)"), "\(doctor.output)")
    #expect(doctor.output.contains("pg_terminate_backend(pid)"), "\(doctor.output)")
    #expect(again.status == 0, "\(again.errors)")
    #expect(try database.rows("SELECT id, status FROM batch_runs") == ["\(id)|succeeded"])
    #expect(try database.outcome() == undisturbed.database.outcome())
  }

  @Test func rowsThatAnotherSessionKeepsLockedEndTheRunInsteadOfHoldingItForEver() async throws {
    let folder = try SampleDatabase.importedWithoutDoses(.postgres)
    guard case .postgres(let schema) = folder.database else { return }
    let undisturbed = try folder.copyOfDatabase()
    _ = try await CommandRun.vigil(arguments: Self.night, in: undisturbed)
    let session = try schema.session()
    try session.execute("BEGIN; LOCK TABLE pattern_alert_state IN EXCLUSIVE MODE")
    let run = try await CommandRun.vigil(
      arguments: Self.night, in: folder,
      environment: ["VIGIL_DATABASE": schema.url + "&options=-c%20lock_timeout%3D300"])
    run.expectFailure(75, mentioning: "is busy", "(SQLSTATE 55P03)", "try again")
    try session.execute("ROLLBACK")
    #expect(try folder.database.rows("SELECT status FROM batch_runs") == ["failed"])
    #expect(try folder.database.outcome().isEmpty)
    let again = try await CommandRun.vigil(arguments: Self.night, in: folder)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try folder.database.outcome() == undisturbed.database.outcome())
  }
}

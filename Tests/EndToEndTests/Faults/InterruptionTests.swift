import Foundation
import Synchronization
import TestDatabases
import Testing

/// Runs that end too early, and two at once.
///
/// Signals wait for what the run has written, never for a time. The range is long so that the run
/// has many batches and cannot be through with all of them by then.
@Suite struct InterruptionTests {
  private static let backfill = [
    "backfill", "--from", "2000-01-01", "--to", "2026-06-30", "--thresholds", "v1",
  ]

  /// A database that is ready for a backfill.
  private struct Prepared {
    let folder: TemporaryFolder

    init(_ kind: DatabaseKind) async throws {
      folder = try TemporaryFolder(kind)
      let generated = try await CommandRun.vigil(
        "generate", "data", "--medications", "0", "--people", "70", "--days", "150", "--seed", "11",
        "--end-date",
        "2026-06-30", in: folder)
      try #require(generated.status == 0, "\(generated.errors)")
      let imported = try await CommandRun.vigil("import", "csv", "data", in: folder)
      try #require(imported.status == 0, "\(imported.errors)")
    }
  }

  /// Blocks until the run in `database` has written a batch; false where its process ended first, or
  /// has written none within two minutes.
  private static func waitForFirstBatch(of process: Process, in database: TestDatabase) -> Bool {
    let deadline = Date(timeIntervalSinceNow: 120)
    while process.isRunning, Date() < deadline {
      if let count = try? database.count("pattern_alert_state"), count > 0 { return true }
      Thread.sleep(forTimeInterval: 0.005)
    }
    return false
  }

  @Test(arguments: DatabaseKind.allCases)
  func interruptedBackfillIsRecordedAndTheSameCommandCompletesIt(kind: DatabaseKind) async throws {
    let prepared = try await Prepared(kind)
    let undisturbed = try await CommandRun.vigil(arguments: Self.backfill, in: prepared.folder)
    #expect(undisturbed.status == 0, "\(undisturbed.errors)")
    let expected = try prepared.folder.database.outcome()
    #expect(expected.count > 500)

    try await withThrowingTaskGroup(of: Void.self) { group in
      for (signal, status, recorded) in [
        (SIGINT, Int32(130), "interrupted"), (SIGTERM, 143, "interrupted"),
        (SIGKILL, SIGKILL, "running"),
      ] {
        let copy = try prepared.folder.copyOfDatabase()
        try copy.database.execute(
          """
          DELETE FROM notification_queue; DELETE FROM shadow_notification_queue;
          DELETE FROM pattern_alert_state; DELETE FROM batch_runs
          """)
        group.addTask {
          try await expectCompletion(
            after: signal, status: status, recorded: recorded, in: copy, expected: expected)
        }
      }
      try await group.waitForAll()
    }
  }

  private func expectCompletion(
    after signal: Int32, status: Int32, recorded: String, in folder: TemporaryFolder,
    expected: [String]
  ) async throws {
    let database = folder.database
    let run = try await CommandRun.vigil(
      arguments: Self.backfill, in: folder,
      whileRunning: { process in
        if Self.waitForFirstBatch(of: process, in: database) {
          kill(process.processIdentifier, signal)
        }
      })
    #expect(run.status == status, "signal \(signal): \(run.output)\(run.errors)")
    if signal != SIGKILL {
      #expect(run.output.contains("the same command again continues"), "\(run.output)")
      #expect(run.errors == "")
    }
    #expect(try database.rows("SELECT status FROM batch_runs") == [recorded])
    #expect(try database.isSound())
    let written = try database.count("pattern_alert_state")
    #expect(written > 0)

    let again = try await CommandRun.vigil(arguments: Self.backfill, in: folder)
    #expect(again.status == 0, "\(again.errors)")
    let outcome = try database.outcome()
    #expect(outcome.count > written)
    #expect(outcome == expected, "signal \(signal)")
    #expect(
      try database.rows("SELECT status, error IS NULL FROM batch_runs") == ["succeeded|1"])
    #expect(again.errors.contains("This run was cut off before, and is continued"))
    #expect(try folder.names == (database.kind == .sqlite ? ["vigil.sqlite"] : []))
  }

  @Test(arguments: DatabaseKind.allCases)
  func secondRunEndsAtOnceAndNamesTheFirst(kind: DatabaseKind) async throws {
    let prepared = try await Prepared(kind)
    let database = prepared.folder.database
    let second = Mutex<CommandRun?>(nil)
    let first = try await CommandRun.vigil(
      arguments: Self.backfill, in: prepared.folder,
      whileRunning: { process in
        guard Self.waitForFirstBatch(of: process, in: database) else { return }
        // Held where it is, the first run cannot end before the second one is tried.
        kill(process.processIdentifier, SIGSTOP)
        let run = try CommandRun.blocking(["run", "--date", "2026-06-30"], in: prepared.folder)
        second.withLock { $0 = run }
        kill(process.processIdentifier, SIGCONT)
      })
    #expect(first.status == 0, "\(first.errors)")
    let refused = try #require(second.withLock { $0 })
    let id = try #require(try database.rows("SELECT id FROM batch_runs").first)
    refused.expectFailure(75, mentioning: "locked by run \(id)", "try again")
    #expect(try database.rows("SELECT kind, status FROM batch_runs") == ["backfill|succeeded"])
  }
}

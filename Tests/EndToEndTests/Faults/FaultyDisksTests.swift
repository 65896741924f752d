import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// Disks that are full or may only be read.
///
/// They are memory disks, whose mounting takes root; without it the tests say that they are skipped.
@Suite(.serialized) struct FaultyDisksTests {
  private static let backfill = ["backfill", "--from", "2000-01-01", "--to", "2026-06-30"]

  /// A folder with generated data in `data`, and an empty memory disk in a folder of its own.
  private func withDisk(
    of size: String, _ body: (_ disk: MemoryDisk, _ data: String) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let generated = try await CommandRun.vigil(
      "generate", "data", "--medications", "0", "--people", "100", "--days", "120", "--seed", "3",
      "--end-date",
      "2026-06-30", in: folder)
    try #require(generated.status == 0, "\(generated.errors)")
    try await MemoryDisk.with(size: size) {
      try await body($0, folder.url.appending(path: "data").path)
    }
  }

  @Test func fullDiskEndsAMigrationThatLaterSucceeds() async throws {
    try await withDisk(of: "1m") { memory, _ in
      let disk = memory.folder
      try memory.fill(leaving: 64 * 1024)
      let run = try await CommandRun.vigil("migrate", in: disk)
      run.expectFailure(73, mentioning: "no space is left", "free some space in \(disk.url.path)")
      try memory.empty()
      let status = try await CommandRun.vigil("migrate", "--status", in: disk)
      #expect(status.output.contains("pending"), "\(status.output)\(status.errors)")
      let again = try await CommandRun.vigil("migrate", in: disk)
      #expect(again.status == 0, "\(again.errors)")
      #expect(try disk.database.isSound())
    }
  }

  @Test func fullDiskRollsAnImportBack() async throws {
    try await withDisk(of: "12m") { memory, data in
      let disk = memory.folder
      _ = try await CommandRun.vigil("migrate", in: disk)
      try memory.fill(leaving: 1 << 20)
      let run = try await CommandRun.vigil("import", "csv", data, in: disk)
      run.expectFailure(73, mentioning: "no space is left", "free some space in \(disk.url.path)")
      try memory.empty()
      let database = disk.database
      #expect(try database.input().isEmpty)
      #expect(try database.isSound())
      let again = try await CommandRun.vigil("import", "csv", data, in: disk)
      #expect(again.status == 0, "\(again.errors)")
      #expect(try database.count("users") == 100)
    }
  }

  @Test func fullDiskFailsABackfillThatTheSameCommandCompletes() async throws {
    try await withDisk(of: "192m") { memory, data in
      let disk = memory.folder
      let imported = try await CommandRun.vigil("import", "csv", data, in: disk)
      try #require(imported.status == 0, "\(imported.errors)")
      let undisturbed = try TemporaryFolder()
      try FileManager.default.copyItem(
        at: disk.url.appending(path: "vigil.sqlite"),
        to: undisturbed.url.appending(path: "vigil.sqlite"))
      _ = try await CommandRun.vigil(arguments: Self.backfill, in: undisturbed)
      let expected = try undisturbed.database.outcome()

      try memory.fill(leaving: 2 << 20)
      let run = try await CommandRun.vigil(arguments: Self.backfill, in: disk)
      run.expectFailure(73, mentioning: "no space is left", "run the command again")
      try memory.empty()
      let database = disk.database
      #expect(try database.isSound())
      let partial = try database.outcome()
      #expect(partial.count < expected.count)
      #expect(Set(partial).isSubset(of: expected), "every batch is whole")
      let counted = try database.rows("SELECT episodes_opened FROM batch_runs")
      let isRecorded = try database.rows("SELECT status FROM batch_runs") == ["failed"]
      let written = try database.count("pattern_alert_state")
      #expect(!isRecorded || counted == ["\(written)"])

      let again = try await CommandRun.vigil(arguments: Self.backfill, in: disk)
      #expect(again.status == 0, "\(again.errors)")
      #expect(try database.outcome() == expected)
    }
  }

  @Test func diskThatIsFullAlreadyEndsARunBeforeItIsRecorded() async throws {
    try await withDisk(of: "64m") { memory, data in
      let disk = memory.folder
      let imported = try await CommandRun.vigil("import", "csv", data, in: disk)
      try #require(imported.status == 0, "\(imported.errors)")
      let database = disk.database
      let undisturbed = try disk.copyOfDatabase()
      let night = ["run", "--date", "2026-06-30", "--live", "--max-notified-persons", "9999"]
      _ = try await CommandRun.vigil(arguments: night, in: undisturbed)
      try memory.fill(leaving: 0)
      for command in [night, Self.backfill] {
        let run = try await CommandRun.vigil(arguments: command, in: disk)
        run.expectFailure(
          73, mentioning: "no space is left", "free some space in \(disk.url.path)")
      }
      try memory.empty()
      #expect(try database.isSound())
      #expect(try database.outcome().isEmpty)
      #expect(try database.count("batch_runs") == 0)
      let again = try await CommandRun.vigil(arguments: night, in: disk)
      #expect(again.status == 0, "\(again.errors)")
      #expect(try database.outcome() == undisturbed.database.outcome())
    }
  }

  @Test func fullDiskUnderTheQueueRepeatsNoMoreThanAttemptsAllow() async throws {
    try await MemoryDisk.with(size: "48m") { memory in
      let (disk, provider) = (memory.folder, try ProviderServer())
      let migrated = try await CommandRun.vigil("migrate", in: disk)
      try #require(migrated.status == 0, "\(migrated.errors)")
      let database = disk.database
      var queued = QueuedPeople(40, dueAt: Timestamp.ofMachine.adding(seconds: -60))
      queued.priority = "critical"
      try database.fill(queued)
      try disk.write(
        """
        {"channels": {"push": {
          "webhook": {"url": "\(provider.url("ok"))"}, "timeout_seconds": 1, "lease_seconds": 3,
          "concurrency": 4
        }}}
        """, to: "providers.json")
      func send() async throws -> CommandRun {
        // By the clock of the machine, which leases follow.
        try await CommandRun.vigil(
          "dispatch", "--providers", "providers.json", "--once", "--now",
          "\(Timestamp.ofMachine)", in: disk)
      }
      var statuses: Set<Int32> = []
      // With more or less space the disk is full when rows are taken, or when their outcomes are recorded.
      for (number, rest) in [0, 40_000, 80_000, 120_000, 180_000, 240_000].enumerated() {
        if number > 0 { try memory.empty() }
        try memory.fill(leaving: rest)
        let run = try await send()
        statuses.insert(run.status)
        #expect(run.status == 0 || run.status == 73, "\(run)")
        try await Task.sleep(for: .seconds(1))
      }
      #expect(statuses.contains(73), "the disk was not full")
      var counts = Dictionary(grouping: try provider.requests(), by: \.key).mapValues(\.count)
      #expect(counts.allSatisfy { $0.value <= 3 }, "\(counts)")
      try memory.empty()
      #expect(try database.isSound())
      // What was taken before is taken back.
      let deadline = Date(timeIntervalSinceNow: 300)
      while try database.rows(
        "SELECT 1 FROM notification_queue WHERE status IN ('pending', 'processing')") != []
      {
        try #require(Date() < deadline, "rows are not sent")
        let run = try await send()
        #expect(run.status == 0, "\(run)")
        try await Task.sleep(for: .milliseconds(500))
      }
      counts = Dictionary(grouping: try provider.requests(), by: \.key).mapValues(\.count)
      #expect(counts.allSatisfy { $0.value <= 3 }, "\(counts)")
      // A row that was not sent has used up its attempts, and says why.
      #expect(
        Set(
          try database.rows(
            "SELECT status, last_error FROM notification_queue WHERE status <> 'sent'")
        ).isSubset(of: ["failed|outcome_unknown"]))
    }
  }

  @Test func fullDiskUnderTheMetricsFileLosesNoRun() async throws {
    try await withDisk(of: "1m") { memory, data in
      let disk = memory.folder
      let folder = try TemporaryFolder()
      let imported = try await CommandRun.vigil("import", "csv", data, in: folder)
      try #require(imported.status == 0, "\(imported.errors)")
      try memory.fill(leaving: 0)
      let path = disk.url.appending(path: "vigil.prom").path
      let run = try await CommandRun.vigil(
        "run", "--date", "2026-06-30", "--metrics-file", path, in: folder)
      #expect(run.status == 73)
      #expect(run.output.contains("succeeded"))
      #expect(run.errors.hasPrefix("vigil: metrics file \(path): cannot be written (No space left"))
      #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
      #expect(try folder.database.rows("SELECT status FROM batch_runs") == ["succeeded"])
      #expect(try disk.names == ["filler"])
    }
  }

  @Test func diskThatMayOnlyBeReadIsReadAndNotWritten() async throws {
    try await withDisk(of: "32m") { memory, data in
      let disk = memory.folder
      let imported = try await CommandRun.vigil("import", "csv", data, in: disk)
      try #require(imported.status == 0, "\(imported.errors)")
      _ = try await CommandRun.vigil("run", "--date", "2026-06-30", in: disk)
      let names = try disk.names
      try memory.makeReadOnly()
      for arguments in [
        ["run", "--date", "2026-06-30"], Self.backfill, ["import", "csv", data],
        ["migrate", "--down", "1"], ["migrate", "--database", "sqlite:new.sqlite"],
      ] {
        let run = try await CommandRun.vigil(arguments: arguments, in: disk)
        run.expectFailure(73, mentioning: "cannot be written to", disk.url.path)
      }
      for arguments in [["alerts", "list"], ["runs"], ["migrate", "--status"]] {
        let run = try await CommandRun.vigil(arguments: arguments, in: disk)
        #expect(run.status == 0, "\(arguments): \(run.errors)")
        #expect(run.errors == "")
      }
      let doctor = try await CommandRun.vigil("doctor", in: disk)
      #expect(doctor.status == 0, "\(doctor.output)")
      #expect(doctor.output.contains("can be read but not written"))
      #expect(try disk.names == names)
    }
  }
}

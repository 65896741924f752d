import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing

/// A PostgreSQL server whose disk is full.
///
/// The tables lie on a memory disk, whose mounting takes root; without it the tests say that they are
/// skipped. The server's own files, its log among them, stay where there is room.
@Suite(.serialized) struct FullServerTests {
  /// So long that each person of the sample is a batch of its own.
  private static let backfill = [
    "backfill", "--from", "1800-01-01", "--to", "2026-06-30", "--only", "patterns",
  ]
  private static let night = ["run", "--date", "2026-06-30", "--live"]

  /// The sample on a server with a small disk.
  private func withServer(
    _ body: (_ disk: MemoryDisk, _ imported: TemporaryFolder) async throws -> Void
  ) async throws {
    try await MemoryDisk.with(size: "16m") { disk in
      let server = try PostgresServer()
      let folder = disk.folder.url.appending(path: "tables")
      // Only its owner's user may use a folder as a tablespace, and that is the server's.
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      let owner = try FileManager.default.attributesOfItem(atPath: server.folder)
      try FileManager.default.setAttributes(
        [.ownerAccountID: try #require(owner[.ownerAccountID])], ofItemAtPath: folder.path)
      let session = try PostgresSession(url: server.url(as: "postgres"))
      try session.execute("CREATE TABLESPACE small LOCATION '\(folder.path)'")
      try session.execute(
        """
        GRANT CREATE ON TABLESPACE small TO vigil;
        ALTER ROLE vigil SET default_tablespace = small
        """)
      let imported = try TemporaryFolder { _ in .postgres(try PostgresSchema(on: server)) }
      try SampleDatabase.importWithoutDoses(into: imported)
      try await body(disk, imported)
      try server.stop(immediately: true)
    }
  }

  @Test func fullDiskFailsABackfillThatTheSameCommandCompletes() async throws {
    try await withServer { disk, folder in
      let database = folder.database
      let undisturbed = try folder.copyOfDatabase()
      let free = try disk.freeBytes
      _ = try await CommandRun.vigil(arguments: Self.backfill, in: undisturbed)
      let expected = try undisturbed.database.outcome()

      try disk.fill(leaving: (free - disk.freeBytes) / 2)
      let run = try await CommandRun.vigil(arguments: Self.backfill, in: folder)
      run.expectFailure(
        73, mentioning: "has no space left", "(SQLSTATE 53100)", "run the command again")
      let partial = try database.outcome()
      #expect(!partial.isEmpty && partial.count < expected.count)
      #expect(Set(partial).isSubset(of: expected), "every batch is whole")
      #expect(try database.rows("SELECT status, error IS NULL FROM batch_runs") == ["failed|0"])
      #expect(
        try database.rows("SELECT episodes_opened FROM batch_runs")
          == ["\(try database.count("pattern_alert_state"))"])

      try disk.empty()
      let again = try await CommandRun.vigil(arguments: Self.backfill, in: folder)
      #expect(again.status == 0, "\(again.errors)")
      #expect(try database.outcome() == expected)
      #expect(try database.rows("SELECT status FROM batch_runs") == ["succeeded"])
    }
  }

  @Test func diskThatIsFullAlreadyEndsARunBeforeItIsRecorded() async throws {
    try await withServer { disk, folder in
      let database = folder.database
      let undisturbed = try folder.copyOfDatabase()
      _ = try await CommandRun.vigil(arguments: Self.night, in: undisturbed)
      try disk.fill(leaving: 0)
      for command in [Self.night, Self.backfill] {
        let run = try await CommandRun.vigil(arguments: command, in: folder)
        run.expectFailure(73, mentioning: "has no space left", "free some space there")
      }
      #expect(try database.outcome().isEmpty)
      #expect(try database.count("batch_runs") == 0)
      try disk.empty()
      let again = try await CommandRun.vigil(arguments: Self.night, in: folder)
      #expect(again.status == 0, "\(again.errors)")
      #expect(try database.outcome() == undisturbed.database.outcome())
    }
  }
}

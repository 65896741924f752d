import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite struct StatementJournalsTests {
  @Test func aBackfillWritesNoTemporaryFile() async throws {
    let folder = try SampleDatabase.importedWithoutDoses()
    try await expectNoTemporaryFile(
      of: ["backfill", "--from", "2026-04-01", "--to", "2026-06-30", "--thresholds", "v1"],
      in: folder)
  }

  /// Among some 400,000 rows is the first that splits pages on enough levels.
  @Test(.enabled(if: Repetitions.areLong, "it imports half a million rows"))
  func anImportWritesNoTemporaryFile() async throws {
    let folder = try TemporaryFolder.migrated()
    let generated = try await CommandRun.vigil(
      "generate", "data", "--people", "1400", "--days", "365", "--seed", "1", "--medications", "0",
      in: folder)
    try #require(generated.status == 0, "\(generated.errors)")
    try await expectNoTemporaryFile(of: ["import", "csv", "data"], in: folder)
  }

  /// A temporary file has no name for long, but its folder has another date then.
  private func expectNoTemporaryFile(
    of command: [String], in folder: TemporaryFolder
  ) async throws {
    let temporary = folder.url.appending(path: "temporary").path
    try FileManager.default.createDirectory(
      atPath: temporary, withIntermediateDirectories: false,
      attributes: [.modificationDate: Date(timeIntervalSince1970: 0)])
    let run = try await CommandRun.vigil(
      arguments: command, in: folder, environment: ["SQLITE_TMPDIR": temporary])
    #expect(run.status == 0, "\(run.errors)")
    let attributes = try FileManager.default.attributesOfItem(atPath: temporary)
    #expect(attributes[.modificationDate] as? Date == Date(timeIntervalSince1970: 0))
  }
}

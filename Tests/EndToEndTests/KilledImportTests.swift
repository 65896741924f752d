import Foundation
import TestDatabases
import TestSupport
import Testing

/// An import that is killed before its new database is complete.
@Suite struct KilledImportTests {
  @Test func theNextImportRemovesWhatItLeft() async throws {
    let imports = try ImportFolder(.sqlite)
    let folder = imports.folder.url
    let file = folder.appending(path: "in/wearable_daily_metrics.csv")
    // A file that does not end keeps the import in its midst.
    try #require(mkfifo(file.path, 0o600) == 0)
    let pipe = open(file.path, O_RDWR | O_CLOEXEC)
    try #require(pipe >= 0)
    defer { close(pipe) }
    let rows = "\(ImportFolder.header)\na,2026-01-01,ring,5000\n"
    #expect(write(pipe, rows, rows.utf8.count) == rows.utf8.count)
    let run = try await CommandRun.vigil(
      "import", "csv", "in", in: imports.folder,
      whileRunning: { process in
        let draft = folder.appending(path: "vigil.sqlite.draft-\(process.processIdentifier)").path
        while process.isRunning, !FileManager.default.fileExists(atPath: draft) {
          Thread.sleep(forTimeInterval: 0.005)
        }
        kill(process.processIdentifier, SIGKILL)
      })
    #expect(run.status == SIGKILL)
    #expect(try drafts(in: folder).contains { $0.hasSuffix(".lock") })

    try FileManager.default.removeItem(at: file)
    try imports.write(rows)
    let second = try await imports.vigil("import", "csv", "in")
    #expect(second.status == 0, "\(second.errors)")
    #expect(try drafts(in: folder).isEmpty)
    #expect(try imports.database.rows("SELECT count(*) FROM wearable_daily_metrics") == ["1"])
  }

  private func drafts(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.contains(".draft-")
    }
  }
}

import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// An import that is killed before its new database is complete.
@Suite struct KilledImportTests {
  @Test func theNextImportRemovesWhatItLeft() async throws {
    let imports = try ImportFolder(.sqlite)
    let folder = imports.folder.url
    // Many rows, so that the import is in its midst when its draft appears.
    let many = (0..<1500).flatMap { person in
      (0..<300).map { day in
        "\(person),\(Day(ordinal: 20_000) + day),ring,5000\n"
      }
    }
    try imports.write("\(ImportFolder.header)\n\(many.joined())")
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

    try await anotherImportLeavesNoDraft(imports)
  }

  /// The first moments of a new database have a rollback journal, the later ones a WAL.
  @Test(arguments: ["-journal", "-wal", "-shm"])
  func theNextImportRemoves(suffix: String) async throws {
    let imports = try ImportFolder(.sqlite)
    // The lock file is that of a process which is gone: nothing holds it.
    for name in ["", suffix, ".lock"] {
      try imports.folder.write("", to: "vigil.sqlite.draft-1\(name)")
    }
    try await anotherImportLeavesNoDraft(imports)
  }

  private func anotherImportLeavesNoDraft(_ imports: ImportFolder) async throws {
    try imports.write("\(ImportFolder.header)\na,2026-01-01,ring,5000\n")
    let run = try await imports.vigil("import", "csv", "in")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try drafts(in: imports.folder.url) == [])
    #expect(try imports.database.rows("SELECT count(*) FROM wearable_daily_metrics") == ["1"])
  }

  private func drafts(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.contains(".draft-")
    }
  }
}

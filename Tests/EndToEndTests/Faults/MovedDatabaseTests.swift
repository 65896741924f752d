import Foundation
import TestDatabases
import Testing

/// A database file that goes away while a command uses it.
@Suite struct MovedDatabaseTests {
  private static let backfill = [
    "backfill", "--from", "2000-01-01", "--to", "2026-06-30", "--thresholds", "v1",
  ]

  private func prepared() async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let generated = try await CommandRun.vigil(
      "generate", "data", "--medications", "0", "--people", "70", "--days", "150", "--seed", "11",
      "--end-date", "2026-06-30", in: folder)
    try #require(generated.status == 0, "\(generated.errors)")
    let imported = try await CommandRun.vigil("import", "csv", "data", in: folder)
    try #require(imported.status == 0, "\(imported.errors)")
    return folder
  }

  @Test(arguments: [true, false])
  func aRunWhoseDatabaseGoesAwayFailsAndDamagesNothing(isReplaced: Bool) async throws {
    let folder = try await prepared()
    let database = folder.database
    let path = folder.url.appending(path: "vigil.sqlite").path
    let copy = folder.url.appending(path: "copy.sqlite").path
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let run = try await CommandRun.vigil(
      arguments: Self.backfill, in: folder,
      whileRunning: { process in
        let deadline = Date(timeIntervalSinceNow: 120)
        while process.isRunning, Date() < deadline {
          if let count = try? database.count("pattern_alert_state"), count > 0 { break }
          Thread.sleep(forTimeInterval: 0.005)
        }
        kill(process.processIdentifier, SIGSTOP)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
        if isReplaced { try FileManager.default.moveItem(atPath: copy, toPath: path) }
        kill(process.processIdentifier, SIGCONT)
      })
    run.expectFailure(
      73, mentioning: "sqlite:vigil.sqlite was moved away, replaced or removed",
      "run the command again")
    let moved = TestDatabase.sqlite(path: path + ".moved")
    #expect(try moved.isSound())
    #expect(try moved.count("pattern_alert_state") > 0)
    guard isReplaced else { return }
    #expect(try database.isSound())
    #expect(try database.count("pattern_alert_state") == 0)
    #expect(try database.count("batch_runs") == 0)
  }
}

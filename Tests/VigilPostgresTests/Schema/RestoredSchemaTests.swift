import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing
import VigilStorage

@testable import VigilPostgres

@Suite("PostgreSQL: a schema that was restored from a dump")
struct RestoredSchemaTests {
  /// Runs a program of the server, and throws where it fails.
  private func run(_ program: String, _ arguments: String...) throws {
    let script = SharedFolder.repository.appending(path: "scripts/find-postgres").path
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments =
      ["-c", "folder=$(sh '\(script)') && exec \"$folder/$0\" \"$@\"", program] + arguments
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(program): \(text)")
  }

  private func catalogue(_ storage: PostgresStorage) -> [Finding] {
    storage.diagnose().filter { $0.check == "catalogue" }
  }

  @Test("is that of the migrations; a condition that means something else is found")
  func isTheSame() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let fixture = try PostgresFixture(on: .migrated())
    let dump = folder.appending(path: "dump").path
    try run(
      "pg_dump", "--enable-row-security", "--format=custom",
      "--schema=\(fixture.schema.quotedName)",
      "--file=\(dump)", fixture.schema.url)
    try fixture.execute("CREATE DATABASE restored OWNER vigil")
    let restored = "postgres:///restored?host=\(fixture.schema.server.folder)"
    try run("pg_restore", "--dbname=\(restored)&user=postgres", dump)
    let storage = try PostgresStorage(url: restored + "&user=vigil", schema: fixture.schema.name)
    #expect(catalogue(storage).map(\.status) == [.ok], "\(catalogue(storage))")

    let session = try PostgresSession(url: restored + "&user=postgres", schema: fixture.schema.name)
    try session.execute(
      """
      ALTER TABLE check_in_plans DROP CONSTRAINT check_in_plans_minutes_in_range;
      ALTER TABLE check_in_plans ADD CONSTRAINT check_in_plans_minutes_in_range CHECK (
        interval_minutes BETWEEN 1 AND 5256000 OR grace_minutes BETWEEN 0 AND 5256000
      )
      """)
    #expect(
      catalogue(storage).map(\.detail) == [
        "check_in_plans: constraint check_in_plans_minutes_in_range has another definition"
      ])
  }
}

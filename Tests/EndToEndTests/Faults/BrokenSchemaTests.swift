import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing

/// Databases that migrations have made and that have been changed since.
@Suite struct BrokenSchemaTests {
  private static let night = ["run", "--date", "2026-06-30"]

  @Test(arguments: DatabaseKind.allCases)
  func tableThatHasGoneEndsARunWith69AndIsNamedByDoctor(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    try folder.database.execute("DROP TABLE dose_analytics")
    let doctor = try await CommandRun.vigil("doctor", in: folder)
    #expect(doctor.status == 69, "\(doctor.output)")
    #expect(doctor.output.contains("dose_analytics: it is missing"), "\(doctor.output)")
    let run = try await CommandRun.vigil(arguments: Self.night, in: folder)
    run.expectFailure(69, mentioning: "dose_analytics", "vigil")
  }

  @Test(arguments: DatabaseKind.allCases)
  func columnThatHasGoneEndsARunWith69AndIsNamedByDoctor(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    try folder.database.execute("ALTER TABLE pattern_alert_state RENAME COLUMN severity TO gravity")
    let doctor = try await CommandRun.vigil("doctor", in: folder)
    #expect(doctor.status == 69, "\(doctor.output)")
    #expect(doctor.output.contains("column severity is missing"), "\(doctor.output)")
    for command in [Self.night, ["alerts", "list"]] {
      let run = try await CommandRun.vigil(arguments: command, in: folder)
      run.expectFailure(69, mentioning: "severity", "vigil doctor")
    }
  }

  @Test(
    arguments: DatabaseKind.allCases,
    [
      "DELETE FROM schema_migrations WHERE number = 2",
      "UPDATE schema_migrations SET checksum = '\(String(repeating: "0", count: 64))' WHERE number = 2",
      "ALTER TABLE schema_migrations RENAME COLUMN checksum TO sum",
    ])
  func wrongLedgerEndsEveryCommandWith69(kind: DatabaseKind, sql: String) async throws {
    let folder = try SampleDatabase.imported(kind)
    try folder.database.execute(sql)
    for command in [Self.night, ["doctor"], ["migrate"]] {
      let run = try await CommandRun.vigil(arguments: command, in: folder)
      #expect(run.status == 69, "\(command): \(run.output)\(run.errors)")
    }
  }

  @Test func fullDoctorFindsWhatTheQuickOneDoesNot() async throws {
    let folder = try SampleDatabase.imported()
    try folder.database.executeWithoutReferences("DELETE FROM users")
    let quick = try await CommandRun.vigil("doctor", in: folder)
    #expect(!quick.output.contains("that are not there"), "\(quick.output)")
    let full = try await CommandRun.vigil("doctor", "--full", in: folder)
    #expect(full.status == 69, "\(full.output)")
    #expect(full.output.contains("refer to rows of users that are not there"), "\(full.output)")
  }

  @Test func statementThatTheServerCancelsEndsARunWith69() async throws {
    let folder = try SampleDatabase.imported(.postgres)
    guard case .postgres(let schema) = folder.database else { return }
    let session = try schema.session()
    try session.execute("BEGIN; LOCK TABLE pattern_alert_state IN ACCESS EXCLUSIVE MODE")
    let run = try await CommandRun.vigil(
      "alerts", "list", in: folder,
      environment: ["VIGIL_DATABASE": schema.url + "&options=-cstatement_timeout%3D500"])
    run.expectFailure(69, mentioning: "cancelled a statement", "statement_timeout")
    try session.execute("ROLLBACK")
  }
}

import Foundation
import PostgresTestServer
import TestDatabases
import Testing
import VigilModel
import VigilStorage

@testable import VigilPostgres

@Suite("What the doctor finds on a PostgreSQL server")
struct PostgresStorageDiagnosisTests {
  /// Findings that are not well, by check.
  private func complaints(_ storage: any Storage) -> [String: [Finding]] {
    Dictionary(grouping: storage.diagnose().filter { $0.status != .ok }, by: \.check)
  }

  /// Makes a login role of this test's own, and opens the schema as that role.
  private func storage(
    of fixture: PostgresFixture, as role: String, _ attributes: String
  ) throws -> PostgresStorage {
    try fixture.execute("CREATE ROLE \(role) LOGIN \(attributes)")
    return try PostgresStorage(
      url: fixture.schema.url(as: role), schema: fixture.schema.name)
  }

  @Test("a superuser is warned of, a member of vigil_engine needs no remedy")
  func roles() throws {
    let fixture = try PostgresFixture(on: .migrated())
    let engine = try storage(of: fixture, as: "nightly", "IN ROLE vigil_engine")
    #expect(complaints(engine).keys.sorted() == ["connections", "metrics"])
    let superuser = try storage(of: fixture, as: "root", "SUPERUSER")
    let role = try #require(complaints(superuser)["role"]?.first)
    #expect(role.status == .warning)
    #expect(role.remedy?.advice?.contains("IN ROLE vigil_engine") == true)
  }

  @Test(
    "a database whose texts are not as they should be is refused, with the remedy",
    arguments: [
      (
        "ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'", "", "has the encoding LATIN1",
        "ENCODING 'UTF8'"
      ),
      (
        "", "ALTER DATABASE odd SET standard_conforming_strings = off",
        "standard_conforming_strings off",
        "ALTER DATABASE odd SET standard_conforming_strings = on;"
      ),
    ])
  func texts(options: String, setting: String, detail: String, remedy: String) throws {
    // Of its own, because the database has a name.
    let server = try PostgresServer()
    let administrator = try PostgresSession(url: server.url(as: "postgres"))
    try administrator.execute("CREATE DATABASE odd OWNER vigil \(options) TEMPLATE template0")
    if !setting.isEmpty { try administrator.execute(setting) }
    let storage = try PostgresStorage(url: server.url().replacing("///vigil?", with: "///odd?"))
    let error = try #require(throws: StorageError.self) {
      try storage.migrate(at: Timestamp(microseconds: 0))
    }
    #expect(error.message.contains(detail))
    #expect(error.remedy?.advice?.contains(remedy) == true)
    let finding = try #require(complaints(storage)["texts"]?.first)
    #expect(finding.status == .failure)
    #expect(finding.remedy?.advice?.contains(remedy) == true)
  }

  @Test("missing grants come with the SQL that gives them")
  func grants() throws {
    let fixture = try PostgresFixture(on: .migrated())
    let stranger = try storage(of: fixture, as: "stranger", "")
    let usage = try #require(complaints(stranger)["grants"]?.first)
    #expect(usage.status == .failure)
    let remedy = try #require(usage.remedy?.advice)
    #expect(remedy.hasPrefix("GRANT USAGE ON SCHEMA"))
    try fixture.execute(remedy)

    let tables = try #require(complaints(stranger)["grants"]?.first)
    #expect(tables.detail.contains("SELECT, INSERT, UPDATE on pattern_alert_state"))
    try fixture.execute(try #require(tables.remedy?.advice))
    #expect(complaints(stranger)["grants"] == nil)

    let backfill = try storage(of: fixture, as: "history", "IN ROLE vigil_backfill")
    let live = try #require(complaints(backfill)["grants"])
    #expect(live.map(\.status) == [.warning])
    #expect(live[0].detail.contains("notification_queue"))
  }

  @Test("a database to which every login may connect is named, with the SQL that closes it")
  func openDatabase() throws {
    let fixture = try PostgresFixture(on: .migrated())
    let engine = try storage(of: fixture, as: "nightly", "IN ROLE vigil_engine")
    let finding = try #require(complaints(engine)["connections"]?.first)
    #expect(finding.status == .warning)
    try fixture.execute(try #require(finding.remedy?.advice))
    #expect(complaints(engine)["connections"] == nil)
    let stranger = #expect(throws: StorageError.self) {
      _ = try storage(of: fixture, as: "stranger", "")
    }
    #expect(stranger?.code == .permissionDenied)
    let again = try PostgresStorage(
      url: fixture.schema.url(as: "nightly"), schema: fixture.schema.name)
    #expect(again.diagnose().contains { $0.check == "connections" && $0.status == .ok })
  }

  @Test("a schema in which others may create is named by the doctor and by a migration")
  func schemaOfOthers() throws {
    let fixture = try PostgresFixture(on: .migrated())
    let schema = fixture.schema.quotedName
    #expect(complaints(fixture.storage)["schema rights"] == nil)
    try fixture.execute(
      """
      CREATE ROLE mallory;
      GRANT CREATE ON SCHEMA \(schema) TO mallory;
      GRANT CREATE ON SCHEMA \(schema) TO PUBLIC;
      """)
    let findings = try #require(complaints(fixture.storage)["schema rights"])
    #expect(findings.allSatisfy { $0.status == .warning })
    let remedies = findings.compactMap { $0.remedy?.advice }
    #expect(
      remedies == ["PUBLIC", "mallory"].map { "REVOKE CREATE ON SCHEMA \(schema) FROM \($0);" })
    let outcome = try fixture.storage.migrate(at: Timestamp(microseconds: 0))
    #expect(outcome.numbers.isEmpty)
    #expect(outcome.warnings == findings)
    for remedy in remedies { try fixture.execute(remedy) }
    #expect(complaints(fixture.storage)["schema rights"] == nil)
    #expect(try fixture.storage.migrate(at: Timestamp(microseconds: 0)).warnings.isEmpty)
  }

  @Test("temporary tables that are not allowed are missed")
  func temporaryTables() throws {
    let fixture = try PostgresFixture(on: .migrated())
    let database = try #require(fixture.strings("SELECT quote_ident(current_database())")[0])
    try fixture.execute("REVOKE TEMPORARY ON DATABASE \(database) FROM PUBLIC")
    let engine = try storage(of: fixture, as: "nightly", "IN ROLE vigil_engine")
    let finding = try #require(complaints(engine)["grants"]?.first)
    try fixture.execute(try #require(finding.remedy?.advice))
    #expect(complaints(engine)["grants"] == nil)
  }

  @Test("a view over a table without an index is named, until it has one")
  func indexes() throws {
    let fixture = try PostgresFixture()
    try fixture.execute(
      """
      DROP TABLE exercise_sessions;
      CREATE TABLE "Workouts" (id uuid, "Person" uuid, "Day" date);
      CREATE VIEW exercise_sessions AS
        SELECT id, "Person" AS user_id, "Day" AS metric_date FROM "Workouts";
      GRANT SELECT ON exercise_sessions TO vigil;
      """)
    let finding = try #require(complaints(fixture.storage)["indexes"]?.first)
    #expect(finding.status == .warning)
    #expect(finding.detail.contains("exercise_sessions"))
    #expect(finding.remedy?.advice?.contains(#""Workouts" (user_id, metric_date)"#) == true)
    try fixture.execute(#"CREATE INDEX ON "Workouts" ("Person", "Day")"#)
    #expect(complaints(fixture.storage)["indexes"] == nil)
  }

  @Test("columns of the wrong type and columns that are not there are named")
  func inputs() throws {
    let fixture = try PostgresFixture()
    try fixture.execute(
      """
      DROP TABLE family_members;
      CREATE VIEW family_members AS SELECT 'a'::text AS family_id, id AS user_id FROM users;
      DROP TABLE alert_recipient_exclusions;
      CREATE TABLE alert_recipient_exclusions (subject_user_id text);
      ALTER TABLE wearable_daily_metrics DROP COLUMN spo2_avg_pct;
      """)
    let findings = try #require(complaints(fixture.storage)["inputs"])
    #expect(
      findings.map(\.detail) == [
        "family_members.family_id is text, not uuid", "family_members has no column role",
        "family_members has no column invite_status",
        "alert_recipient_exclusions.subject_user_id is text, not uuid",
        "alert_recipient_exclusions has no column excluded_user_id",
      ])
    #expect(findings.allSatisfy { $0.status == .failure && $0.remedy != nil })
  }

  @Test("a way round row-level security is a failure, with the SQL that closes it")
  func catalogue() throws {
    // Of its own, because roles are the server's.
    let fixture = try PostgresFixture(on: .migrated())
    let faults = [
      "ALTER TABLE batch_runs DISABLE ROW LEVEL SECURITY",
      "ALTER TABLE batch_runs NO FORCE ROW LEVEL SECURITY",
      "ALTER ROLE vigil_engine SUPERUSER",
      "ALTER ROLE vigil_reader BYPASSRLS",
      "ALTER FUNCTION vigil_visible_members() RESET search_path",
      "GRANT EXECUTE ON FUNCTION vigil_visible_members() TO PUBLIC",
    ]
    for fault in faults {
      try fixture.execute(fault)
      let findings = try #require(complaints(fixture.storage)["row-level security"], "\(fault)")
      #expect(findings.map(\.status) == [.failure], "\(fault)")
      try PostgresSession(url: fixture.schema.url(as: "postgres"))
        .execute(try #require(findings.first?.remedy?.advice))
      #expect(complaints(fixture.storage)["row-level security"] == nil, "\(fault)")
    }
  }

  @Test("the run that holds the lock is named")
  func lock() throws {
    let fixture = try PostgresFixture()
    #expect(complaints(fixture.storage)["run lock"] == nil)
    let lock = try fixture.storage.acquireRunLock(for: UUID(name: "run"))
    let finding = try #require(complaints(try fixture.reopened())["run lock"]?.first)
    #expect(finding.detail.contains(UUID(name: "run").lowercased))
    // What it proposes for a machine that is gone ends the session, and with it the lock.
    let remedy = try #require(finding.remedy?.advice)
    let statement = try #require(remedy.firstRange(of: "SELECT pg_terminate_backend"))
    try fixture.execute(String(remedy[statement.lowerBound...]))
    let deadline = ContinuousClock.now + .seconds(30)
    while complaints(fixture.storage)["run lock"] != nil, ContinuousClock.now < deadline {}
    #expect(complaints(fixture.storage)["run lock"] == nil)
    withExtendedLifetime(lock) {}
  }
}

@Suite("What the doctor finds of processes that are gone")
struct SessionFindingsTests {
  private let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))

  private func sessions(_ fixture: PostgresFixture, minutes: Int64) throws -> [Finding] {
    try fixture.reopened().sessionFindings(at: now.adding(seconds: minutes * 60))
  }

  @Test("a transaction that has been open for long belongs to no run, where none is going on")
  func openTransaction() throws {
    let fixture = try PostgresFixture(on: .migrated())
    // Since when another role is in a transaction is not shown.
    let left = try PostgresSession(url: fixture.schema.url)
    try left.execute("SET application_name = 'vigil'; BEGIN; SELECT 1")
    #expect(try sessions(fixture, minutes: 1).isEmpty)
    let lock = try fixture.storage.acquireRunLock(for: UUID(name: "run"))
    #expect(try sessions(fixture, minutes: 60).isEmpty)
    withExtendedLifetime((lock, left)) {}
  }

  @Test("what it proposes ends the session")
  func remedy() throws {
    let fixture = try PostgresFixture(on: .migrated())
    // Since when another role is in a transaction is not shown.
    let left = try PostgresSession(url: fixture.schema.url)
    try left.execute("SET application_name = 'vigil'; BEGIN; SELECT 1")
    let finding = try #require(try sessions(fixture, minutes: 60).first)
    #expect(finding.status == .warning && finding.detail.contains("vigil (server process "))
    try fixture.execute(try #require(finding.remedy?.advice))
    let deadline = ContinuousClock.now + .seconds(30)
    while try !sessions(fixture, minutes: 60).isEmpty, ContinuousClock.now < deadline {}
    #expect(try sessions(fixture, minutes: 60).isEmpty)
    withExtendedLifetime(left) {}
  }

  @Test("an import and a migration may take as long as they need")
  func longCommands() throws {
    let fixture = try PostgresFixture(on: .migrated())
    try fixture.storage.importRows { writer in
      _ = try writer.ensureUser(UUID(name: "p"), externalID: nil, now: now)
      #expect(try sessions(fixture, minutes: 600).isEmpty)
    }
  }

  @Test("a session of a run that has ended is named with it")
  func endedRun() throws {
    let fixture = try PostgresFixture(on: .migrated())
    let day = Day(ordinal: 20_500)
    let run = RunRecord(
      id: UUID(name: "ended"), kind: .run, days: day...day, mode: .shadow,
      thresholds: Profile(version: "v1", digest: String(repeating: "0", count: 64)),
      parts: [.patterns], vitality: nil,
      engineVersion: "test", host: "test", startedAt: now.adding(seconds: -7200),
      finishedAt: now.adding(seconds: -3600), status: .succeeded)
    try fixture.storage.withRuns { try $0.put(run) }
    let left = try fixture.schema.session()
    try left.execute("SET application_name = 'vigil run \(run.id.lowercased)'")
    let finding = try #require(try sessions(fixture, minutes: 0).first)
    #expect(finding.detail.contains("vigil run \(run.id.lowercased) (server process "))
    withExtendedLifetime(left) {}
  }
}

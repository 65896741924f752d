import Foundation
import PostgresTestServer
import Testing
import VigilModel
import VigilStorage

@testable import VigilPostgres

@Suite("PostgreSQL: what a migration needs to be allowed")
struct PostgresStorageSchemaRightsTests {
  private static let now = Timestamp(microseconds: 0)

  /// The SQL that the error asks an administrator to run.
  private func remedy(in error: StorageError, for person: String) throws -> String {
    #expect(error.code == .permissionDenied)
    let hint = try #require(error.remedy?.advice)
    let start = try #require(hint.firstRange(of: "\(person) must run: "))
    return String(hint[start.upperBound...])
  }

  @Test("what a user may not do itself, the error asks others for as SQL that suffices")
  func saysWhatIsMissing() throws {
    let server = try PostgresServer()
    let administrator = try PostgresSession(url: server.url(as: "postgres"))
    try administrator.execute(
      """
      ALTER ROLE vigil NOCREATEROLE;
      CREATE ROLE migrator LOGIN;
      """)
    let owner = try PostgresSession(url: server.url())
    try owner.execute(
      """
      CREATE SCHEMA "Ward 3";
      GRANT USAGE, CREATE ON SCHEMA "Ward 3" TO migrator;
      CREATE VIEW "Ward 3".family_members AS
        SELECT NULL::uuid AS family_id, NULL::uuid AS user_id, ''::text AS role,
          ''::text AS invite_status;
      CREATE TABLE "Ward 3".alert_recipient_exclusions (
        subject_user_id uuid, excluded_user_id uuid
      );
      CREATE TABLE "Ward 3".vitality_scores (
        user_id uuid, score_date date, total_score integer, sleep_score integer,
        movement_score integer, stress_score integer, schema_version text, source text
      );
      GRANT SELECT ON "Ward 3".vitality_scores TO migrator WITH GRANT OPTION;
      """)
    let storage = try PostgresStorage(url: server.url(as: "migrator"), schema: "Ward 3")

    let withoutRoles = try #require(throws: StorageError.self) {
      try storage.migrate(at: Self.now)
    }
    let roles = try remedy(in: withoutRoles, for: "an administrator")
    #expect(roles.split(separator: "; ").count == 6)
    try administrator.execute(roles)

    let withoutGrants = try #require(throws: StorageError.self) {
      try storage.migrate(at: Self.now)
    }
    let grants = try remedy(
      in: withoutGrants, for: "the owner of the schema and of its views and tables")
    // Three roles use the schema; two of them, and the functions of the migrator, read the table and the view.
    #expect(grants.split(separator: "; ").count == 9)
    try owner.execute(grants)

    let withoutScores = try #require(throws: StorageError.self) {
      try storage.migrate(at: Self.now)
    }
    let writing = try remedy(in: withoutScores, for: #"the owner of "Ward 3".vitality_scores"#)
    // SELECT the migrator may grant.
    #expect(
      writing
        == ["vigil_backfill", "vigil_engine"].map {
          #"GRANT INSERT, UPDATE, DELETE ON "Ward 3".vitality_scores TO \#($0);"#
        }.joined(separator: " "))
    try owner.execute(writing)

    let last = SchemaMigrations.all.count
    let vitality = try #require(SchemaMigrations.all.first { $0.name == "vitality" }?.number)
    #expect(try storage.migrate(at: Self.now).numbers == Array(vitality...last))
    // What the owner has granted is not the migrator's to take back.
    #expect(try storage.migrateDown(count: last, at: Self.now).numbers == (1...last).reversed())
    #expect(try storage.migrate(at: Self.now).numbers == Array(1...last))
  }

  @Test("a migration waits for one of another database that makes the roles, and then takes them")
  func sharesRoles() throws {
    let server = try PostgresServer()
    let other = try PostgresSession(url: server.url(as: "postgres"))
    try other.execute(
      """
      BEGIN;
      CREATE ROLE vigil_engine;
      CREATE ROLE vigil_reader;
      """)
    let storage = try PostgresStorage(url: server.url())
    let outcome = try HeldUpCall(holder: other) {
      try storage.migrate(at: Self.now)
    } until: {
      try other.execute("COMMIT")
    }
    #expect(outcome.numbers == SchemaMigrations.all.map(\.number))
  }
}

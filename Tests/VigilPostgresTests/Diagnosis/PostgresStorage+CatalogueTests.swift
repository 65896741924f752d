import Foundation
import PostgresTestServer
import TestSupport
import Testing

@Suite("PostgreSQL: the catalogue shows no way round row-level security")
struct PostgresStorageCatalogueTests {
  /// The statement with which `vigil doctor` reads the catalogue.
  private static let query = Result {
    try String(
      contentsOf: SharedFolder.repository.appending(
        path: "Sources/VigilPostgres/Statements/catalogue_faults.sql"), encoding: .utf8)
  }

  private func faults(on session: SchemaSession) throws -> [String] {
    try session.lines(session.rendered(Self.query.get()))
  }

  @Test("a migrated schema has no fault")
  func findsNothing() throws {
    #expect(try faults(on: FamilySchema().session()) == [])
  }

  @Test("every table that a migration makes has forced row-level security and a policy")
  func protectsEveryTable() throws {
    let session = try FamilySchema().session()
    let unprotected = try session.lines(
      """
      SELECT relname FROM pg_class
      WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind IN ('r', 'p')
        AND NOT (
          relrowsecurity AND relforcerowsecurity
          AND EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid)
        )
      """)
    #expect(unprotected == [])
  }

  /// A change to the schema, and what the query says of it.
  struct Fault: CustomTestStringConvertible {
    var sql: String
    var found: [String]

    var testDescription: String { sql }
  }

  @Test(
    "each kind of fault is found",
    arguments: [
      Fault(
        sql: "ALTER TABLE users DISABLE ROW LEVEL SECURITY",
        found: ["table_without_row_level_security users"]),
      Fault(
        sql: "ALTER TABLE batch_runs NO FORCE ROW LEVEL SECURITY",
        found: ["table_without_forced_row_level_security batch_runs"]),
      Fault(
        sql: """
          DROP POLICY vigil_owner ON schema_migrations;
          DROP POLICY vigil_engine ON schema_migrations;
          DROP POLICY vigil_eraser ON schema_migrations;
          """,
        found: ["table_without_policy schema_migrations"]),
      Fault(
        sql: "CREATE TABLE extra (id integer); GRANT SELECT (id) ON extra TO vigil_reader",
        found: [
          "table_without_forced_row_level_security extra", "table_without_policy extra",
          "table_without_row_level_security extra",
        ]),
      Fault(
        sql:
          "CREATE TABLE extra (id date) PARTITION BY RANGE (id); GRANT DELETE ON extra TO PUBLIC",
        found: [
          "table_without_forced_row_level_security extra", "table_without_policy extra",
          "table_without_row_level_security extra",
        ]),
      Fault(sql: "ALTER ROLE vigil_engine SUPERUSER", found: ["role_is_superuser vigil_engine"]),
      Fault(
        sql: "ALTER ROLE vigil_reader BYPASSRLS",
        found: ["role_bypasses_row_level_security vigil_reader"]),
      Fault(
        sql: "ALTER FUNCTION vigil_visible_members() RESET search_path",
        found: ["function_of_vigil_that_searches_schemas vigil_visible_members()"]),
      Fault(
        sql: #"ALTER FUNCTION vigil_visible_members() SET search_path = "$user", public, pg_temp"#,
        found: ["function_of_vigil_that_searches_schemas vigil_visible_members()"]),
      Fault(
        sql: "ALTER FUNCTION vigil_visible_members() SET search_path = pg_temp, public",
        found: ["function_of_vigil_that_searches_schemas vigil_visible_members()"]),
      Fault(
        sql: """
          CREATE FUNCTION extra(integer) RETURNS integer LANGUAGE sql SECURITY DEFINER AS 'SELECT $1';
          REVOKE ALL ON FUNCTION extra(integer) FROM PUBLIC;
          GRANT EXECUTE ON FUNCTION extra(integer) TO vigil_reader
          """,
        found: ["function_without_pinned_search_path extra(integer)"]),
      Fault(
        sql: "GRANT EXECUTE ON FUNCTION vigil_visible_members() TO PUBLIC",
        found: ["function_executable_by_public vigil_visible_members()"]),
      // As CREATE FUNCTION leaves them.
      Fault(
        sql: """
          CREATE FUNCTION extra(integer) RETURNS integer
          LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS 'SELECT $1'
          """,
        found: ["function_executable_by_public extra(integer)"]),
      Fault(
        sql: "ALTER FUNCTION get_family_pattern_alerts(uuid, uuid, date) SET search_path = public",
        found: [
          "function_of_vigil_that_searches_schemas get_family_pattern_alerts(uuid, uuid, date)"
        ]),
    ])
  func findsFaults(fault: Fault) throws {
    let session = try FamilySchema().session()
    // Roles are the server's, and other tests need them as they are.
    try session.execute("BEGIN; \(fault.sql)")
    #expect(try faults(on: session) == fault.found)
    try session.execute("ROLLBACK")
    #expect(try faults(on: session) == [])
  }

  @Test("an app's own table of exclusions is the app's to protect, unless a reader gets at it")
  func leavesInputsOfOthersAlone() throws {
    let session = try FamilySchema().session()
    try session.execute(
      """
      DROP TABLE alert_recipient_exclusions;
      CREATE TABLE alert_recipient_exclusions (subject_user_id uuid, excluded_user_id uuid);
      GRANT SELECT ON alert_recipient_exclusions TO vigil_engine, vigil_backfill;
      """)
    #expect(try faults(on: session) == [])
    let changes = [
      ("ALTER TABLE alert_recipient_exclusions ENABLE ROW LEVEL SECURITY", "table_without_policy"),
      (
        "GRANT SELECT ON alert_recipient_exclusions TO vigil_reader",
        "table_without_row_level_security"
      ),
    ]
    for (change, fault) in changes {
      try session.execute("BEGIN; \(change)")
      #expect(try faults(on: session).contains("\(fault) alert_recipient_exclusions"), "\(change)")
      try session.execute("ROLLBACK")
    }
  }

  @Test("what Vigil's roles may not use is none of its business")
  func leavesOthersAlone() throws {
    let session = try FamilySchema().session()
    try session.execute(
      """
      CREATE TABLE extra (id integer);
      CREATE VIEW extra_view AS SELECT * FROM extra;
      CREATE FUNCTION extra() RETURNS integer LANGUAGE sql SECURITY DEFINER AS 'SELECT 1';
      REVOKE ALL ON FUNCTION extra() FROM PUBLIC;
      CREATE FUNCTION extra(integer) RETURNS integer LANGUAGE sql AS 'SELECT 1';
      """)
    #expect(try faults(on: session) == [])
  }
}

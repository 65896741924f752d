import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing
import VigilStorage

@testable import VigilPostgres

@Suite("PostgreSQL: the catalogue is what the migrations make")
struct SchemaMigrationsTests {
  private static let file = SharedFolder.repository.appending(
    path: "Sources/VigilPostgres/Queries/expected_catalogue.tsv")

  private func storage(_ fixture: PostgresFixture) throws -> PostgresStorage {
    try PostgresStorage(url: fixture.schema.url, schema: fixture.schema.name)
  }

  @Test("the file that doctor compares with is the catalogue of a new schema")
  func expectedCatalogue() throws {
    let fixture = try PostgresFixture()
    let storage = try storage(fixture)
    let found = try storage.catalogue(storage.openConnection(purpose: "vigil test"))
    let text = found.map { "\($0)\n" }.joined()
    if ProcessInfo.processInfo.environment["VIGIL_RECORD_SNAPSHOTS"] == "1" {
      try Data(text.utf8).write(to: Self.file)
      Issue.record("recorded \(Self.file.lastPathComponent); look at the difference and commit it")
      return
    }
    #expect(try text == String(contentsOf: Self.file, encoding: .utf8))
    #expect(PostgresStorage.expectedCatalogue == found)
    #expect(Set(found.map(\.kind)) == Set(CatalogueEntry.Kind.allCases))
  }

  @Test("both databases have the same migrations")
  func sameMigrations() throws {
    let names = try ["VigilPostgres", "VigilSQLite"].map {
      try FileManager.default.contentsOfDirectory(
        atPath: SharedFolder.repository.appending(path: "Sources/\($0)/Migrations").path
      ).sorted()
    }
    #expect(names[0] == names[1])
    let steps = SchemaMigrations.all.map { String(format: "%04d_", $0.number) + $0.name }
    #expect(
      names[0] == steps.flatMap { ["\($0).down.sql", "\($0).up.sql"] } + ["schema_migrations.sql"])
  }

  @Test("each table, column and function has a comment")
  func comments() throws {
    let fixture = try PostgresFixture()
    let bare = """
      SELECT relname::text FROM pg_class
      WHERE relnamespace = quote_ident({{schema_name}})::regnamespace AND relkind IN ('r', 'v')
        AND obj_description(oid, 'pg_class') IS NULL
      UNION ALL
      SELECT relname || '.' || attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = quote_ident({{schema_name}})::regnamespace AND relkind IN ('r', 'v')
        AND attnum > 0 AND NOT attisdropped AND col_description(attrelid, attnum) IS NULL
      UNION ALL
      SELECT oid::regprocedure::text FROM pg_proc
      WHERE pronamespace = quote_ident({{schema_name}})::regnamespace
        AND obj_description(oid, 'pg_proc') IS NULL
      """
    #expect(try fixture.strings(fixture.rendered(bare)) == [])
    try fixture.execute("COMMENT ON COLUMN users.email IS NULL")
    #expect(try fixture.strings(fixture.rendered(bare)) == ["users.email"])
  }

  /// A change to the schema, what the doctor says of it, and whether runs fail with it.
  struct Change: CustomTestStringConvertible {
    var sql: String
    var detail: String
    var status = Finding.Status.warning

    var testDescription: String { sql }
  }

  @Test(
    "each kind of change is found",
    arguments: [
      Change(
        sql: "ALTER TABLE trend_coverage ALTER COLUMN input_digest TYPE integer",
        detail: "trend_coverage: column input_digest is 'integer NOT NULL', not 'bigint NOT NULL'",
        status: .failure),
      Change(
        sql: "ALTER TABLE batch_runs DROP CONSTRAINT batch_runs_kind_known",
        detail: "batch_runs: constraint batch_runs_kind_known is missing", status: .failure),
      Change(
        sql: """
          ALTER TABLE batch_runs DROP CONSTRAINT batch_runs_mode_known,
            ADD CONSTRAINT batch_runs_mode_known CHECK (mode <> 'other')
          """,
        detail: "batch_runs: constraint batch_runs_mode_known is 'CHECK ((mode <> 'other'::text))',"
          + " not 'CHECK ((mode = ANY (ARRAY['shadow'::text, 'live'::text])))'"),
      Change(
        sql: "ALTER TABLE batch_runs ADD CONSTRAINT narrow CHECK (shards < 9)",
        detail: "batch_runs: constraint narrow is none of Vigil's"),
      Change(
        sql: "DROP POLICY vigil_reader ON trend_coverage",
        detail: "trend_coverage: policy vigil_reader is missing", status: .failure),
      Change(
        sql: "CREATE POLICY wide ON trend_coverage FOR SELECT TO vigil_reader USING (TRUE)",
        detail: "trend_coverage: policy wide is none of Vigil's"),
      Change(
        sql: """
          CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
          CREATE TRIGGER nothing BEFORE INSERT ON dose_analytics
            FOR EACH ROW EXECUTE FUNCTION nothing()
          """, detail: "dose_analytics: trigger nothing is none of Vigil's"),
      Change(
        sql: """
          CREATE OR REPLACE FUNCTION vigil_viewer_id() RETURNS uuid LANGUAGE sql STABLE
          AS 'SELECT NULL::uuid'
          """, detail: "functions: function vigil_viewer_id() has another definition"),
      Change(
        sql: "DROP FUNCTION family_insights(uuid, uuid, date, date)",
        detail: "functions: function family_insights(uuid, uuid, date, date) is missing",
        status: .failure),
      Change(
        sql: "ALTER TABLE users DROP CONSTRAINT users_birth_date_is_date",
        detail: "users: constraint users_birth_date_is_date is missing", status: .failure),
    ])
  func findsChanges(change: Change) throws {
    let fixture = try PostgresFixture()
    try fixture.execute(change.sql)
    let found = try storage(fixture).diagnose().filter { $0.check == "catalogue" }
    #expect(found.map(\.detail) == [change.detail])
    #expect(found.map(\.status) == [change.status])
  }

  @Test("indexes are compared with their tables where the server has amcheck")
  func checksIndexes() throws {
    let fixture = try PostgresFixture(on: .migrated())
    let storage = try storage(fixture)
    func integrity() -> Finding? {
      storage.diagnose(fully: true).first { $0.check == "integrity" }
    }
    #expect(!storage.diagnose().contains { $0.check == "integrity" })
    #expect(integrity()?.status == .warning)
    #expect(integrity()?.detail == "not checked: the extension amcheck is not installed")
    try fixture.execute("CREATE SCHEMA tools; CREATE EXTENSION amcheck SCHEMA tools")
    #expect(integrity()?.detail == "not checked: this role may not use the extension amcheck")
    try fixture.execute(
      """
      GRANT USAGE ON SCHEMA tools TO vigil;
      GRANT EXECUTE ON FUNCTION tools.bt_index_check(regclass, boolean) TO vigil
      """)
    #expect(integrity()?.status == .ok, "\(String(describing: integrity()))")
  }
}

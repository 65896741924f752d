import Foundation
import PostgresTestServer
import Testing
import VigilModel
import VigilStorage

@testable import VigilPostgres

/// Exclusions may be in a table of the app's as well as in a view.
extension PostgresStorageSchemaTests {
  /// The kind of the relation of that name, then what of Vigil is on it.
  private func exclusions(in schema: PostgresSchema) throws -> [String] {
    try SchemaSession(schema).lines(
      """
      SELECT relkind::text, relrowsecurity, relowner::regrole,
        (SELECT count(*) FROM pg_policy WHERE polrelid = pg_class.oid),
        (SELECT count(*) FROM pg_constraint WHERE conrelid = pg_class.oid),
        has_table_privilege('vigil_engine', pg_class.oid, 'SELECT'),
        has_table_privilege('vigil_backfill', pg_class.oid, 'SELECT'),
        has_table_privilege('vigil_reader', pg_class.oid, 'SELECT')
      FROM pg_class
      WHERE relnamespace = quote_ident(current_schema())::regnamespace
        AND relname = 'alert_recipient_exclusions'
      """)
  }

  private static let ownExclusions = [
    "v": "CREATE VIEW alert_recipient_exclusions AS SELECT * FROM silence",
    "m": "CREATE MATERIALIZED VIEW alert_recipient_exclusions AS SELECT * FROM silence",
    "r": """
    CREATE TABLE alert_recipient_exclusions (subject_user_id uuid, excluded_user_id uuid, note text);
    INSERT INTO alert_recipient_exclusions SELECT * FROM silence
    """,
  ]

  @Test(
    "a table or a view of exclusions that is there is read, and outlives the way down",
    arguments: ownExclusions)
  func takesExclusions(kind: String, sql: String) throws {
    let schema = try schema(
      with: """
        CREATE TABLE silence (subject_user_id uuid, excluded_user_id uuid);
        INSERT INTO silence VALUES ('\(FamilySchema.id(1))', '\(FamilySchema.id(2))');
        \(sql)
        """)
    try migrateUpAndDown(schema)
    #expect(try exclusions(in: schema) == ["\(kind) f vigil 0 0 t t f"])
    let storage = try storage(schema)
    let (one, two) = try (
      #require(UUID(uuidString: FamilySchema.id(1))), #require(UUID(uuidString: FamilySchema.id(2)))
    )
    #expect(try storage.makeReader().exclusions(of: [one, two]) == [one: [two]])
    #expect(storage.diagnose().allSatisfy { $0.status != .failure })
  }

  @Test("where there is none, a table is made, with references where users is a table")
  func makesExclusions() throws {
    let empty = try schema()
    _ = try storage(empty).migrate(at: Self.now)
    // The key, the check and two references.
    #expect(try exclusions(in: empty) == ["r t vigil 5 4 t t t"])
    let withViews = try schema(with: Self.views)
    try migrateUpAndDown(withViews)
    #expect(try exclusions(in: withViews) == ["r t vigil 5 2 t t t"])
  }

  @Test("a table of exclusions that took the place of Vigil's is not dropped on the way down")
  func keepsLaterExclusions() throws {
    let schema = try schema()
    let storage = try storage(schema)
    _ = try storage.migrate(at: Self.now)
    try execute(
      """
      DROP TABLE alert_recipient_exclusions;
      CREATE TABLE alert_recipient_exclusions (id integer);
      INSERT INTO alert_recipient_exclusions VALUES (7);
      """, in: schema)
    _ = try storage.migrateDown(count: SchemaMigrations.all.count, at: Self.now)
    #expect(try SchemaSession(schema).lines("SELECT id FROM alert_recipient_exclusions") == ["7"])
  }

  @Test("something under the name of the exclusions that cannot be read is an error")
  func refusesOtherExclusions() throws {
    let schema = try schema(with: "CREATE SEQUENCE alert_recipient_exclusions")
    let error = try #require(throws: StorageError.self) {
      try storage(schema).migrate(at: Self.now)
    }
    #expect(error.code == .schemaNotCurrent)
    #expect(error.message.contains("alert_recipient_exclusions, which is neither a table nor"))
  }
}

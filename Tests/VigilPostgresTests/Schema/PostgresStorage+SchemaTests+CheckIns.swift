import PostgresTestServer
import Testing
import VigilStorage

@testable import VigilPostgres

/// An app may have a view in the place of `check_ins`, into which `check_in` inserts.
extension PostgresStorageSchemaTests {
  private static let allColumns =
    "CREATE VIEW check_ins AS SELECT who AS user_id, at AS checked_in_at, how AS kind FROM sign"

  /// Views of a table `sign(who, at, how)`, the type of `how`, and what is there after two calls.
  private static let ownCheckIns: [(sql: String, type: String, rows: [String])] = [
    (allColumns, "text", ["manual", "responder"]),
    // A type of the app's own.
    (allColumns, "sign_kind", ["manual", "responder"]),
    (
      "CREATE VIEW check_ins AS SELECT who AS user_id, at AS checked_in_at FROM sign", "text",
      ["", ""]
    ),
    (
      """
      CREATE VIEW check_ins AS
        SELECT who AS user_id, at AS checked_in_at, how AS kind FROM sign UNION ALL
        SELECT NULL, NULL, NULL WHERE FALSE;
      CREATE FUNCTION keep_sign() RETURNS trigger LANGUAGE plpgsql AS $f$
      BEGIN
        EXECUTE format(
          'INSERT INTO %I.sign VALUES ($1.user_id, $1.checked_in_at, $1.kind)', TG_TABLE_SCHEMA) USING NEW;
        RETURN NEW;
      END $f$;
      CREATE TRIGGER keep INSTEAD OF INSERT ON check_ins FOR EACH ROW EXECUTE FUNCTION keep_sign()
      """, "text", ["manual", "responder"]
    ),
  ]

  private func migrated(_ view: String, type: String) throws -> PostgresSchema {
    let schema = try schema(
      with: """
        \(Self.views)
        -- A name that check_in uses, too.
        CREATE OR REPLACE VIEW users AS
          SELECT number AS id, mail AS external_id, mail AS email, NULL::text AS display_name, TRUE AS member
          FROM person;
        CREATE TYPE sign_kind AS ENUM ('manual', 'automatic', 'responder');
        CREATE TABLE sign (who uuid, at timestamptz, how \(type), PRIMARY KEY (who, at));
        \(view)
        """)
    _ = try storage(schema).migrate(at: Self.now)
    return schema
  }

  @Test("a member checks in through a view of the app's", arguments: ownCheckIns)
  func checksIn(view: (sql: String, type: String, rows: [String])) throws {
    let schema = try migrated(view.sql, type: view.type)
    let session = try SchemaSession(schema)
    try session.execute(
      "SET app.current_user_id = '\(FamilySchema.id(2))'; SET ROLE vigil_reader")
    for call in ["check_in()", "check_in('responder')"] {
      #expect(try session.refusal(of: "SELECT \(call)") == nil, "\(call)")
    }
    #expect(
      try session.refusal(of: "SELECT check_in('asleep')")
        == "22023 a check-in is manual, automatic or responder")
    // No reference of the app's table says that there is no such person.
    try session.execute("SET app.current_user_id = '\(FamilySchema.id(3))'")
    #expect(
      try session.refusal(of: "SELECT check_in()")
        == "42501 app.current_user_id names no person")
    let owner = try SchemaSession(schema)
    #expect(try owner.lines("SELECT how FROM sign ORDER BY at") == view.rows)
    #expect(try owner.lines("SELECT DISTINCT who FROM sign") == [FamilySchema.id(2)])
    // A sign of life of that instant that is there already is no error.
    try owner.execute(
      """
      SET app.current_user_id = '\(FamilySchema.id(1))';
      SELECT vigil_check_in('manual', '2026-07-01 10:00Z'), vigil_check_in('manual', '2026-07-01 10:00Z')
      """)
    #expect(
      try owner.lines("SELECT count(*) FROM sign WHERE who = '\(FamilySchema.id(1))'") == ["1"])
  }

  @Test("an error of the app's trigger is not taken for a check-in that is there")
  func triggersMayFail() throws {
    let schema = try migrated(
      """
      \(Self.allColumns);
      CREATE TABLE first_sign (who uuid PRIMARY KEY);
      CREATE FUNCTION note_sign() RETURNS trigger LANGUAGE plpgsql AS $f$
      BEGIN
        EXECUTE format('INSERT INTO %I.first_sign VALUES ($1.who)', TG_TABLE_SCHEMA) USING NEW;
        RETURN NEW;
      END $f$;
      CREATE TRIGGER note AFTER INSERT ON sign FOR EACH ROW EXECUTE FUNCTION note_sign()
      """, type: "text")
    let session = try SchemaSession(schema)
    try session.execute(
      "SET app.current_user_id = '\(FamilySchema.id(2))'; SET ROLE vigil_reader")
    #expect(try session.refusal(of: "SELECT check_in()") == nil)
    #expect(
      try session.refusal(of: "SELECT check_in()")
        == "23505 duplicate key value violates unique constraint \"first_sign_pkey\"")
    #expect(try SchemaSession(schema).lines("SELECT count(*) FROM sign") == ["1"])
  }

  @Test("where the owner of Vigil may not insert into the view, the error names it")
  func needsRight() throws {
    let schema = try migrated(Self.allColumns, type: "text")
    let owner = try SchemaSession(schema)
    try owner.execute("ALTER VIEW check_ins OWNER TO postgres; GRANT SELECT ON check_ins TO vigil")
    let session = try SchemaSession(schema)
    try session.execute(
      "SET app.current_user_id = '\(FamilySchema.id(2))'; SET ROLE vigil_reader")
    #expect(
      try session.refusal(of: "SELECT check_in()")
        == "42501 permission denied for view check_ins")
    try owner.execute("GRANT INSERT ON check_ins TO vigil; GRANT INSERT ON sign TO postgres")
    #expect(try session.refusal(of: "SELECT check_in()") == nil)
  }
}

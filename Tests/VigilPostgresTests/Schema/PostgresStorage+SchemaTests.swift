import Foundation
import PostgresTestServer
import Testing
import VigilModel
import VigilStorage

@testable import VigilPostgres

@Suite("PostgreSQL: schemas that already hold something")
struct PostgresStorageSchemaTests {
  static let now = Timestamp(microseconds: 0)

  func storage(_ schema: PostgresSchema) throws -> PostgresStorage {
    try PostgresStorage(url: schema.url, schema: schema.name)
  }

  /// A schema in which the owner of the database has run statements.
  func schema(with sql: String = "") throws -> PostgresSchema {
    let schema = try PostgresSchema()
    try execute("CREATE SCHEMA \(schema.quotedName); \(sql)", in: schema)
    return schema
  }

  func execute(_ sql: String, in schema: PostgresSchema) throws {
    try PostgresSession(url: schema.url, schema: schema.name).execute(sql)
  }

  /// Every table, view, index, constraint, policy, function and grant of a schema except the ledger,
  /// one a line.
  private func contents(of schema: PostgresSchema) throws -> [String] {
    try SchemaSession(schema).lines(
      """
      WITH own AS (SELECT quote_ident(current_schema())::regnamespace AS schema)
      SELECT concat_ws(
        ' ', relkind, relname, relrowsecurity, relforcerowsecurity, reloptions,
        ARRAY(SELECT unnest(coalesce(relacl, acldefault('r', relowner)))::text ORDER BY 1))
      FROM pg_class, own WHERE relnamespace = schema AND relname NOT LIKE 'schema_migrations%'
      UNION ALL
      SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
      FROM pg_constraint, own WHERE connamespace = schema AND conname NOT LIKE 'schema_migrations%'
      UNION ALL
      SELECT concat_ws(' ', tablename, policyname, roles, cmd, qual)
      FROM pg_policies WHERE schemaname = current_schema() AND tablename <> 'schema_migrations'
      UNION ALL
      SELECT concat_ws(
        ' ', oid::regprocedure, prosrc, ARRAY(SELECT unnest(proacl)::text ORDER BY 1), proconfig)
      FROM pg_proc, own WHERE pronamespace = schema
      UNION ALL
      SELECT coalesce(nspacl, acldefault('n', nspowner))::text
      FROM pg_namespace, own WHERE pg_namespace.oid = schema
      ORDER BY 1
      """)
  }

  func migrateUpAndDown(_ schema: PostgresSchema) throws {
    let storage = try storage(schema)
    let before = try contents(of: schema)
    #expect(try storage.migrate(at: Self.now).numbers == SchemaMigrations.all.map(\.number))
    let migrated = try contents(of: schema)
    #expect(migrated.count > before.count)
    #expect(
      try storage.migrateDown(count: SchemaMigrations.all.count, at: Self.now).numbers
        == SchemaMigrations.all.map(\.number).reversed())
    #expect(try contents(of: schema) == before)
    #expect(try storage.migrate(at: Self.now).numbers == SchemaMigrations.all.map(\.number))
    #expect(try contents(of: schema) == migrated)
  }

  @Test("the way down leaves nothing in a schema that was empty, and the way up then works again")
  func leavesNothing() throws {
    try migrateUpAndDown(schema())
  }

  @Test("any number of migrations can be taken back and applied again")
  func stepByStep() throws {
    let schema = try schema()
    let storage = try storage(schema)
    _ = try storage.migrate(at: Self.now)
    let migrated = try contents(of: schema)
    for count in 1...SchemaMigrations.all.count {
      _ = try storage.migrateDown(count: count, at: Self.now)
      #expect(try contents(of: schema) != migrated)
      _ = try storage.migrate(at: Self.now)
      let found = try contents(of: schema)
      #expect(found == migrated, "\(count): \(found.difference(from: migrated))")
    }
  }

  /// Input data in tables of other names, and views of them.
  static let views = """
    CREATE TABLE person (number uuid PRIMARY KEY, mail text);
    CREATE TABLE household (house uuid, person uuid, rank text, answer text);
    CREATE TABLE watch (person uuid, day date, steps real);
    CREATE VIEW users AS
      SELECT number AS id, mail AS external_id, mail AS email, NULL::text AS display_name FROM person;
    CREATE VIEW user_profiles AS SELECT number AS user_id, 'Europe/Berlin' AS timezone FROM person;
    CREATE VIEW family_members AS
      SELECT house AS family_id, person AS user_id, rank AS role, answer AS invite_status
      FROM household;
    CREATE MATERIALIZED VIEW wearable_daily_metrics AS
      SELECT person AS user_id, day AS metric_date, 'watch'::text AS source,
        steps::double precision AS steps
      FROM watch;
    CREATE VIEW exercise_sessions AS
      SELECT number AS id, number AS user_id, NULL::date AS metric_date FROM person WHERE FALSE;
    INSERT INTO person VALUES ('\(FamilySchema.id(1))', 'one'), ('\(FamilySchema.id(2))', 'two');
    INSERT INTO household VALUES
      ('\(FamilySchema.familyA)', '\(FamilySchema.id(1))', 'admin', 'accepted'),
      ('\(FamilySchema.familyA)', '\(FamilySchema.id(2))', 'member', 'accepted');
    """

  @Test("views stand in for input tables, and outlive the way down")
  func takesViews() throws {
    let schema = try schema(with: Self.views)
    try migrateUpAndDown(schema)
    let kinds = try SchemaSession(schema).lines(
      """
      SELECT DISTINCT relkind FROM pg_class
      WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relname IN
        ('users', 'user_profiles', 'family_members', 'wearable_daily_metrics', 'exercise_sessions')
      ORDER BY 1
      """)
    #expect(kinds == ["m", "v"])
  }

  @Test("the engine reads views; a reader does not, and yet is judged by them")
  func grantsOnViews() throws {
    let schema = try schema(with: Self.views)
    _ = try storage(schema).migrate(at: Self.now)
    let session = try SchemaSession(schema)
    for role in ["vigil_engine", "vigil_backfill"] {
      try session.execute("SET ROLE \(role)")
      #expect(try session.lines("SELECT count(*) FROM users") == ["2"])
      #expect(try session.refusal(of: "SELECT * FROM person")?.hasPrefix("42501") == true)
    }

    try session.execute("SET ROLE vigil_reader; SET app.current_user_id = '\(FamilySchema.id(1))'")
    for view in ["users", "family_members", "wearable_daily_metrics"] {
      let refusal = try session.refusal(of: "SELECT * FROM \(view)")
      #expect(refusal?.hasPrefix("42501 permission denied") == true, "\(view)")
    }
    #expect(
      try session.lines("SELECT right(visible::text, 1) FROM vigil_visible_users() AS visible")
        .sorted() == ["1", "2"])
    let alerts = "SELECT count(*) FROM get_family_pattern_alerts"
    #expect(
      try session.lines("\(alerts)('\(FamilySchema.familyA)', '\(FamilySchema.id(1))')") == ["0"])
    #expect(
      try session.refusal(of: "\(alerts)('\(FamilySchema.familyB)', '\(FamilySchema.id(1))')")?
        .hasPrefix("42501 the viewer is not an accepted member") == true)
  }

  @Test("of a view of profiles the columns that it has are read")
  func readsProfilesInPart() throws {
    let schema = try schema(with: Self.views)
    let storage = try storage(schema)
    _ = try storage.migrate(at: Self.now)
    let person = try #require(UUID(uuidString: FamilySchema.id(1)))
    let profiles = try storage.makeReader().profiles(of: [person])
    #expect(profiles == [person: UserProfile(timeZone: "Europe/Berlin")])
  }

  @Test("a switch of a profile that is no truth value is named, by the doctor as well")
  func refusesOtherSwitches() throws {
    let schema = try schema(with: Self.views)
    let storage = try storage(schema)
    _ = try storage.migrate(at: Self.now)
    try execute(
      """
      CREATE OR REPLACE VIEW user_profiles AS
        SELECT number AS user_id, 'Europe/Berlin' AS timezone, 'yes' AS notify_push FROM person
      """, in: schema)
    let error = #expect(throws: StorageError.self) {
      try storage.makeReader().profiles(of: [UUID()])
    }
    #expect(error?.code == .unknownColumn)
    #expect(error?.description.contains("user_profiles.notify_push") == true)
    #expect(error?.remedy == "cast it in the view: notify_push::boolean")
    let finding = try #require(
      storage.diagnose().first { $0.check == "inputs" && $0.status == .failure })
    #expect(finding.detail.contains("user_profiles.notify_push is text"))
  }

  @Test("a person whom a view names twice is one person")
  func countsPersonsOnce() throws {
    let schema = try schema(with: Self.views)
    let storage = try storage(schema)
    _ = try storage.migrate(at: Self.now)
    try execute(
      """
      INSERT INTO watch SELECT number, DATE '2026-01-01', 1 FROM person;
      REFRESH MATERIALIZED VIEW wearable_daily_metrics;
      CREATE OR REPLACE VIEW users AS
        SELECT number AS id, mail AS external_id, mail AS email, NULL::text AS display_name
        FROM person CROSS JOIN generate_series(1, 2)
      """, in: schema)
    let day = try #require(Day("2026-01-01"))
    #expect(try storage.persons(withDataIn: day...day).count == 2)
  }

  @Test("a view may be replaced after the migration")
  func letsViewsChange() throws {
    let schema = try schema(with: Self.views)
    _ = try storage(schema).migrate(at: Self.now)
    try execute(
      """
      DROP VIEW family_members;
      CREATE VIEW family_members AS
        SELECT house AS family_id, person AS user_id, rank AS role, answer AS invite_status, 1 AS new
        FROM household
      """, in: schema)
  }

  @Test("where only some inputs are views, the others are tables without references to a view")
  func mixes() throws {
    let schema = try schema(
      with:
        """
        CREATE TABLE person (id uuid PRIMARY KEY, external_id text);
        CREATE VIEW users AS SELECT * FROM person
        """)
    try migrateUpAndDown(schema)
    let references = try SchemaSession(schema).lines(
      """
      SELECT conname FROM pg_constraint
      WHERE connamespace = quote_ident(current_schema())::regnamespace AND contype = 'f'
      ORDER BY conname
      """)
    #expect(
      references == [
        "alert_actions_alert_state", "alert_reads_alert_state", "batch_checkpoints_run",
        "dose_history_medication", "dose_history_schedule",
        "held_notifications_alert_state", "held_notifications_run", "medication_history_owner",
        "notification_queue_alert_state", "provisional_alerts_alert_state", "run_shards_run",
        "schedule_adjustments_schedule", "schedule_adjustments_timezone_event",
        "schedules_medication", "shadow_notification_queue_alert_state",
      ])
  }

  @Test(
    "another's table under the name of an input is an error that names it, and nothing is left",
    arguments: [
      "users", "user_profiles", "family_members", "wearable_daily_metrics", "exercise_sessions",
      "check_ins", "check_in_plans", "sensitivity_overrides", "person_limits", "do_not_disturb",
    ])
  func refusesTables(name: String) throws {
    let schema = try schema(with: "CREATE TABLE \(name) (id uuid, note text)")
    let before = try contents(of: schema)
    let error = try #require(throws: StorageError.self) {
      try storage(schema).migrate(at: Self.now)
    }
    #expect(error.code == .schemaNotCurrent)
    #expect(
      error.message.contains(
        "the schema \(schema.quotedName) has \(name), which Vigil did not make"))
    #expect(
      error.remedy?.advice
        == "migrate a schema of its own (--schema NAME); to have Vigil read this data,"
        + " create a view NAME.\(name) of it there before")
    #expect(try contents(of: schema) == before)
  }

  @Test("the ledger of another tool is an error, and left as it is")
  func refusesForeignLedger() throws {
    let schema = try schema(with: "CREATE TABLE schema_migrations (version text PRIMARY KEY)")
    let storage = try storage(schema)
    let attempts: [() throws -> Void] = [
      { _ = try storage.migrate(at: Self.now) },
      { _ = try storage.migrateDown(count: 1, at: Self.now) },
      { _ = try storage.migrations() },
      { try storage.requireCurrentSchema() },
    ]
    for attempt in attempts {
      let error = try #require(throws: StorageError.self) { try attempt() }
      #expect(error.code == .schemaNotCurrent)
      #expect(error.message.contains("schema_migrations"))
      #expect(error.message.contains("belongs to another tool"))
      #expect(error.remedy == .useOwnSchema)
    }
    #expect(
      try SchemaSession(schema).lines(
        """
        SELECT attname FROM pg_attribute
        WHERE attrelid = 'schema_migrations'::regclass AND attnum > 0
        """) == ["version"])
  }

  @Test("a table that took the place of a view is not dropped on the way down")
  func keepsLaterTables() throws {
    let schema = try schema(with: Self.views)
    let storage = try storage(schema)
    _ = try storage.migrate(at: Self.now)
    try execute(
      """
      DROP VIEW exercise_sessions;
      CREATE TABLE exercise_sessions (id integer);
      INSERT INTO exercise_sessions VALUES (7);
      """, in: schema)
    _ = try storage.migrateDown(count: SchemaMigrations.all.count, at: Self.now)
    #expect(try SchemaSession(schema).lines("SELECT id FROM exercise_sessions") == ["7"])
  }
}

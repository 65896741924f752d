import Foundation
import PostgresTestServer
import TestSupport
import Testing
import VigilAdherence
import VigilModel
import VigilStorage

@testable import VigilPostgres

/// An app that keeps medications has tables of its own for them, often under the same names.
extension PostgresStorageSchemaTests {
  private static let names = [
    "medications", "schedules", "dose_history", "timezone_events", "schedule_adjustments",
  ]

  private static let ownTables = """
    CREATE TYPE kind AS ENUM ('timeBased', 'intervalBased', 'asNeeded');
    CREATE TABLE medications (
      id uuid, user_id uuid, start_date date, end_date date, is_active boolean, is_deleted boolean,
      nickname text
    );
    CREATE TABLE schedules (
      id uuid, medication_id uuid, type kind, reference_timezone varchar(100), is_active boolean,
      start_date date, end_date date, time_based_times text[], time_based_days_of_week integer[],
      interval_based_hours real
    );
    CREATE TABLE app_doses (
      id uuid, medication_id uuid, status text, at timestamp, zone text
    );
    CREATE VIEW dose_history AS
      SELECT id, medication_id, NULL::uuid AS schedule_id, status, NULL::timestamptz AS scheduled_time,
        at AS actual_time, zone AS recorded_timezone
      FROM app_doses;
    INSERT INTO medications VALUES (
      '\(FamilySchema.id(7))', '\(FamilySchema.id(1))', '2026-01-01', NULL, TRUE, FALSE, 'x'
    );
    """

  /// Kind, forced row-level security, policies, and who may read.
  private func inputs(in schema: PostgresSchema) throws -> [String] {
    try SchemaSession(schema).lines(
      """
      SELECT relname, relkind::text, relforcerowsecurity,
        (SELECT count(*) FROM pg_policy WHERE polrelid = pg_class.oid),
        has_table_privilege('vigil_engine', pg_class.oid, 'SELECT'),
        has_table_privilege('vigil_reader', pg_class.oid, 'SELECT')
      FROM pg_class
      WHERE relnamespace = quote_ident(current_schema())::regnamespace
        AND relname = ANY ('{\(Self.names.joined(separator: ","))}')
      ORDER BY relname
      """)
  }

  @Test("an app's tables of medications are read as they are, and outlive the way down")
  func takesMedications() throws {
    let schema = try schema(with: Self.ownTables)
    try migrateUpAndDown(schema)
    #expect(
      try inputs(in: schema) == [
        "dose_history v f 0 t f", "medications r f 0 t f", "schedule_adjustments r t 4 t t",
        "schedules r f 0 t f", "timezone_events r t 4 t t",
      ])
    #expect(try storage(schema).diagnose().allSatisfy { $0.status != .failure })
    #expect(
      try SchemaSession(schema).lines("SELECT nickname FROM medications") == ["x"])
  }

  @Test("something under the name of a medication table that cannot be read is an error")
  func refusesOtherMedications() throws {
    let schema = try schema(with: "CREATE SEQUENCE dose_history")
    let error = try #require(throws: StorageError.self) {
      try storage(schema).migrate(at: Self.now)
    }
    #expect(error.message.contains("dose_history, which is neither a table nor"))
  }

  /// The smallest tables of an app with the medications of persons.
  private static let leastTables = """
    CREATE TABLE medications (id uuid, user_id uuid, start_date date);
    CREATE TABLE schedules (
      id uuid, medication_id uuid, type text, reference_timezone text, start_date date,
      time_based_times text[]
    );
    CREATE TABLE dose_history (
      id uuid, medication_id uuid, status text, recorded_timezone text, actual_time timestamp
    );
    INSERT INTO medications VALUES (
      '\(FamilySchema.id(7))', '\(FamilySchema.id(1))', '2026-01-01'
    ), (
      '\(FamilySchema.id(8))', '\(FamilySchema.id(2))', '2026-01-01'
    );
    INSERT INTO schedules VALUES (
      '\(FamilySchema.id(6))', '\(FamilySchema.id(7))', 'timeBased', 'Europe/Madrid', '2026-01-01',
      '{08:00}'
    );
    INSERT INTO dose_history VALUES (
      '\(FamilySchema.id(5))', '\(FamilySchema.id(8))', 'taken', 'Europe/Madrid',
      '2026-02-02T07:00:00'
    );
    """

  @Test("columns that an app's tables can do without count as empty")
  func doesWithoutColumns() throws {
    let schema = try schema(with: Self.leastTables)
    let storage = try storage(schema)
    _ = try storage.migrate(at: Self.now)
    #expect(storage.diagnose().filter { $0.check == "inputs" }.map(\.status) == [.ok])
    let people = [1, 2].compactMap { UUID(uuidString: FamilySchema.id($0)) }
    try execute(
      """
      INSERT INTO users (id, created_at, updated_at)
      SELECT user_id, now(), now() FROM medications
      """, in: schema)
    let day = try #require(Day("2026-02-02"))
    // The first has a schedule without an end, the second a dose on that day.
    #expect(try storage.persons(withDataIn: day...day) == people)
    #expect(try storage.persons(withDataIn: (day + 1)...(day + 2)) == [people[0]])
    let rows = MedicationRows(zones: .system)
    let now = (day + 1).midnight
    rows.begin(people, evaluatedAt: now)
    try storage.makeReader().readMedications(of: people, doses: day.midnight...now, into: rows)
    #expect(rows.block.medicationCount == 2)
    #expect(rows.schedules.count == 1)
    #expect(rows.block.recordCount == 1)
    #expect(rows.unusable.isEmpty)
    try execute(
      """
      INSERT INTO schedules VALUES (
        '\(FamilySchema.id(4))', '\(FamilySchema.id(8))', 'timeBased', 'Europe/Madrid', '2026-01-01',
        '{08:00}'
      )
      """, in: schema)
    #expect(try storage.doseSendersByDay(in: day...(day + 1), limit: 9) == [day: 1])
    #expect(try storage.doseSendersByDay(in: day...(day + 1), limit: 1).isEmpty)
  }

  @Test(
    "persons who send doses are counted by planned times without a zone, and by flags that may be empty"
  )
  func countsSenders() throws {
    let schema = try schema(
      with: Self.leastTables + """
        ALTER TABLE medications ADD is_active boolean;
        ALTER TABLE schedules ADD is_active boolean;
        ALTER TABLE dose_history ADD scheduled_time timestamp;
        UPDATE dose_history SET scheduled_time = '2026-02-01T23:59:59';
        ALTER TABLE dose_history DROP actual_time;
        UPDATE schedules SET medication_id = '\(FamilySchema.id(8))';
        """)
    let storage = try storage(schema)
    _ = try storage.migrate(at: Self.now)
    try execute(
      "INSERT INTO users (id, created_at, updated_at) SELECT user_id, now(), now() FROM medications",
      in: schema)
    let day = try #require(Day("2026-02-01"))
    #expect(try storage.doseSendersByDay(in: day...(day + 1), limit: 9) == [day: 1])
    try execute("UPDATE medications SET is_active = FALSE", in: schema)
    #expect(try storage.doseSendersByDay(in: day...(day + 1), limit: 9).isEmpty)
  }

  @Test("doses without any time are an error that the doctor names")
  func missesTimes() throws {
    let schema = try schema(
      with: Self.leastTables + "ALTER TABLE dose_history DROP COLUMN actual_time")
    let storage = try storage(schema)
    _ = try storage.migrate(at: Self.now)
    let failures = storage.diagnose().filter { $0.status == .failure }
    #expect(
      failures.map(\.detail) == [
        "dose_history has neither scheduled_time nor actual_time: no dose has a time"
      ])
    try execute(
      """
      INSERT INTO users (id, created_at, updated_at)
      SELECT user_id, now(), now() FROM medications
      """, in: schema)
    #expect(try storage.persons(withDataIn: Self.february).count == 1)
    #expect(try storage.doseSendersByDay(in: Self.february, limit: 9).isEmpty)
  }

  private static let february = Day(ordinal: 20_485)...Day(ordinal: 20_512)

  @Test("a column of a type that a run cannot read is named by the doctor")
  func namesColumns() throws {
    let schema = try schema(
      with: Self.ownTables + "ALTER TABLE medications ALTER COLUMN start_date TYPE text")
    let storage = try storage(schema)
    _ = try storage.migrate(at: Self.now)
    let failures = storage.diagnose().filter { $0.status == .failure }
    #expect(failures.map(\.detail) == ["medications.start_date is text, not date"])
  }
}

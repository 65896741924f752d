import Foundation
import PostgresTestServer
import Testing
import VigilModel
import VigilStorage

@testable import VigilPostgres

/// An app that keeps medications has tables of its own for them, often under the same names.
extension ExistingSchemaTests {
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
        "dose_history v f 0 t f", "medications r f 0 t f", "schedule_adjustments r t 3 t t",
        "schedules r f 0 t f", "timezone_events r t 3 t t",
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

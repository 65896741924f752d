import Foundation
import PostgresTestServer
import TestDatabases
import Testing
import VigilModel
import VigilSQL
import VigilStorage

@testable import VigilPostgres

@Suite("PostgreSQL: how doses are found")
struct DoseSelectTests {
  private static let medication = "00000000-0000-4000-8000-000000000007"
  private static let ids = [UUID(uuidString: medication) ?? UUID()]

  private static func select(_ connection: Connection) throws -> DoseSelect {
    try DoseSelect(MedicationSelect(.doseHistory, on: connection, database: "test"))
  }

  /// The query of the COPY for one way.
  private static func sql(
    of way: DoseSelect.Way, _ select: DoseSelect, _ times: ClosedRange<Timestamp>,
    in fixture: PostgresFixture
  ) -> String {
    let library = StatementLibrary(schema: fixture.schema.name, dialect: .postgres)
    let copy = library.statement(
      way.copying,
      select.fillings(
        medications: ids, from: [times.lowerBound], through: times.upperBound)
    ).sql
    return String(copy.dropFirst("COPY (".count).dropLast(") TO STDOUT (FORMAT binary)".count))
  }

  private func connection(to fixture: PostgresFixture) throws -> Connection {
    let storage = try PostgresStorage(url: fixture.schema.url, schema: fixture.schema.name)
    return try storage.openConnection(purpose: "vigil test")
  }

  /// An app's table, filled with doses of a medication around noon of 15 January 2026.
  private func fill(_ fixture: PostgresFixture, type: String) throws {
    try fixture.execute(
      """
      DROP TABLE dose_history CASCADE;
      CREATE TABLE dose_history (
        id uuid, medication_id uuid, schedule_id uuid, status text, scheduled_time \(type),
        actual_time \(type), recorded_timezone text, created_at timestamptz
      );
      GRANT SELECT ON dose_history TO vigil;
      INSERT INTO dose_history
      SELECT gen_random_uuid(), '\(Self.medication)', NULL, 'taken', scheduled, actual, 'UTC', now()
      FROM (VALUES
        (NULL), ('infinity'), ('-infinity'), ('2026-01-14 11:59'), ('2026-01-14 12:00'),
        ('2026-01-15 12:00'), ('2026-01-16 12:00'), ('2026-01-16 12:01'), ('2020-01-01 00:00')
      ) AS due (text), (VALUES
        (NULL), ('infinity'), ('-infinity'), ('2026-01-14 12:00'), ('2026-01-15 12:00'),
        ('2026-01-16 12:01'), ('2026-02-01 00:00')
      ) AS taken (text),
      LATERAL (SELECT due.text::\(type) AS scheduled, taken.text::\(type) AS actual) AS times;
      """)
  }

  @Test(
    "both ways find the same doses, infinite times among them",
    arguments: ["timestamptz", "timestamp", "timestamptz(3)"])
  func sameRows(type: String) throws {
    let fixture = try PostgresFixture()
    try fill(fixture, type: type)
    let select = try Self.select(connection(to: fixture))
    #expect(select.ways == [.together, .apart])
    let noon = try #require(Timestamp("2026-01-15T12:00:00Z"))
    for (first, last) in [(0, 0), (-24, 24), (-24, -24), (0, 25), (-100_000, 0)] as [(Int64, Int64)]
    {
      let times = noon.adding(seconds: first * 3_600)...noon.adding(seconds: last * 3_600)
      let found = try select.ways.map { way in
        let sql = Self.sql(of: way, select, times, in: fixture)
        return try fixture.strings("SELECT dose::text FROM (\(sql)) AS dose ORDER BY 1")
      }
      #expect(found[0] == found[1])
      #expect(!found[0].isEmpty)
    }
  }

  @Test("a time zone that no index takes is refused")
  func longTimeZone() throws {
    let fixture = try PostgresFixture()
    let dose = """
      INSERT INTO dose_history (
        id, medication_id, status, scheduled_time, recorded_timezone, created_at, updated_at
      ) VALUES (gen_random_uuid(), gen_random_uuid(), 'missed', now(), repeat('x', 256), now(), now())
      """
    try fixture.execute("ALTER TABLE dose_history DROP CONSTRAINT dose_history_medication")
    #expect { try fixture.execute(dose) } throws: {
      "\($0)".contains("dose_history_timezone_not_too_long")
    }
  }

  @Test("times of two types, or of none, are compared in one scan")
  func otherTypes() throws {
    let fixture = try PostgresFixture()
    try fill(fixture, type: "timestamptz")
    try fixture.execute("ALTER TABLE dose_history ALTER COLUMN actual_time TYPE timestamp")
    #expect(try Self.select(connection(to: fixture)).ways == [.together])
    try fixture.execute("ALTER TABLE dose_history DROP COLUMN actual_time")
    #expect(try Self.select(connection(to: fixture)).ways == [.together])
  }

  @Test("a table without the indexes is scanned once, Vigil's own by index and not at all")
  func cheapest() throws {
    let noon = try #require(Timestamp("2026-01-15T12:00:00Z"))
    let times = noon...noon.adding(seconds: 86_400)
    // What others have open on a shared server decides what VACUUM may take for visible to all.
    let own = try PostgresFixture(on: .migrated())
    try own.execute(
      """
      ALTER TABLE dose_history DROP CONSTRAINT dose_history_medication;
      INSERT INTO dose_history (
        id, medication_id, status, scheduled_time, actual_time, recorded_timezone, created_at,
        updated_at
      )
      SELECT gen_random_uuid(), ('00000000-0000-4000-8000-' || lpad((n % 100)::text, 12, '0'))::uuid,
        'taken', due, due, 'UTC', due, due
      FROM generate_series(0, 19999) AS n,
        LATERAL (SELECT timestamptz '2025-10-01' + make_interval(mins => n * 15) AS due) AS dose
      """)
    try own.execute("ANALYZE dose_history")
    // What is read is in the index, if the table need not be asked what is visible.
    try own.execute("VACUUM dose_history")
    let (connection, select) = try (connection(to: own), Self.select(connection(to: own)))
    #expect(
      try select.cheapestWay(
        for: Self.ids, from: [times.lowerBound], through: times.upperBound, on: connection)
        == .apart)
    // Row-level security does not keep the engine from it.
    let sql = Self.sql(of: .apart, select, times, in: own)
    let plan = try own.strings(
      "SET ROLE vigil_engine; EXPLAIN (COSTS OFF) \(sql)"
    ).compactMap { $0 }.joined(separator: "\n")
    #expect(plan.contains("Index Only Scan using dose_history_by_medication"), "\(plan)")
    #expect(plan.contains("dose_history_off_schedule"), "\(plan)")
    #expect(!plan.contains("Seq Scan"), "\(plan)")

    let other = try PostgresFixture()
    try fill(other, type: "timestamptz")
    let way = try Self.select(self.connection(to: other))
      .cheapestWay(
        for: Self.ids, from: [times.lowerBound], through: times.upperBound,
        on: self.connection(to: other))
    #expect(way == .together)
  }
}

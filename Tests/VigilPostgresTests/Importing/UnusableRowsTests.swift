import Foundation
import PostgresTestServer
import Testing
import VigilModel
import VigilPostgres
import VigilStorage

/// Views bring rows that Vigil's own tables would refuse.
@Suite("PostgreSQL: unusable rows of views")
struct UnusableRowsTests {
  private static let now = Timestamp(microseconds: 0)

  /// Calls `body` with a migrated schema whose inputs are views.
  ///
  /// - Parameter rows: A VALUES list of person, day and source.
  private func withViews(
    of rows: String, _ body: (PostgresSchema, any Storage) throws -> Void
  ) throws {
    let schema = try PostgresSchema()
    try PostgresSession(url: schema.url).execute("CREATE SCHEMA \(schema.quotedName)")
    try PostgresSession(url: schema.url, schema: schema.name).execute(
      """
      CREATE TABLE person (number uuid PRIMARY KEY);
      INSERT INTO person VALUES ('\(FamilySchema.id(1))'), ('\(FamilySchema.id(2))');
      CREATE TABLE watch (person uuid, day date, device text);
      CREATE INDEX ON watch (person, day, device);
      INSERT INTO watch VALUES \(rows);
      CREATE VIEW users AS SELECT number AS id, NULL::text AS external_id FROM person;
      CREATE VIEW wearable_daily_metrics AS
        SELECT person AS user_id, day AS metric_date, device AS source, 1000.0::numeric AS steps
        FROM watch;
      """)
    let storage = try PostgresStorage(url: schema.url, schema: schema.name)
    _ = try storage.migrate(at: Self.now)
    try withExtendedLifetime(schema) { try body(schema, storage) }
  }

  private let days = Day(ordinal: 20_454)...Day(ordinal: 20_484)  // 2026-01-01 to 2026-01-31

  private func texts(_ rows: UnusableRows) -> [String] {
    rows.counts.map { "\($0.table) \($0.reason.rawValue) \($0.count)" }
  }

  @Test("what a view brings without a person or a date is found, and other rows are not")
  func views() throws {
    let (one, two, stranger) = (FamilySchema.id(1), FamilySchema.id(2), FamilySchema.id(9))
    try withViews(
      of: """
        ('\(one)', '2026-01-05', 'watch'), ('\(one)', '2026-01-06', NULL),
        ('\(one)', NULL, 'watch'), ('\(one)', 'infinity', 'watch'),
        ('\(two)', '-infinity', 'watch'), ('\(two)', '0044-03-15 BC', 'sundial'),
        ('\(two)', '2026-01-07', 'watch'), ('\(two)', '10000-01-01', 'watch'),
        (NULL, '2026-01-08', 'watch'), (NULL, '2025-12-31', 'watch'), (NULL, NULL, NULL),
        ('\(stranger)', '2026-01-09', 'watch'), ('\(stranger)', '2025-12-31', 'watch'),
        ('\(stranger)', NULL, 'watch')
        """
    ) { _, storage in
      let rows = try storage.unusableRows(in: days)
      #expect(
        texts(rows) == [
          "wearable_daily_metrics no_person 2", "wearable_daily_metrics unknown_person 1",
          "wearable_daily_metrics no_date 2", "wearable_daily_metrics impossible_date 4",
        ])
      #expect(
        Set(rows.details.map(\.key)) == [
          ",2026-01-08,watch", ",,", "\(stranger),2026-01-09,watch", "\(stranger),,watch",
          "\(one),,watch", "\(one),infinity,watch", "\(two),-infinity,watch",
          "\(two),0044-03-15 BC,sundial", "\(two),10000-01-01,watch",
        ])
      // A row without a source can be used.
      let reader = try storage.makeReader()
      let sink = Sink()
      let ignored = try reader.readMetrics(
        of: try storage.persons(withDataIn: days), days: days, metrics: [MetricType("steps")],
        reportsWear: false, into: sink)
      #expect(ignored.isEmpty)
      #expect(sink.count == 3)
    }
  }

  @Test("rows that a view has twice are counted twice and listed once")
  func duplicates() throws {
    try withViews(of: "(NULL, '2026-01-08', 'watch'), (NULL, '2026-01-08', 'watch')") {
      schema, storage in
      let rows = try storage.unusableRows(in: days)
      #expect(rows.count == 2)
      try storage.quarantine(
        rows.details.map { $0.quarantined(by: UUID(name: "run")) }, at: Self.now)
      #expect(
        try SchemaSession(schema).lines("SELECT reason, row_key FROM quarantined_rows")
          == ["no_person ,2026-01-08,watch"])
    }
  }

  @Test("nothing is asked of tables whose constraints rule it out")
  func constraints() throws {
    let fixture = try PostgresFixture()
    // A query that looked at the rows would have to wait.
    let other = try fixture.schema.session()
    try other.execute(
      "BEGIN; LOCK TABLE wearable_daily_metrics, exercise_sessions IN ACCESS EXCLUSIVE MODE")
    #expect(try fixture.storage.unusableRows(in: days).isEmpty)
    try other.execute("ROLLBACK")
    // A constraint that was never checked promises nothing about the rows before it.
    try fixture.executeWithoutReferences(
      """
      INSERT INTO wearable_daily_metrics (user_id, metric_date, source, created_at, updated_at)
        VALUES ('\(FamilySchema.id(9))', '2026-01-09', 'watch', now(), now());
      ALTER TABLE wearable_daily_metrics ADD CONSTRAINT wearable_daily_metrics_user
        FOREIGN KEY (user_id) REFERENCES users (id) NOT VALID
      """)
    #expect(
      texts(try fixture.storage.unusableRows(in: days))
        == ["wearable_daily_metrics unknown_person 1"])
  }

  private final class Sink: MetricRowSink {
    var count = 0

    func index(ofSource name: String) -> Int { 0 }

    func append(
      person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>,
      isOtherPositive: Bool, updatedAt: Timestamp?
    ) {
      count += 1
    }
  }
}

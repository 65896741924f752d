import PostgresTestServer
import Testing
import VigilModel
import VigilSQL
import VigilStorage

@testable import VigilPostgres

/// Changes of tables of which copies are kept.
extension PostgresStorageSchemaTests {
  private static let day = Day(ordinal: 20_512)

  private struct Change: CustomTestStringConvertible {
    let subject: HistorySubject
    let change: String
    let back: String
    var testDescription: String { change }
  }

  private static let changes = [
    Change(
      subject: .doses, change: "ALTER TABLE dose_history DROP actual_time CASCADE",
      back: "ALTER TABLE dose_history ADD actual_time timestamptz"),
    Change(
      subject: .doses, change: "ALTER TABLE dose_history RENAME scheduled_time TO planned",
      back: "ALTER TABLE dose_history RENAME planned TO scheduled_time"),
    Change(
      subject: .metrics,
      change: "ALTER TABLE wearable_daily_metrics RENAME metric_date TO measured_on",
      back: "ALTER TABLE wearable_daily_metrics RENAME measured_on TO metric_date"),
    Change(
      subject: .doses,
      change:
        "ALTER TABLE dose_history DROP medication_id CASCADE, ADD medication_id text DEFAULT 'x'",
      back: "ALTER TABLE dose_history DROP medication_id, ADD medication_id uuid"),
    Change(
      subject: .metrics,
      change:
        "ALTER TABLE wearable_daily_metrics DROP user_id CASCADE, ADD user_id text DEFAULT 'one'",
      back: "ALTER TABLE wearable_daily_metrics DROP user_id, ADD user_id uuid"),
  ]

  private static let rows = """
    INSERT INTO users (id, created_at, updated_at) VALUES ('\(FamilySchema.id(1))', now(), now());
    INSERT INTO medications (id, user_id, name, dosage, form, start_date, created_at, updated_at)
    VALUES (
      '\(FamilySchema.id(7))', '\(FamilySchema.id(1))', 'x', '1', 'pill', '2026-01-01', now(), now()
    );
    INSERT INTO dose_history (
      id, medication_id, status, scheduled_time, recorded_timezone, created_at, updated_at
    ) VALUES (
      '\(FamilySchema.id(8))', '\(FamilySchema.id(7))', 'missed', now(), 'UTC', now(), now()
    );
    INSERT INTO wearable_daily_metrics (user_id, metric_date, source, created_at, updated_at)
    VALUES ('\(FamilySchema.id(1))', '2026-02-01', 'watch', now(), now());
    """

  @Test(
    "a table that loses a column or its type is written, and copied again when it has it back",
    arguments: changes)
  private func outlivesCopies(_ change: Change) throws {
    let schema = try schema()
    let storage = try storage(schema)
    _ = try storage.migrate(at: Self.now)
    try execute(Self.rows, in: schema)
    func prepareHistory() throws {
      _ = try storage.withRunSession { try $0.prepareHistory(through: Self.day) }
    }
    func changed() throws -> [String] {
      try SchemaSession(schema).lines(
        "SELECT subject, owners IS NULL FROM history_changes ORDER BY id")
    }
    func kept() throws -> [String] {
      try SchemaSession(schema).lines(
        "SELECT is_kept FROM history_state WHERE subject = '\(change.subject.rawValue)'")
    }
    try prepareHistory()
    #expect(try kept() == ["t"])
    try execute(change.change, in: schema)
    try execute("UPDATE \(change.subject.source) SET updated_at = now()", in: schema)
    try execute("DELETE FROM \(change.subject.source)", in: schema)
    #expect(try Set(changed()) == ["\(change.subject.rawValue) t"])
    try prepareHistory()
    #expect(try kept() == ["f"])
    #expect(try changed().isEmpty)
    try execute(change.back, in: schema)
    try prepareHistory()
    #expect(try kept() == ["t"])
  }
}

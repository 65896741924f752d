import Foundation
import PostgresTestServer
import StorageConformance
import Testing
import VigilModel
import VigilPostgres
import VigilStorage

/// A migrated schema in which each action of a member is carried out twice.
///
/// The library does it here, and the function for apps in a copy of the schema. Afterwards every table of the two
/// must have the same rows.
struct ActionsTwinFixture: StorageFixture {
  let fixture: PostgresFixture
  let twin: ActionsTwin

  init() throws {
    fixture = try PostgresFixture()
    twin = try ActionsTwin(of: fixture)
  }

  var storage: any Storage { twin }
  func reopened() throws -> any Storage { try fixture.reopened() }
  func execute(_ sql: String) throws { try fixture.execute(sql) }
  func executeWithoutReferences(_ sql: String) throws {
    try fixture.executeWithoutReferences(sql)
  }
  func strings(_ sql: String) throws -> [String?] { try fixture.strings(sql) }
}

struct ActionsTwin: ForwardingStorage {
  let base: any Storage
  private let schema: PostgresSchema
  /// Has the copy.
  private let other: PostgresSchema

  init(of fixture: PostgresFixture) throws {
    base = fixture.storage
    schema = fixture.schema
    other = try PostgresFixture().schema
  }

  func carryOut(_ action: AlertAction) throws -> AlertActionOutcome {
    let refusal = try callFunction(action)
    return try compare(refusal) { try base.carryOut(action) }
  }

  func markRead(_ alert: UUID, by member: UUID, at now: Timestamp) throws -> [AlertRead] {
    let refusal = try call(
      "vigil_mark_alert_read('\(alert.lowercased)', '\(now)')", by: member)
    return try compare(refusal) { try base.markRead(alert, by: member, at: now) }
  }

  func record(_ checkIn: CheckIn) throws {
    let refusal = try call(
      "vigil_check_in('\(checkIn.kind.rawValue)', '\(checkIn.at)')", by: checkIn.person)
    return try compare(refusal, unknown: "42501") { try base.record(checkIn) }
  }

  private func callFunction(_ action: AlertAction) throws -> String? {
    let until: Day? = if case .snooze(let day) = action.kind { day } else { nil }
    return try call(
      """
      vigil_act_on_alert(
        '\(action.alert.lowercased)', '\(action.kind.word.rawValue)',
        \(until.map { "'\($0)'" } ?? "NULL"), '\(action.at)')
      """, by: action.actor)
  }

  /// Copies the schema and calls a function there; returns how it was refused.
  private func call(_ function: String, by member: UUID) throws -> String? {
    let tables = try Self.tables(of: other)
    try other.session().execute("TRUNCATE \(tables.joined(separator: ", ")) CASCADE")
    try other.copyRows(of: schema)
    let session = try SchemaSession(other)
    try session.execute("SET app.current_user_id = '\(member.lowercased)'")
    return try session.refusal(of: "SELECT * FROM \(function)")
  }

  private func compare<Outcome>(
    _ refusal: String?, unknown: String = "P0002", with library: () throws -> Outcome
  ) throws -> Outcome {
    let outcome = Result { try library() }
    let state = refusal.map { $0.prefix(5) }
    switch outcome {
    case .success: #expect(refusal == nil)
    case .failure(let error as StorageError) where error.code == .ended:
      #expect(state == "55000")
    // To an app an alert of others is one that there is not.
    case .failure: #expect(state.map(String.init) == unknown)
    }
    try Self.expectSameRows(schema, other)
    return try outcome.get()
  }

  private static func tables(of schema: PostgresSchema) throws -> [String] {
    try SchemaSession(schema).lines(
      """
      SELECT quote_ident(relname) FROM pg_class
      WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
        AND relkind = 'r' AND relname <> 'schema_migrations'
      ORDER BY relname
      """)
  }

  /// Compares two schemas table by table.
  static func expectSameRows(_ schema: PostgresSchema, _ other: PostgresSchema) throws {
    let (first, second) = (try SchemaSession(schema), try SchemaSession(other))
    for table in try tables(of: schema) {
      let rows = "SELECT one::text FROM \(table) AS one ORDER BY 1"
      let (expected, found) = (try first.lines(rows), try second.lines(rows))
      #expect(found == expected, "\(table)")
    }
  }
}

@Suite("PostgreSQL: the functions for apps do what the library does")
struct ActionsTwinTests {
  @Test("each action of the contract", arguments: ConformanceCheck.actions)
  func contract(_ check: ConformanceCheck) throws {
    try check.run(ActionsTwinFixture())
  }
}

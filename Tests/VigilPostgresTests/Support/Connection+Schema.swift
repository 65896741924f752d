import VigilSQL

@testable import VigilPostgres

extension Connection {
  /// Connects with statements of its own for a schema.
  static func open(
    _ target: ConnectionTarget, schema: String, purpose: String
  ) throws -> Connection {
    try open(
      target, statements: StatementLibrary(schema: schema, dialect: .postgres), purpose: purpose)
  }

  /// Runs a statement of a test.
  func run(_ sql: String, _ parameters: Parameters = Parameters()) throws -> QueryResult {
    try run(rendered: statements.script(sql), parameters)
  }

  func rows<Row>(
    _ sql: String, _ parameters: Parameters, place: ResultRow.Place,
    _ decode: (inout ResultRow) throws -> Row
  ) throws -> [Row] {
    try rows(of: run(sql, parameters), place: place, decode)
  }

  /// The first column of the first row, which is text.
  func text(_ sql: String) throws -> String {
    try run(sql).text(0, 0)
  }
}

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
}

import Foundation
import VigilModel
public import VigilSQL
import VigilStorage

/// One connection to a server, in or outside of a transaction.
public struct PostgresSession: SQLSession {
  let connection: Connection
  /// As messages name it.
  let database: String

  public var statements: StatementLibrary { connection.statements }

  public func execute(_ statement: RenderedStatement, _ values: [SQLValue]) throws -> Int {
    do {
      return try connection.run(statement, Parameters(values)).affectedRows
    } catch let error as PostgresError where !error.isTransient {
      throw StorageError(error, database: database, table: statement.table)
    }
  }

  public func rows<Result>(
    _ statement: RenderedStatement, _ values: [SQLValue],
    _ decode: (inout ResultRow) throws -> Result
  ) throws -> [Result] {
    try connection.rows(
      of: connection.run(statement, Parameters(values)),
      place: .init(database: database, table: statement.table), decode)
  }

  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.savepoint(body)
  }
}

public import Foundation
import VigilSQL
public import VigilStorage

extension PostgresStorage {
  public func withSession<Result>(_ body: (PostgresSession) throws -> Result) throws -> Result {
    try withConnection { try body(PostgresSession(connection: $0, database: displayName)) }
  }

  public func withTransaction<Result>(
    on table: String, _ body: (PostgresSession) throws -> Result
  ) throws -> Result {
    try transaction(table: table) { connection in
      try body(PostgresSession(connection: connection, database: displayName))
    }
  }

  /// One at a time: shards that begin or end together derive the run's row from the same rows.
  public func withRunSession<Result>(_ body: (PostgresSession) throws -> Result) throws -> Result {
    try transaction(table: RunRow.table) { connection in
      try connection.run(ConnectionStatement.lockRuns)
      return try body(PostgresSession(connection: connection, database: displayName))
    }
  }

  public func withErasureSession<Result>(
    _ body: (PostgresSession) throws -> Result
  ) throws -> Result {
    try withRunSession(body)
  }

  public func traces(of person: UUID) throws -> [PersonTrace] { try tableTraces(of: person) }

  /// A server overwrites removed rows when it needs their place (`VACUUM`).
  public func overwriteRemovedRows(of person: UUID) throws {}
}

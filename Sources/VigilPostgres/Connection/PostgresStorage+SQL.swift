import VigilSQL
import VigilStorage

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
}

import VigilSQL
import VigilStorage

extension SQLiteStorage {
  public func withSession<Result>(_ body: (SQLiteSession) throws -> Result) throws -> Result {
    try read { try body(SQLiteSession(db: $0, file: file)) }
  }

  public func withTransaction<Result>(
    on table: String, _ body: (SQLiteSession) throws -> Result
  ) throws -> Result {
    try write(table: table) { try body(SQLiteSession(db: $0, file: file)) }
  }

  /// A transaction that writes is the only one that does.
  public func withRunSession<Result>(_ body: (SQLiteSession) throws -> Result) throws -> Result {
    try write(table: RunRow.table) { try body(SQLiteSession(db: $0, file: file)) }
  }
}

public import Foundation
public import VigilStorage

/// A database that speaks SQL: drivers offer sessions, and what named statements do follows.
///
/// A driver that does something in another way, such as in bulk, has a method of its own for it.
public protocol SQLStorage: Storage {
  associatedtype Session: SQLSession

  /// Runs `body` on a connection, outside of the transactions of `withRunSession`.
  func withSession<Result>(_ body: (Session) throws -> Result) throws -> Result

  /// Runs `body` in one transaction that no other process shares; it commits when `body` returns and rolls
  /// back when it throws. `body` may be run again when the connection was lost.
  func withRunSession<Result>(_ body: (Session) throws -> Result) throws -> Result

  /// Runs `body` in one transaction, which others may run beside where the database allows it; commits,
  /// rolls back and may run `body` again as `withRunSession` does.
  ///
  /// - Parameters:
  ///   - table: The table that is written to, for messages.
  ///   - body: Reads and writes.
  func withTransaction<Result>(
    on table: String, _ body: (Session) throws -> Result
  ) throws -> Result

  /// The same as `withRunSession`, for the erasure of a person: what it removes is overwritten where the database is a
  /// file.
  func withErasureSession<Result>(_ body: (Session) throws -> Result) throws -> Result
}

// MARK: Runs

extension SQLStorage {
  public func withRuns<Result>(_ body: (any RunTransaction) throws -> Result) throws -> Result {
    try withRunSession { try body(SQLRunTransaction(session: $0)) }
  }

  public func runs(limit: Int) throws -> [RunRecord] {
    try withSession { session in
      try session.rows(RunStatement.listNewestRuns, max(0, limit)) { try RunRow.decode(&$0) }
    }
  }

  public func run(id: UUID) throws -> RunRecord? {
    try withSession { try SQLRunTransaction(session: $0).run(id) }
  }

  public func databaseProfiles() throws -> [DatabaseProfile] {
    try withSession { try $0.databaseProfiles() }
  }

  public func activeProfiles() throws -> [ActiveProfile] {
    try withSession { try $0.activeProfiles() }
  }
}

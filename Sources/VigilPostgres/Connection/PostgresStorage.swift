import Foundation
import Synchronization
import VigilModel
public import VigilSQL
import VigilStorage

/// A Vigil database in one schema of a PostgreSQL server.
///
/// ```swift
/// import VigilSQL
/// import VigilStorage
///
/// let storage = try PostgresStorage(url: "postgres://vigil@db.example.org/health", schema: "vigil")
/// try storage.requireCurrentSchema()
/// let failed = try storage.runs(limit: 10).filter { $0.status == .failed }
/// print(failed.count)  // 0
/// ```
///
/// Connections are opened as they are needed. An operation that fails because the connection was
/// lost, or because another transaction got in its way, is tried again for as long as the retry
/// time; every one of them can be repeated without harm.
public final class PostgresStorage: SQLStorage {
  public let displayName: String
  let target: ConnectionTarget
  let schema: String
  /// Shared by all connections.
  let statements: StatementLibrary
  let retry: RetryPolicy
  let pool: ConnectionPool
  /// The lock of the run that writes through this object.
  let runLock = Mutex<WeakLock>(WeakLock())

  /// The `application_name` of ordinary sessions.
  static let purpose = "vigil"

  struct WeakLock {
    weak var lock: TableRunLock?
  }

  /// Connects once, so that what is wrong with the URL or the login is known at once.
  ///
  /// A server that is away is waited for, as later on.
  ///
  /// - Parameters:
  ///   - url: `postgres://...`, completed by the environment and libpq's files.
  ///   - schema: Where Vigil's tables, and the input tables or views, are.
  ///   - retryTimeout: For how long a server that is away, or a lost connection, is waited for.
  ///   - waiting: Called before this waits, with the database as messages name it and what is wrong.
  /// - Throws: `StorageError` with `.unreachable`, `.notFound` or `.permissionDenied`.
  public init(
    url: String, schema: String = "public", retryTimeout: Duration = .seconds(60),
    waiting: (_ database: String, _ reason: String) -> Void = { _, _ in }
  ) throws {
    guard !schema.isEmpty, schema.utf8.count < 64, !schema.utf8.contains(0) else {
      throw StorageError(
        .notFound, "the schema name has to have from 1 to 63 bytes, none of them 0",
        remedy: .correctSchema)
    }
    let target = try ConnectionTarget(url: url)
    self.target = target
    self.schema = schema
    displayName = target.displayName
    retry = RetryPolicy(timeout: retryTimeout)
    let statements = StatementLibrary(schema: schema, dialect: .postgres)
    self.statements = statements
    pool = ConnectionPool {
      try Connection.open(target, statements: statements, purpose: Self.purpose)
    }
    do {
      // A wrong host shall not cost a minute.
      try retry.run(
        if: \.isServerAway, waiting: { [displayName] in waiting(displayName, $0.message) }
      ) { try pool.withConnection { _ in } }
    } catch let error as PostgresError where error.sqlState == nil {
      throw StorageError(
        .unreachable, "\(displayName) cannot be reached: \(error.message)",
        remedy: "check the URL, that the server is up, and what libpq reads (PGPASSFILE, sslmode)")
    } catch let error as PostgresError {
      throw StorageError(error, database: displayName).asUnreachable
    }
  }

  /// Opens a connection that belongs to its caller alone.
  func openConnection(purpose: String) throws -> Connection {
    try Connection.open(target, statements: statements, purpose: purpose)
  }

  /// Runs `body` on a connection of the pool, again where that may help, and turns what the server
  /// says into a `StorageError`.
  ///
  /// - Parameter table: The table that is written to, for messages.
  func withConnection<Result>(
    table: String? = nil, _ body: (Connection) throws -> Result
  ) throws -> Result {
    do {
      return try retry.run { try pool.withConnection(body) }
    } catch let error as PostgresError {
      throw StorageError(error, database: displayName, table: table).asUnreachable
    }
  }

  /// The same in a transaction.
  func transaction<Result>(
    table: String? = nil, _ body: (Connection) throws -> Result
  ) throws -> Result {
    try withConnection(table: table) { connection in
      try connection.transaction { try body(connection) }
    }
  }
}

extension Connection {
  /// Reads all rows of a named query.
  ///
  /// - Parameters:
  ///   - fillings: Those of the marks that the query leaves open.
  ///   - database: As messages about a value name it.
  func rows<Row>(
    _ name: some StatementName, _ parameters: Parameters = Parameters(),
    _ fillings: SQLFillings = [:], database: String, _ decode: (inout ResultRow) throws -> Row
  ) throws -> [Row] {
    let statement = statements.statement(name, fillings)
    return try rows(
      of: run(statement, parameters), place: .init(database: database, table: statement.table),
      decode)
  }

  /// Goes through the rows of a result.
  func rows<Row>(
    of result: QueryResult, place: ResultRow.Place, _ decode: (inout ResultRow) throws -> Row
  ) throws -> [Row] {
    try (0..<result.rowCount).map { index in
      var row = ResultRow(result, row: index, place: place)
      return try decode(&row)
    }
  }

  /// The first column of the first row, which is text; empty for NULL or no row.
  func text(
    _ name: some StatementName, _ parameters: Parameters = Parameters(),
    _ fillings: SQLFillings = [:]
  ) throws -> String {
    let result = try run(name, parameters, fillings)
    return result.rowCount > 0 ? result.text(0, 0) : ""
  }
}

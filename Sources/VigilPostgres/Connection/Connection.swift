import CLibPQ
import Foundation
import VigilSQL
import VigilStorage

/// The owner of a `PGconn`.
///
/// Unchecked because the compiler cannot see it: a connection is used by one thread at a time. The
/// pool lends each to one borrower, and a reader and a lock keep theirs to themselves.
final class Connection: @unchecked Sendable {
  let handle: OpaquePointer
  /// The statements for the schema of this connection.
  let statements: StatementLibrary
  /// Temporary tables that this session has.
  var stagingTables: [String: StagingTable] = [:]
  /// Whether this login may change the columns that decide about notifications; nil until it was
  /// read.
  var guardedColumnsAreOurs: Bool?

  /// Takes over a handle that is connected.
  ///
  init(taking handle: OpaquePointer, statements: StatementLibrary) {
    self.handle = handle
    self.statements = statements
  }

  deinit {
    PQfinish(handle)
  }

  // MARK: What it is connected to

  var serverVersion: Int { Int(PQserverVersion(handle)) }

  /// The process that serves this session, as the server said when it was opened.
  var serverProcess: Int { Int(PQbackendPID(handle)) }

  var isUsable: Bool { PQstatus(handle) == CONNECTION_OK }

  /// Whether no transaction is open, and the last one did not break off.
  var isIdle: Bool { isUsable && PQtransactionStatus(handle) == PQTRANS_IDLE }

  // MARK: Statements

  /// Runs a named statement with bound parameters; the result is in binary format.
  ///
  /// - Parameter fillings: Those of the marks that the statement leaves open.
  /// - Throws: `PostgresError`.
  @discardableResult
  func run(
    _ name: some StatementName, _ parameters: Parameters = Parameters(),
    _ fillings: SQLFillings = [:]
  ) throws -> QueryResult {
    try run(statements.statement(name, fillings), parameters)
  }

  /// The same for a statement that is rendered.
  @discardableResult
  func run(_ statement: RenderedStatement, _ parameters: Parameters) throws -> QueryResult {
    try run(rendered: statement.sql, parameters)
  }

  /// The same for SQL as the server takes it.
  func run(rendered sql: String, _ parameters: Parameters) throws -> QueryResult {
    let result = parameters.withArrays { count, types, values, lengths, formats in
      PQexecParams(handle, sql, count, types, values, lengths, formats, 1)
    }
    return try check(result)
  }

  /// Runs any number of statements without parameters, as `SQLTemplate` takes them: migrations, and what
  /// begins and ends a transaction.
  ///
  /// - Throws: `PostgresError` of the first that fails; the others are not run.
  @discardableResult
  func run(script: String) throws -> QueryResult {
    try execute(statements.script(script))
  }

  /// Runs `body` in a transaction that commits when it returns and rolls back when it throws.
  ///
  /// When the connection is lost during the commit, it is unknown whether it was committed.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    let stagingTablesBefore = stagingTables
    try run(script: "BEGIN")
    do {
      let result = try body()
      try run(script: "COMMIT")
      return result
    } catch {
      stagingTables = stagingTablesBefore
      // Where this fails too, the connection is of no use and is not lent again.
      if isUsable { _ = try? run(script: "ROLLBACK") }
      throw error
    }
  }

  /// Names the purpose of a transaction that may take long, until it ends.
  func nameTransaction(_ purpose: String) throws {
    try run(ConnectionStatement.nameTransaction, Parameters { $0.put(purpose) })
  }

  /// Sets for a transaction that it reads or writes a small part of each table.
  ///
  /// In a table without statistics, such as one that was just filled, the planner takes some
  /// hundred persons for all there are, and would scan the table for each batch. The tables in
  /// which rows are staged have to be scanned; without a further setting the planner would compile
  /// each such statement.
  static let searchingByIndex = "SET LOCAL enable_seqscan = off; SET LOCAL jit = off"

  /// Runs `body` within a transaction, which goes on as if it had not been run where it throws.
  func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try run(script: "SAVEPOINT vigil")
    do {
      let result = try body()
      try run(script: "RELEASE SAVEPOINT vigil")
      return result
    } catch {
      if isUsable { _ = try? run(script: "ROLLBACK TO SAVEPOINT vigil; RELEASE SAVEPOINT vigil") }
      throw error
    }
  }

  /// Hands SQL without parameters to the server, as it takes it.
  @discardableResult
  private func execute(_ sql: String) throws -> QueryResult {
    try check(PQexec(handle, sql))
  }

  private func check(_ result: OpaquePointer?) throws -> QueryResult {
    guard let result else { throw connectionError }
    let owned = QueryResult(result)
    switch owned.status {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN, PGRES_COPY_OUT: return owned
    default:
      var error = owned.error
      if !isUsable {
        // An ending session says why before it goes; otherwise only libpq knows.
        if error.sqlState == nil { error = connectionError }
        error.isConnectionLost = true
      }
      throw error
    }
  }

  /// The error of the connection itself, in libpq's words.
  private var connectionError: PostgresError {
    PostgresError(
      sqlState: nil, message: Self.oneLine(String(cString: PQerrorMessage(handle))),
      isConnectionLost: !isUsable)
  }

  static func oneLine(_ message: String) -> String {
    message.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: ": ")
  }

  // MARK: COPY

  /// Runs a `COPY ... TO STDOUT`, rendered, and calls `body` with each message of it.
  ///
  /// - Throws: `PostgresError`, or what `body` throws; the connection is then in an unknown state
  ///   unless the transaction is rolled back.
  func copyOut(
    _ statement: RenderedStatement, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try execute(statement.sql)
    while true {
      var message: UnsafeMutablePointer<CChar>?
      let size = PQgetCopyData(handle, &message, 0)
      if size > 0 {
        defer { PQfreemem(message) }
        try body(UnsafeRawBufferPointer(start: message, count: Int(size)))
      } else if size == -1 {
        return try finish()
      } else {
        throw connectionError
      }
    }
  }

  /// Runs a `COPY ... FROM STDIN` with the bytes of `rows`.
  func copyIn(_ statement: RenderedStatement, _ rows: UnsafeRawBufferPointer) throws {
    try execute(statement.sql)
    // libpq copies what it is given, so that a large buffer goes in pieces.
    let piece = 1 << 18
    var position = 0
    while position < rows.count {
      let end = min(position + piece, rows.count)
      let bytes = UnsafeRawBufferPointer(rebasing: rows[position..<end])
      guard
        PQputCopyData(
          handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(bytes.count)) == 1
      else { throw connectionError }
      position = end
    }
    guard PQputCopyEnd(handle, nil) == 1 else { throw connectionError }
    try finish()
  }

  /// Takes what ends a COPY; every result has to be taken, and one of them may be an error.
  private func finish() throws {
    var failure: (any Error)?
    while let result = PQgetResult(handle) {
      do {
        _ = try check(result)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    if !isUsable { throw connectionError }
  }

  // MARK: Texts

  /// A text between quotes, by libpq's rules; only for statements that take no parameters.
  func quoted(literal: String) throws -> String {
    guard let escaped = PQescapeLiteral(handle, literal, literal.utf8.count) else {
      throw connectionError
    }
    defer { PQfreemem(escaped) }
    return String(cString: escaped)
  }
}

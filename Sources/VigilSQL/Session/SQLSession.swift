public import VigilModel

/// A connection on which named statements run.
///
/// Used by one thread at a time. Its methods throw `StorageError`, and what a driver tries again.
public protocol SQLSession {
  associatedtype Row: RowReader

  /// The statements, as this database understands them.
  var statements: StatementLibrary { get }

  /// Runs a statement that changes rows, and returns their number.
  @discardableResult
  func execute(_ statement: RenderedStatement, _ values: [SQLValue]) throws -> Int

  /// Runs a query, and returns what `decode` makes of each row.
  func rows<Result>(
    _ statement: RenderedStatement, _ values: [SQLValue], _ decode: (inout Row) throws -> Result
  ) throws -> [Result]

  /// Whether the login may keep copies of rows; one that only evaluates the past does without.
  func mayKeepHistory() throws -> Bool

  /// Removes the copies of rows that have changed since, and sees to it that changes are noted from now on.
  ///
  /// - Returns: Whether copies of any subject can be trusted.
  func prepareHistory(through day: Day) throws -> Bool

  /// Takes the changes of rows that are noted into account, so that nothing of them is kept.
  func takeHistoryChanges() throws

  /// Runs `body` within a transaction, which goes on as if it had not been run where it throws.
  func savepoint<Result>(_ body: () throws -> Result) throws -> Result
}

extension SQLSession {
  /// Runs a named statement that changes rows, and returns their number.
  ///
  /// - Parameters:
  ///   - name: The name of the statement.
  ///   - values: Of `$1`, `$2` and so on.
  @discardableResult
  public func execute(
    _ name: some StatementName, _ values: (any SQLConvertible)...
  ) throws -> Int {
    try execute(statements.statement(name), values.map(\.sqlValue))
  }

  /// Runs a named statement that changes rows, with marks that it leaves open.
  @discardableResult
  public func execute(
    _ name: some StatementName, filling fillings: SQLFillings, _ values: (any SQLConvertible)...
  ) throws -> Int {
    try execute(statements.statement(name, fillings), values.map(\.sqlValue))
  }

  /// Runs a named query, and returns what `decode` makes of each row.
  ///
  /// - Parameters:
  ///   - name: The name of the statement.
  ///   - values: Of `$1`, `$2` and so on.
  ///   - decode: Reads one row.
  public func rows<Result>(
    _ name: some StatementName, _ values: (any SQLConvertible)...,
    decode: (inout Row) throws -> Result
  ) throws -> [Result] {
    try rows(statements.statement(name), values.map(\.sqlValue), decode)
  }

  /// Runs a named query for one number, and returns it; 0 without a row.
  public func count(
    _ name: some StatementName, _ values: (any SQLConvertible)...
  ) throws -> Int {
    try rows(statements.statement(name), values.map(\.sqlValue)) { try $0.int() }.first ?? 0
  }

  /// Runs a named statement that writes the columns of one record.
  @discardableResult
  func write(_ name: some StatementName, _ put: (ParameterList) throws -> Void) throws -> Int {
    let parameters = ParameterList()
    try put(parameters)
    return try execute(statements.statement(name), parameters.values)
  }
}

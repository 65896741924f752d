import CLibPQ

/// One connection for plain SQL, with which tests look into a database and change it as another
/// program could; its time zone is UTC.
///
/// Those who share it take turns: libpq wants one thread at a time.
public final class PostgresSession: @unchecked Sendable {
  /// The message of the server or of libpq; the SQL is the test's own.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  private let connection: OpaquePointer?

  /// - Parameter schema: Where unqualified names are looked up; nil for the server's default.
  /// - Throws: `Failure` where there is no such database or no server.
  public init(url: String, schema: String? = nil) throws {
    connection = PQconnectdb(url)
    guard PQstatus(connection) == CONNECTION_OK else { throw lastFailure }
    try prepare(for: schema)
  }

  private func prepare(for schema: String?) throws {
    try execute("SET TimeZone = 'UTC'; SET client_min_messages = 'warning'")
    if let schema { try execute("SET search_path = \(Self.quoted(schema))") }
  }

  /// Makes it as good as new, for another schema.
  ///
  /// - Throws: `Failure` where the connection is lost, or in a transaction.
  func reset(to schema: String?) throws {
    try execute("DISCARD ALL")
    try prepare(for: schema)
  }

  deinit { PQfinish(connection) }

  /// A name as SQL writes it, whatever it holds.
  public static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }

  /// Runs statements separated by semicolons, in one transaction unless they say otherwise.
  public func execute(_ sql: String) throws {
    _ = try result(of: sql)
  }

  /// Runs statements after the input tables' references to `users` were dropped.
  public func executeWithoutReferences(_ sql: String) throws {
    for table in [
      "user_profiles", "family_members", "wearable_daily_metrics", "exercise_sessions",
      "medications", "timezone_events", "vitality_scores", "check_ins", "check_in_plans",
      "sensitivity_overrides", "person_limits", "do_not_disturb",
    ] {
      try execute("ALTER TABLE \(table) DROP CONSTRAINT IF EXISTS \(table)_user")
    }
    for reference in ["subject", "excluded"] {
      let table = "alert_recipient_exclusions"
      try execute("ALTER TABLE \(table) DROP CONSTRAINT IF EXISTS \(table)_\(reference)")
    }
    try execute(sql)
  }

  /// Copies the rows of a table that another session sees.
  ///
  /// - Parameter table: The table, with its columns in parentheses.
  func copyRows(of table: String, from other: PostgresSession) throws {
    try other.begin("COPY \(table) TO STDOUT (FORMAT binary)", PGRES_COPY_OUT)
    try begin("COPY \(table) FROM STDIN (FORMAT binary)", PGRES_COPY_IN)
    var row: UnsafeMutablePointer<CChar>?
    while case let count = PQgetCopyData(other.connection, &row, 0), count > 0 {
      defer { PQfreemem(row) }
      guard PQputCopyData(connection, row, count) == 1 else { throw lastFailure }
    }
    guard PQputCopyEnd(connection, nil) == 1 else { throw lastFailure }
    try other.finish()
    try finish()
  }

  /// Begins a statement that moves rows.
  private func begin(_ sql: String, _ status: ExecStatusType) throws {
    guard PQresultStatus(PostgresResult(PQexec(connection, sql)).pointer) == status else {
      throw lastFailure
    }
  }

  /// Ends a statement that has moved rows.
  private func finish() throws {
    while let pointer = PQgetResult(connection) {
      guard PostgresResult(pointer).isOK else { throw lastFailure }
    }
  }

  private var lastFailure: Failure {
    Failure(description: String(cString: PQerrorMessage(connection)))
  }

  /// The rows of a query, in text form.
  public func rows(_ sql: String) throws -> PostgresRows {
    PostgresRows(try result(of: sql))
  }

  private func result(of sql: String) throws -> PostgresResult {
    let result = PostgresResult(PQexec(connection, sql))
    guard result.isOK else { throw lastFailure }
    return result
  }
}

/// Rows with the types of their columns.
public struct PostgresRows {
  public struct Column: Hashable, Sendable {
    public var name: String
    /// The number of its type in `pg_type`, which is fixed for types that the server brings along.
    public var type: UInt32
  }

  public let columns: [Column]
  public let values: [[String?]]

  fileprivate init(_ result: PostgresResult) {
    let width = PQnfields(result.pointer)
    columns = (0..<width).map {
      Column(name: String(cString: PQfname(result.pointer, $0)), type: PQftype(result.pointer, $0))
    }
    values = (0..<PQntuples(result.pointer)).map { row in
      (0..<width).map { column in
        PQgetisnull(result.pointer, row, column) == 1
          ? nil : String(cString: PQgetvalue(result.pointer, row, column))
      }
    }
  }
}

/// Owns one answer of the server.
private final class PostgresResult {
  let pointer: OpaquePointer?

  init(_ pointer: OpaquePointer?) { self.pointer = pointer }

  deinit { PQclear(pointer) }

  var isOK: Bool {
    [PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY].contains(PQresultStatus(pointer))
  }
}

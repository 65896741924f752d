import PostgresTestServer
public import VigilStorage

/// The work of a database for some statements, by their text without quoted values: rows that
/// PostgreSQL touched in the
/// nodes of its plans, or instructions that SQLite carried out.
///
/// The same statements on the same rows are the same work, however fast or busy the machine is.
public struct StatementWork: Sendable {
  public private(set) var byStatement: [String: Int] = [:]

  init() {}

  public var total: Int { byStatement.values.reduce(0, +) }

  /// The statement whose work has grown most, with both figures.
  public func most(beyond before: StatementWork) -> String? {
    let grown = byStatement.map { sql, work in
      (sql: sql, known: before.byStatement[sql] ?? 0, work: work)
    }
    return grown.max { $0.work - $0.known < $1.work - $1.known }
      .map { "\($0.known) become \($0.work): \($0.sql)" }
  }

  mutating func add(_ work: Int, of sql: String) {
    let text = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .map { $0.offset.isMultiple(of: 2) ? $0.element : "" }.joined(separator: "'")
    byStatement[text, default: 0] += work
  }
}

extension TestDatabase {
  /// Returns the work of all statements that `body` has the database carry out through the storage it is
  /// given; of one database at a time.
  ///
  /// A PostgreSQL database has to be on `PlanLog.server`.
  public func work(of body: (any Storage) throws -> Void) throws -> StatementWork {
    switch self {
    case .sqlite(let path): try SQLiteInstructions.count(at: path) { try body(open()) }
    case .postgres(let schema): try PlanLog(of: schema.server).count { try body(open()) }
    }
  }
}

extension DatabaseKind {
  /// A place for a database whose work can be counted.
  ///
  /// - Parameter folder: Where a kind that is a file puts it.
  public func makeMeasurableDatabase(in folder: String) throws -> TestDatabase {
    switch self {
    case .sqlite: try makeDatabase(in: folder)
    case .postgres: try .postgres(PostgresSchema(on: PlanLog.server()))
    }
  }
}

import GRDB
import VigilSQL

/// Writes rows by a named statement with the mark `rows`, many at a time.
///
/// Each execution of a statement has a price besides that of its rows: SQLite makes the lists of words anew that the
/// table's checks look into. For a row by itself that is half of what the row costs.
final class RowsStatement {
  private let name: any StatementName
  private let columns: Int
  private let db: Database
  private lazy var many = Result { try statement(rows: Self.rowsAtOnce) }
  private lazy var one = Result { try statement(rows: 1) }

  /// More bring nothing.
  private static let rowsAtOnce = 16

  /// Prepares a statement when there are rows for it.
  ///
  /// - Parameter columns: The columns of a row.
  init(_ name: some StatementName, columns: Int, on db: Database) {
    self.name = name
    self.columns = columns
    self.db = db
  }

  private func statement(rows: Int) throws -> RawStatement {
    try RawStatement(name, ["rows": .parameterRows(rows, ofColumns: columns)], on: db)
  }

  /// Writes rows in their order, and returns how many it has added or changed.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - put: Binds the columns of a row.
  @discardableResult
  func write<Rows: RandomAccessCollection>(
    _ rows: Rows, _ put: (Rows.Element, RawStatement) -> Void
  ) throws -> Int {
    var changed = 0
    var rest = rows[...]
    while rest.count >= Self.rowsAtOnce {
      let many = try many.get()
      for row in rest.prefix(Self.rowsAtOnce) { put(row, many) }
      changed += try many.run()
      rest = rest.dropFirst(Self.rowsAtOnce)
    }
    for row in rest {
      let one = try one.get()
      put(row, one)
      changed += try one.run()
    }
    return changed
  }
}

import VigilStorage

/// A column as rows of it are read and written.
struct StoredColumn {
  var name: String
  /// As the database writes it.
  var type: String
  var form: Form

  enum Form: String {
    case text, integer, real
  }

  /// The value of a row.
  var reading: SQLExpression {
    form == .text ? .column(name).cast(to: "text") : .column(name)
  }

  /// The value for a row.
  func writing(_ number: Int, isTyped: Bool) -> SQLExpression {
    let value = SQLExpression.parameter(number)
    return isTyped ? value.cast(to: "text").cast(to: type) : value
  }

  /// A value that was read, as a parameter.
  ///
  /// - Throws: `StorageError` with `.corrupt` where it is none.
  func value(of text: String?, in table: String) throws -> SQLValue {
    guard let text else { return .null(form == .text ? .text : form == .real ? .real : .integer) }
    let value: SQLValue? =
      switch form {
      case .text: .text(text)
      case .integer: Int64(text).map { .integer($0) }
      case .real: Double(text).map { .real($0) }
      }
    guard let value else {
      throw StorageError(
        .corrupt, "a \(name) of \(table) in the archive is no number",
        remedy: "take another copy of the archive")
    }
    return value
  }
}

extension SQLSession {
  /// The columns of a table; empty where there is none.
  func storedColumns(of table: String) throws -> [StoredColumn] {
    try rows(RetentionStatement.listStoredColumns, table) {
      try StoredColumn(name: $0.text(), type: $0.text(), form: .init(rawValue: $0.text()) ?? .text)
    }
  }

  /// Runs a statement that yields whole rows of a table.
  func storedRows(
    _ name: RetentionStatement, of table: String, _ columns: [StoredColumn],
    _ fillings: SQLFillings, _ values: [SQLValue]
  ) throws -> ArchivedRows {
    var fillings = fillings
    fillings["table"] = .name(table)
    fillings["values"] = .expressions(columns.map(\.reading))
    let found = try rows(statements.statement(name, fillings), values) { row in
      try columns.map { column in
        switch column.form {
        case .text: try row.textIfPresent()
        case .integer: try row.intIfPresent().map { String($0) }
        case .real: try row.doubleIfPresent().map { "\($0)" }
        }
      }
    }
    return ArchivedRows(
      table: table, columns: columns.map { .init(name: $0.name, type: $0.type) }, rows: found)
  }
}

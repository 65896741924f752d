import VigilSQL
import VigilStorage

/// A temporary table that takes rows by binary COPY, on their way into a table of the schema.
///
/// Its columns have the few types that `BinaryBuffer` writes; on the way on they are cast to what the
/// table has, so that an input table may have columns of other types. It is empty after each
/// transaction.
struct StagingTable {
  let name: String
  /// The table that rows are on their way to, and its columns in the order of the rows.
  let target: String
  let columns: [String]
  /// The columns' types in the target.
  let types: [String]

  /// The staged value of a column as the target's type.
  func value(of column: String) -> SQLExpression {
    let index = columns.firstIndex(of: column)
    return index.map { SQLExpression.column(column).cast(to: types[$0]) } ?? .null
  }

  /// The fillings of the marks of this table.
  var fillings: SQLFillings {
    [
      "staging": .name(name), "staged_columns": .expressions(columns.map { value(of: $0) }),
    ]
  }

  /// The type that `BinaryBuffer` writes for a column of a type, unless the rows have types of their
  /// own.
  private static func stagedType(_ type: String) -> String {
    switch type {
    case "smallint", "integer", "bigint": "bigint"
    case "real", "double precision": "double precision"
    case "uuid", "date", "boolean", "jsonb", "bytea": type
    case _ where type.hasPrefix("numeric"): "double precision"
    case _ where type.hasPrefix("timestamp"): "timestamp with time zone"
    default: "text"
    }
  }

  /// The staging table of these columns in this session, made where there is none yet.
  ///
  /// - Parameter stagedTypes: What `BinaryBuffer` writes for each column; nil, for all or for one, where that
  ///   follows from the target's types.
  /// - Throws: `StorageError` with `.unknownColumn` for a column that the target does not have.
  static func forRows(
    of target: String, columns: [String], stagedTypes: [String?]? = nil,
    on connection: Connection, database: String
  ) throws -> StagingTable {
    let key = ([target] + columns).joined(separator: "\u{0}")
    if let known = connection.stagingTables[key] { return known }
    let existing = try connection.columns(of: target)
    let typeOf = Dictionary(existing.map { ($0.name, $0.type) }) { first, _ in first }
    let unknown = columns.filter { typeOf[$0] == nil }
    guard unknown.isEmpty else {
      throw StorageError(
        .unknownColumn,
        "\(target) in \(database) has no column "
          + unknown.map { "'\($0)'" }.joined(separator: ", ") + "; it has "
          + existing.map(\.name).joined(separator: ", "))
    }
    let table = StagingTable(
      name: "vigil_staging_\(connection.stagingTables.count + 1)", target: target,
      columns: columns, types: columns.map { typeOf[$0] ?? "text" })
    let definitions = columns.indices.map { index in
      SQLExpression.column(columns[index])
        .defined(as: stagedTypes?[index] ?? stagedType(table.types[index]))
    }
    try connection.run(
      StagingStatement.createStagingTable, Parameters(),
      ["staging": .name(table.name), "definitions": .expressions(definitions)])
    connection.stagingTables[key] = table
    return table
  }

  /// Sends rows; each call adds to those of the transaction.
  func fill(_ rows: CopyRows, on connection: Connection) throws {
    let statement = connection.statements.statement(StagingStatement.fillStagingTable, fillings)
    try connection.copyIn(statement, rows.finished())
  }
}

extension Connection {
  /// The columns of a table or view of the schema and their types, in the table's order.
  func columns(of table: String) throws -> [(name: String, type: String)] {
    try rows(ConnectionStatement.listColumns, Parameters { $0.put(table) }, database: "") {
      ($0.text(), $0.text())
    }
  }

  /// Whether it is a table, partitioned or not, and not a view of others.
  func isTable(_ name: String) throws -> Bool {
    let kind = try text(ConnectionStatement.findKind, Parameters { $0.put(name) })
    return kind == "r" || kind == "p"
  }
}

extension SQLExpression {
  /// The definition of a column of a table that is made.
  fileprivate func defined(as type: String) -> SQLExpression {
    SQLExpression(unsafeSQL: "\(sql) \(type)")
  }
}

import VigilSQL
import VigilStorage

/// A temporary table that takes rows by binary COPY, on their way into a table of the schema.
///
/// Its columns have the few types that `WireBuffer` writes; on the way on they are cast to what the
/// table has, so that an input table may have columns of other types. It is empty after each
/// transaction.
struct StagingTable {
  let name: String
  /// The table that rows are on their way to, and its columns in the order of the rows.
  let target: String
  let columns: [String]
  /// The columns' types in the target.
  let types: [String]

  /// Counts the rows from 1, in the order in which they came.
  static let ordinal = "vigil_ordinal"

  /// The columns, quoted, of the target.
  var quotedColumns: [String] { columns.map(\.quotedIdentifier) }

  /// The staged values as the target's types.
  var castColumns: [String] {
    zip(columns, types).map { "CAST(\($0.quotedIdentifier) AS \($1))" }
  }

  /// What `WireBuffer` writes for a column of a type, unless the rows have types of their own.
  private static func stagedType(_ type: String) -> String {
    switch type {
    case "smallint", "integer", "bigint": "bigint"
    case "real", "double precision": "double precision"
    case "uuid", "date", "boolean", "jsonb": type
    case _ where type.hasPrefix("numeric"): "double precision"
    case _ where type.hasPrefix("timestamp"): "timestamp with time zone"
    default: "text"
    }
  }

  /// The staging table of these columns in this session, made where there is none yet.
  ///
  /// - Parameter stagedTypes: What `WireBuffer` writes for each column; nil, for all or for one, where that
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
      "\(table.quotedColumns[index]) \(stagedTypes?[index] ?? stagedType(table.types[index]))"
    }
    try connection.run(
      script: """
        CREATE TEMPORARY TABLE pg_temp.\(table.name) (
          \(ordinal) bigint, \(definitions.joined(separator: ", "))
        ) ON COMMIT DELETE ROWS
        """)
    connection.stagingTables[key] = table
    return table
  }

  /// Sends rows; each call adds to those of the transaction.
  func fill(_ rows: CopyRows, on connection: Connection) throws {
    try connection.copyIn(
      "COPY pg_temp.\(name) FROM STDIN (FORMAT binary)", rows.finished())
  }
}

extension Connection {
  /// The table or view of the schema with a name, which is SQL; NULL where there is none, and where this
  /// role may not use the schema, which `to_regclass` would call an error.
  static func relation(_ name: String) -> String {
    """
    (
      SELECT pg_class.oid FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE relname = \(name) AND nspname = {{schema_name}}
        AND has_schema_privilege(pg_namespace.oid, 'USAGE'))
    """
  }

  /// The columns of a table or view of the schema and their types, in the table's order.
  func columns(of table: String) throws -> [(name: String, type: String)] {
    try rows(
      """
      SELECT attname::text, format_type(atttypid, atttypmod) FROM pg_attribute
      WHERE attrelid = \(Self.relation("$1")) AND attnum > 0 AND NOT attisdropped
      ORDER BY attnum
      """, Parameters { $0.put(table) },
      place: .init(database: "", table: "pg_attribute")
    ) { ($0.text(), $0.text()) }
  }

  /// Whether it is a table, partitioned or not, and not a view of others.
  func isTable(_ name: String) throws -> Bool {
    let kind = try text(
      "SELECT relkind::text FROM pg_class WHERE oid = \(Self.relation("$1"))",
      Parameters { $0.put(name) })
    return kind == "r" || kind == "p"
  }
}

import Foundation
import VigilModel
public import VigilStorage

extension PostgresStorage {
  /// An import is not tried again: `body` reads files, and has said what it found.
  public func importRows<Result>(
    _ body: (any ImportWriter) throws -> Result
  ) throws -> Result {
    do {
      return try pool.withConnection { connection in
        try connection.transaction {
          let writer = PostgresImportWriter(connection, database: displayName)
          let result = try body(writer)
          try writer.flush()
          return result
        }
      }
    } catch let error as PostgresError {
      throw StorageError(error, database: displayName).asUnreachable
    }
  }
}

/// Writes input rows on the connection of the running transaction.
///
/// Rows wait in memory and go to the server some thousand at a time; so what the server refuses may be
/// reported with a later row, or at the end.
private final class PostgresImportWriter: ImportWriter {
  private let connection: Connection
  private let database: String
  /// In the order in which they were asked for, which is that of the tables' references.
  private var inserters: [PostgresRowInserter] = []

  init(_ connection: Connection, database: String) {
    self.connection = connection
    self.database = database
  }

  func flush() throws {
    for inserter in inserters { try inserter.flush() }
  }

  func inserter(
    into table: InputTable, columns: [String], now: Timestamp
  ) throws -> any RowInserter {
    try mappingErrors(table.name) {
      let existing = try connection.columns(of: table.name).map(\.name)
      let staging = try StagingTable.forRows(
        of: table.name, columns: columns,
        stagedTypes: columns.map { table.column(named: $0)?.kind.stagedType ?? "text" },
        on: connection, database: database)
      let missing = table.key.filter { !columns.contains($0) }
      guard missing.isEmpty, Set(columns).count == columns.count else {
        throw StorageError(
          .unexpected,
          "rows for \(table.name) must hold each of its key columns "
            + table.key.joined(separator: ", ") + ", and no column twice")
      }
      let upsert = ImportUpsert(
        staging: staging, key: table.key,
        hasTimestamps: ImportUpsert.timestamps.allSatisfy(existing.contains))
      let inserter = PostgresRowInserter(
        upsert, now: now, connection: connection, database: database
      ) { [weak self] inserter in
        // Rows of the tables before may be what these refer to.
        try self?.flush(before: inserter)
      }
      inserters.append(inserter)
      return inserter
    }
  }

  private func flush(before inserter: PostgresRowInserter) throws {
    for other in inserters.prefix(while: { $0 !== inserter }) { try other.flush() }
  }

  func ensureUser(_ id: UUID, externalID: String?, now: Timestamp) throws -> Bool {
    for inserter in inserters where inserter.table == "users" { try inserter.flush() }
    return try mappingErrors("users") {
      let parameters = Parameters {
        $0.put(id)
        $0.put(externalID)
        $0.put(now)
      }
      return try connection.run(
        """
        INSERT INTO users (id, external_id, created_at, updated_at) VALUES ($1, $2, $3, $3)
        ON CONFLICT (id) DO NOTHING
        """, parameters
      ).affectedRows > 0
    }
  }

  func quarantine(_ row: QuarantinedRow, now: Timestamp) throws {
    try mappingErrors("quarantined_rows") {
      let parameters = Parameters {
        $0.put(row.runID)
        $0.put(row.table)
        $0.put(row.file)
        $0.put(row.line)
        $0.put(row.column)
        $0.put(row.reason)
        $0.put(now)
      }
      try connection.run(
        """
        INSERT INTO quarantined_rows
          (run_id, table_name, file, line, column_name, reason, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """, parameters)
    }
  }

  private func mappingErrors<Result>(
    _ table: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as PostgresError {
      throw StorageError(error, database: database, table: table)
    }
  }
}

private final class PostgresRowInserter: RowInserter {
  private let upsert: ImportUpsert
  private let now: Timestamp
  private let connection: Connection
  private let database: String
  private let rows: CopyRows
  private let willFlush: (PostgresRowInserter) throws -> Void

  /// Bytes that wait at most.
  private static let capacity = 1 << 20

  init(
    _ upsert: ImportUpsert, now: Timestamp, connection: Connection, database: String,
    willFlush: @escaping (PostgresRowInserter) throws -> Void
  ) {
    self.upsert = upsert
    self.now = now
    self.connection = connection
    self.database = database
    self.willFlush = willFlush
    rows = CopyRows(columnCount: upsert.staging.columns.count)
  }

  var table: String { upsert.staging.target }

  func upsert(_ values: [InputValue]) throws {
    guard values.count == upsert.staging.columns.count else {
      throw StorageError(
        .unexpected,
        "a row for \(table) has \(values.count) values for \(upsert.staging.columns.count) columns")
    }
    rows.append { buffer in
      for value in values { buffer.put(value) }
    }
    if rows.byteCount >= Self.capacity {
      try willFlush(self)
      try flush()
    }
  }

  func flush() throws {
    guard rows.count > 0 else { return }
    do {
      try upsert.staging.fill(rows, on: connection)
      try connection.run(upsert.sql, Parameters { $0.put(now) })
      try connection.run(script: "TRUNCATE pg_temp.\(upsert.staging.name)")
    } catch let error as PostgresError {
      throw StorageError(error, database: database, table: table)
    }
    rows.removeAll()
  }
}

extension InputTable.Kind {
  /// The type of an input value on its way.
  fileprivate var stagedType: String {
    switch self {
    case .person, .id: "uuid"
    case .text, .word, .timezone, .timeOfDay: "text"
    case .day: "date"
    case .timestamp: "timestamp with time zone"
    case .real: "double precision"
    case .integer: "bigint"
    case .boolean: "boolean"
    }
  }
}

extension WireBuffer {
  func put(_ value: InputValue) {
    switch value {
    case .null: putNull()
    case .text(let text): put(text)
    case .integer(let value): put(Int(value))
    case .real(let value): put(value)
    case .boolean(let value): put(value)
    case .uuid(let id): put(id)
    case .day(let day): put(day)
    case .timestamp(let timestamp): put(timestamp)
    }
  }
}

/// The statement that brings staged rows into an input table.
///
/// Its parameter is the present time, which stands in for `created_at` and `updated_at` where a row
/// does not have them.
struct ImportUpsert {
  var staging: StagingTable
  var key: [String]
  var hasTimestamps: Bool

  static let timestamps = ["created_at", "updated_at"]

  var sql: String {
    let table = staging.target.quotedIdentifier
    var names: [String] = []
    var values: [String] = []
    var updates: [String] = []
    var differences: [String] = []
    for (column, cast) in zip(staging.columns, staging.castColumns) {
      let name = column.quotedIdentifier
      let stored = "\(table).\(name)"
      names.append(name)
      if hasTimestamps, Self.timestamps.contains(column) {
        // A row without the time keeps what is stored, and counts as changed by what else differs.
        values.append("coalesce(\(cast), $1)")
        let given = "nullif(excluded.\(name), $1)"
        updates.append(
          column == "updated_at"
            ? "\(name) = excluded.\(name)" : "\(name) = coalesce(\(given), \(stored))")
        differences.append("(\(given) IS NOT NULL AND \(stored) IS DISTINCT FROM \(given))")
      } else {
        values.append(cast)
        guard !key.contains(column) else { continue }
        updates.append("\(name) = excluded.\(name)")
        differences.append("\(stored) IS DISTINCT FROM excluded.\(name)")
      }
    }
    if hasTimestamps {
      for name in Self.timestamps where !staging.columns.contains(name) {
        names.append(name)
        values.append("$1")
      }
      if !staging.columns.contains("updated_at"), !updates.isEmpty {
        updates.append("updated_at = $1")
      }
    }
    let conflict =
      updates.isEmpty
      ? "DO NOTHING"
      : """
      DO UPDATE SET \(updates.joined(separator: ", "))
      WHERE \(differences.joined(separator: " OR "))
      """
    // One statement may touch a row once: of rows with the same key the last one counts.
    let keys = key.map(\.quotedIdentifier).joined(separator: ", ")
    return """
      INSERT INTO \(table) (\(names.joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM (
        SELECT DISTINCT ON (\(keys)) * FROM pg_temp.\(staging.name)
        ORDER BY \(keys), \(StagingTable.ordinal) DESC
      ) AS staged
      ORDER BY \(StagingTable.ordinal)
      ON CONFLICT (\(keys)) \(conflict)
      """
  }
}

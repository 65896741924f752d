import Foundation
import VigilModel
import VigilSQL
public import VigilStorage

extension PostgresStorage {
  /// An import is not tried again: `body` reads files, and has said what it found.
  public func importRows<Result>(
    _ body: (any ImportWriter) throws -> Result
  ) throws -> Result {
    do {
      return try pool.withConnection { connection in
        try connection.transaction {
          try connection.nameTransaction("vigil import")
          let writer = PostgresImportWriter(connection, database: displayName)
          let result = try body(writer)
          try writer.flush()
          return result
        }
      }
    } catch let error as PostgresError {
      throw naming(rightsMissingFor: StorageError(error, database: displayName).asUnreachable)
    } catch let error as StorageError {
      throw naming(rightsMissingFor: error)
    }
  }

  /// The same error, which says what to grant where it is about that.
  private func naming(rightsMissingFor error: StorageError) -> StorageError {
    guard error.code == .permissionDenied,
      let rights = try? withConnection({ try importRights($0) }), !rights.statements.isEmpty
    else { return error }
    return StorageError(.permissionDenied, error.message, remedy: .advice(rights.remedy))
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

  /// Bytes that wait in all inserters together at most.
  private static let capacity = 16 << 20

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
      shareCapacity()
      return inserter
    }
  }

  /// Lets many inserters, such as those of rows with one set of metrics or another, together keep no more than few do.
  private func shareCapacity() {
    let share = Self.capacity / inserters.count
    for inserter in inserters {
      inserter.capacity = min(share, PostgresRowInserter.largestCapacity)
    }
  }

  private func flush(before inserter: PostgresRowInserter) throws {
    for other in inserters.prefix(while: { $0 !== inserter }) { try other.flush() }
  }

  func ensureUser(_ id: UUID, externalID: String?, now: Timestamp) throws -> Bool {
    for inserter in inserters where inserter.table == "users" { try inserter.flush() }
    return try mappingErrors("users") {
      try session.execute(InputStatement.insertUser, id, externalID, now) > 0
    }
  }

  func hasRow(_ id: UUID, in table: InputTable) throws -> Bool {
    for inserter in inserters where inserter.table == table.name { try inserter.flush() }
    return try mappingErrors(table.name) {
      try connection.run(
        InputStatement.findInputRow, Parameters { $0.put(id) }, ["table": .name(table.name)]
      ).rowCount > 0
    }
  }

  func daysWithMetrics(
    of person: UUID, source: String, in days: ClosedRange<Day>
  ) throws -> [Day] {
    try mappingErrors(InputTable.wearableDailyMetrics.name) {
      try session.daysWithMetrics(of: person, source: source, in: days)
    }
  }

  func quarantine(_ row: QuarantinedRow, now: Timestamp) throws {
    try mappingErrors(QuarantinedRow.table) { try session.quarantine(row, at: now) }
  }

  private var session: PostgresSession {
    PostgresSession(connection: connection, database: database)
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

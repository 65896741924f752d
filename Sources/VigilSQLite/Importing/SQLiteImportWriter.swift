import Foundation
import GRDB
import VigilModel
import VigilSQL
public import VigilStorage

extension SQLiteStorage {
  public func importRows<Result>(
    _ body: (any ImportWriter) throws -> Result
  ) throws -> Result {
    try write { try body(SQLiteImportWriter($0, file: file)) }
  }
}

/// Writes input rows on the connection of the running transaction.
private final class SQLiteImportWriter: ImportWriter {
  private let db: Database
  private let file: DatabaseFile
  private var ensureUserStatement: RawStatement?
  private var quarantineStatement: RawStatement?
  private var searches: [String: RawStatement] = [:]

  init(_ db: Database, file: DatabaseFile) {
    self.db = db
    self.file = file
  }

  func inserter(
    into table: InputTable, columns: [String], now: Timestamp
  ) throws -> any RowInserter {
    try file.mappingErrors {
      let existing = Set(try db.columns(in: table.name).map(\.name))
      let unknown = columns.filter { !existing.contains($0) }
      guard unknown.isEmpty else {
        throw StorageError(
          .unknownColumn,
          "\(table.name) in \(file.displayName) has no column "
            + unknown.map { "'\($0)'" }.joined(separator: ", ") + "; it has "
            + table.columns.map(\.name).joined(separator: ", "))
      }
      let missing = table.key.filter { !columns.contains($0) }
      guard missing.isEmpty, Set(columns).count == columns.count else {
        throw StorageError(
          .unexpected,
          "rows for \(table.name) must hold each of its key columns "
            + table.key.joined(separator: ", ") + ", and no column twice")
      }
      let upsert = ImportUpsert(
        table: table.name, key: table.key, columns: columns,
        hasTimestamps: existing.isSuperset(of: ImportUpsert.timestamps))
      let statement = try RawStatement(upsert.statement, upsert.fillings, on: db)
      if upsert.hasTimestamps { statement.bind(now, at: upsert.placeOfNow) }
      return SQLiteRowInserter(
        statement, table: table.name, columnCount: columns.count, file: file)
    }
  }

  func ensureUser(_ id: UUID, externalID: String?, now: Timestamp) throws -> Bool {
    try file.mappingErrors(table: "users") {
      let statement = try ensureUserStatement ?? RawStatement(InputStatement.insertUser, on: db)
      ensureUserStatement = statement
      statement.put(id)
      statement.put(externalID)
      statement.put(now)
      return try statement.run() > 0
    }
  }

  func hasRow(_ id: UUID, in table: InputTable) throws -> Bool {
    try file.mappingErrors(table: table.name) {
      let query =
        try searches[table.name]
        ?? RawStatement(InputStatement.findInputRow, ["table": .name(table.name)], on: db)
      searches[table.name] = query
      query.bind(id, at: 1)
      var isThere = false
      try query.forEachRow { _ in isThere = true }
      return isThere
    }
  }

  func daysWithMetrics(
    of person: UUID, source: String, in days: ClosedRange<Day>
  ) throws -> [Day] {
    try SQLiteSession(db: db, file: file).daysWithMetrics(of: person, source: source, in: days)
  }

  func quarantine(_ row: QuarantinedRow, now: Timestamp) throws {
    try file.mappingErrors(table: QuarantinedRow.table) {
      let statement = try quarantineStatement ?? RawStatement(InputStatement.quarantineRow, on: db)
      quarantineStatement = statement
      QuarantineRow.put(row, at: now, into: statement)
      try statement.run()
    }
  }
}

private final class SQLiteRowInserter: RowInserter {
  private let statement: RawStatement
  private let table: String
  private let columnCount: Int
  private let file: DatabaseFile

  init(_ statement: RawStatement, table: String, columnCount: Int, file: DatabaseFile) {
    self.statement = statement
    self.table = table
    self.columnCount = columnCount
    self.file = file
  }

  func upsert(_ values: [InputValue]) throws {
    guard values.count == columnCount else {
      throw StorageError(
        .unexpected, "a row for \(table) has \(values.count) values for \(columnCount) columns")
    }
    try file.mappingErrors(table: table) {
      for value in values { statement.putNext(value) }
      try statement.run()
    }
  }
}

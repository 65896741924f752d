import VigilModel
import VigilStorage

/// Gathers rows for one input table and sends them some thousand at a time.
final class PostgresRowInserter: RowInserter {
  private let upsert: ImportUpsert
  private let now: Timestamp
  private let connection: Connection
  private let database: String
  private let rows: CopyRows
  private let willFlush: (PostgresRowInserter) throws -> Void
  /// Whether the table was empty and every row since then was new; nil before the first rows.
  private var addsNewRows: Bool?

  /// Bytes that wait at most.
  var capacity = PostgresRowInserter.largestCapacity

  static let largestCapacity = 1 << 20

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
    if rows.byteCount >= capacity {
      try willFlush(self)
      try flush()
    }
  }

  func flush() throws {
    guard rows.count > 0 else { return }
    do {
      try upsert.staging.fill(rows, on: connection)
      let present = Parameters { if upsert.hasTimestamps { $0.put(now) } }
      if try !insertedAsNew(present) {
        try connection.run(upsert.statement, present, upsert.fillings)
      }
      try connection.run(
        StagingStatement.emptyStagingTable, Parameters(), upsert.staging.fillings)
    } catch let error as PostgresError {
      throw StorageError(error, database: database, table: table)
    }
    rows.removeAll()
  }

  /// Inserts the staged rows where the table has had none but those of this object, and each only once.
  private func insertedAsNew(_ present: Parameters) throws -> Bool {
    guard let addsNew = addsNewRows else {
      // The first rows go the other way, which refuses a table without a unique key.
      addsNewRows = try isTableEmpty()
      return false
    }
    guard addsNew else { return false }
    do {
      try connection.savepoint {
        _ = try connection.run(upsert.insertion, present, upsert.fillings)
      }
      return true
    } catch let error as PostgresError where error.isUniqueViolation {
      // A key came again, or another program adds rows at this moment; the server's log has the attempt.
      addsNewRows = false
      return false
    }
  }

  private func isTableEmpty() throws -> Bool {
    try connection.run(StagingStatement.findAnyInputRow, Parameters(), upsert.fillings).rowCount
      == 0
  }
}

extension InputTable.Kind {
  /// The type of an input value on its way.
  var stagedType: String {
    switch self {
    case .person, .id: "uuid"
    case .text, .word, .timezone, .timeOfDay, .address, .language, .list: "text"
    case .day, .observedDay, .plannedDay: "date"
    case .timestamp: "timestamp with time zone"
    case .real: "double precision"
    case .integer, .score, .weekday, .priority, .minutes, .dayCount: "bigint"
    case .boolean: "boolean"
    }
  }
}

extension BinaryBuffer {
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

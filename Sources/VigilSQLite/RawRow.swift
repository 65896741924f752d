import Foundation
import GRDB
import GRDBSQLite
import VigilModel
import VigilStorage

/// The row on which a raw statement stands.
struct RawRow {
  let handle: SQLiteStatement

  func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, CInt(column)) == SQLITE_NULL
  }

  func int(_ column: Int) -> Int {
    Int(sqlite3_column_int64(handle, CInt(column)))
  }

  /// NaN for NULL.
  func double(_ column: Int) -> Double {
    let value = sqlite3_column_double(handle, CInt(column))
    // Only a 0 can be a NULL, so the type is asked for where it may matter.
    return value == 0 && isNull(column) ? .nan : value
  }

  /// The bytes of a text, empty for NULL; good until the statement goes on.
  func utf8(_ column: Int) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(handle, CInt(column))
    return UnsafeBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, CInt(column))))
  }

  func text(_ column: Int) -> String {
    String(decoding: utf8(column), as: UTF8.self)
  }

  func textIfPresent(_ column: Int) -> String? {
    isNull(column) ? nil : text(column)
  }
}

/// Reads the columns of a row one after the other, into values.
struct RowDecoder {
  let row: RawRow
  let file: DatabaseFile
  let table: String
  let columns: [String]
  private var next = 0

  init(_ row: RawRow, of table: String, columns: [String], in file: DatabaseFile) {
    self.row = row
    self.file = file
    self.table = table
    self.columns = columns
  }

  mutating func int() -> Int { row.int(advance()) }

  mutating func double() -> Double { row.double(advance()) }

  mutating func text() -> String { row.text(advance()) }

  mutating func textIfPresent() -> String? {
    ifPresent { $0.text() }
  }

  mutating func doubleIfPresent() -> Double? {
    ifPresent { $0.double() }
  }

  mutating func uuid() throws -> UUID {
    let column = advance()
    return try UUID(utf8: row.utf8(column)) ?? refuse(column, "a UUID")
  }

  mutating func day() throws -> Day {
    let column = advance()
    return try Day(utf8: row.utf8(column)) ?? refuse(column, "a date (YYYY-MM-DD)")
  }

  mutating func timestamp() throws -> Timestamp {
    let column = advance()
    return try Timestamp(row.text(column)) ?? refuse(column, "an ISO 8601 time")
  }

  mutating func uuidIfPresent() throws -> UUID? {
    try ifPresent { try $0.uuid() }
  }

  mutating func dayIfPresent() throws -> Day? {
    try ifPresent { try $0.day() }
  }

  mutating func timestampIfPresent() throws -> Timestamp? {
    try ifPresent { try $0.timestamp() }
  }

  mutating func word<Word: RawRepresentable<String>>() throws -> Word {
    let column = advance()
    return try Word(rawValue: row.text(column)) ?? refuse(column, "a word that this version knows")
  }

  mutating func wordIfPresent<Word: RawRepresentable<String>>() throws -> Word? {
    try ifPresent { try $0.word() }
  }

  mutating func level() throws -> AlertLevel {
    let column = advance()
    return try AlertLevel(rawValue: row.int(column)) ?? refuse(column, "an alert level")
  }

  mutating func levelIfPresent() throws -> AlertLevel? {
    try ifPresent { try $0.level() }
  }

  private mutating func advance() -> Int {
    defer { next += 1 }
    return next
  }

  private mutating func ifPresent<Value>(
    _ read: (inout RowDecoder) throws -> Value
  ) rethrows -> Value? {
    guard !row.isNull(next) else {
      next += 1
      return nil
    }
    return try read(&self)
  }

  private func refuse<Value>(_ column: Int, _ expected: String) throws -> Value {
    throw StorageError(
      .corrupt,
      "\(file.displayName): a row of \(table) has a \(columns[column]) that is not "
        + expected,
      hint: "correct the row; Vigil itself writes no such value")
  }
}

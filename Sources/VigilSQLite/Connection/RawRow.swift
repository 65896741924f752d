public import Foundation
import GRDB
import GRDBSQLite
public import VigilModel
public import VigilSQL
public import VigilStorage

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

  /// The bytes of a BLOB; good until the statement goes on.
  func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, CInt(column))
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, CInt(column))))
  }

  func text(_ column: Int) -> String {
    String(decoding: utf8(column), as: UTF8.self)
  }

  func name(of column: Int) -> String {
    sqlite3_column_name(handle, CInt(column)).map { String(cString: $0) } ?? ""
  }

  func textIfPresent(_ column: Int) -> String? {
    isNull(column) ? nil : text(column)
  }
}

/// Reads the columns of a row one after the other, into values.
public struct RowDecoder: RowReader {
  private let row: RawRow
  private let file: DatabaseFile
  private let table: String
  private var next = 0

  init(_ row: RawRow, of table: String, in file: DatabaseFile) {
    self.row = row
    self.file = file
    self.table = table
  }

  public var isNextNull: Bool { row.isNull(next) }

  public mutating func skip() { next += 1 }

  public mutating func int() -> Int { row.int(advance()) }

  public mutating func bool() throws -> Bool {
    let number = row.int(advance())
    return try require("0 or 1", number == 0 || number == 1 ? number == 1 : nil)
  }

  public mutating func double() -> Double { row.double(advance()) }

  public mutating func bytes() -> [UInt8] { Array(row.bytes(advance())) }

  public mutating func text() -> String { row.text(advance()) }

  public mutating func json() -> String { row.text(advance()) }

  public mutating func uuid() throws -> UUID {
    let id = UUID(utf8: row.utf8(advance()))
    return try require("a UUID", id)
  }

  public mutating func day() throws -> Day {
    let day = Day(utf8: row.utf8(advance()))
    return try require("a date (YYYY-MM-DD)", day)
  }

  public mutating func timestamp() throws -> Timestamp {
    let timestamp = Timestamp(row.text(advance()))
    return try require("an ISO 8601 time", timestamp)
  }

  public func refusal(expected: String) -> StorageError {
    .unreadable(row.name(of: next - 1), of: table, in: file.displayName, expected: expected)
  }

  private mutating func advance() -> Int {
    defer { next += 1 }
    return next
  }

  /// - Parameter value: Of the column before `next`. It is read before this is called, as an argument
  ///   would be read after `self` was copied.
  private func require<Value>(_ expected: String, _ value: Value?) throws -> Value {
    guard let value else { throw refusal(expected: expected) }
    return value
  }
}

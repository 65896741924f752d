import CLibPQ
public import Foundation
public import VigilModel
public import VigilSQL
public import VigilStorage

/// The owner of a `PGresult`; its values are in binary format.
final class QueryResult {
  private let handle: OpaquePointer
  let rowCount: Int

  init(_ handle: OpaquePointer) {
    self.handle = handle
    rowCount = Int(PQntuples(handle))
  }

  deinit {
    PQclear(handle)
  }

  var status: ExecStatusType { PQresultStatus(handle) }

  /// Rows that an INSERT, UPDATE or DELETE touched.
  var affectedRows: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

  func isNull(_ row: Int, _ column: Int) -> Bool {
    PQgetisnull(handle, CInt(row), CInt(column)) != 0
  }

  /// The bytes of a value, none for NULL; good while this object lives.
  func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: PQgetvalue(handle, CInt(row), CInt(column)),
      count: Int(PQgetlength(handle, CInt(row), CInt(column))))
  }

  /// A text, copied while the result is there.
  func text(_ row: Int, _ column: Int) -> String {
    withExtendedLifetime(self) { String(decoding: bytes(row, column), as: UTF8.self) }
  }

  /// An `integer`, read while the result is there.
  func int32(_ row: Int, _ column: Int) -> Int {
    withExtendedLifetime(self) { Int(BinaryFormat.integer(bytes(row, column), as: Int32.self)) }
  }

  /// A `boolean`, read while the result is there; false for NULL.
  func isTrue(_ row: Int, _ column: Int) -> Bool {
    withExtendedLifetime(self) { bytes(row, column).first == 1 }
  }

  func columnName(_ column: Int) -> String {
    PQfname(handle, CInt(column)).map { String(cString: $0) } ?? ""
  }

  private func field(_ code: Int32) -> String? {
    PQresultErrorField(handle, code).map { String(cString: $0) }
  }

  /// The error that this result stands for.
  var error: PostgresError {
    PostgresError(
      sqlState: field(Self.sqlState), message: field(Self.primaryMessage) ?? "no message",
      hint: field(Self.hint), table: field(Self.table), constraint: field(Self.constraint))
  }

  // PG_DIAG_...: character macros, which Swift does not import.
  private static let sqlState = Int32(UInt8(ascii: "C"))
  private static let primaryMessage = Int32(UInt8(ascii: "M"))
  private static let hint = Int32(UInt8(ascii: "H"))
  private static let table = Int32(UInt8(ascii: "t"))
  private static let constraint = Int32(UInt8(ascii: "n"))
}

/// Reads the columns of one row of a result one after the other.
public struct ResultRow: RowReader {
  private let result: QueryResult
  private let row: Int
  private let place: Place
  private var next = 0

  /// The place of a value, for messages about it.
  struct Place {
    var database: String
    var table: String
  }

  init(_ result: QueryResult, row: Int, place: Place) {
    self.result = result
    self.row = row
    self.place = place
  }

  public var isNextNull: Bool { result.isNull(row, next) }

  public mutating func skip() { next += 1 }

  public mutating func uuid() throws -> UUID {
    let bytes = advance()
    guard bytes.count == 16 else { throw refusal(expected: "a UUID") }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }

  public mutating func bytes() -> [UInt8] { Array(advance()) }

  public mutating func text() -> String {
    String(decoding: advance(), as: UTF8.self)
  }

  /// `jsonb` comes as a version byte and the text.
  public mutating func json() throws -> String {
    let bytes = advance()
    guard bytes.first == BinaryFormat.jsonbVersion else { throw refusal(expected: "JSON") }
    return String(decoding: bytes.dropFirst(), as: UTF8.self)
  }

  public mutating func int() throws -> Int {
    let bytes = advance()
    switch bytes.count {
    case 2: return Int(BinaryFormat.integer(bytes, as: Int16.self))
    case 4: return Int(BinaryFormat.integer(bytes, as: Int32.self))
    case 8: return Int(BinaryFormat.integer(bytes, as: Int64.self))
    default: throw refusal(expected: "a whole number")
    }
  }

  public mutating func bool() throws -> Bool {
    let bytes = advance()
    guard bytes.count == 1 else { throw refusal(expected: "a truth value") }
    return bytes[0] != 0
  }

  public mutating func double() throws -> Double {
    let bytes = advance()
    guard bytes.count == 8 else { throw refusal(expected: "a double") }
    return BinaryFormat.double(bytes)
  }

  public mutating func day() throws -> Day {
    let bytes = advance()
    guard bytes.count == 4, let day = BinaryFormat.day(bytes) else {
      throw refusal(expected: "a date")
    }
    return day
  }

  public mutating func timestamp() throws -> Timestamp {
    let bytes = advance()
    guard bytes.count == 8, let timestamp = BinaryFormat.timestamp(bytes) else {
      throw refusal(expected: "an instant")
    }
    return timestamp
  }

  public func refusal(expected: String) -> StorageError {
    .unreadable(
      result.columnName(next - 1), of: place.table, in: place.database, expected: expected)
  }

  private mutating func advance() -> UnsafeRawBufferPointer {
    defer { next += 1 }
    return result.bytes(row, next)
  }
}

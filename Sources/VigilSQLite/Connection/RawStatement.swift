import Foundation
import GRDB
import GRDBSQLite
import VigilModel
import VigilSQL
import VigilStorage

/// A prepared statement driven through the C interface, for the loops where a Swift value per
/// column would cost more than the query.
///
/// Every parameter has a few bytes of memory of its own that SQLite reads in place, so that ids,
/// days and instants are bound without a String or a copy. Parameters keep their value from one
/// execution to the next. Used on the connection's queue only.
final class RawStatement {
  private let statement: Statement
  private let handle: SQLiteStatement
  private let connection: SQLiteConnection?
  private let slots: UnsafeMutablePointer<UInt8>
  /// The instant that each parameter holds; most instants of a batch are the same.
  private var boundTimestamps: [Timestamp?]
  private var bindResult: CInt = SQLITE_OK
  private var lastPut = 0

  /// Longest text that is bound in place: a UUID has 36 bytes.
  private static let slotSize = 40

  /// - Parameter fillings: Those of the marks that the statement leaves open.
  convenience init(
    _ name: some StatementName, _ fillings: SQLFillings = [:], on db: Database
  ) throws {
    try self.init(rendered: SQLiteSession.library.statement(name, fillings).sql, on: db)
  }

  /// - Parameter sql: As SQLite takes it.
  init(rendered sql: String, on db: Database) throws {
    statement = try db.makeStatement(sql: sql)
    handle = statement.sqliteStatement
    connection = db.sqliteConnection
    let count = Int(sqlite3_bind_parameter_count(handle))
    slots = .allocate(capacity: max(1, count) * Self.slotSize)
    boundTimestamps = Array(repeating: nil, count: count + 1)
  }

  deinit {
    // The statement outlives this object by a moment and must not keep pointers into the slots.
    sqlite3_clear_bindings(handle)
    slots.deallocate()
  }

  // MARK: Parameters

  /// Binds the parameter after the one that was put last.
  func putNext(_ value: some RawBindable) {
    lastPut += 1
    bind(value, at: lastPut)
  }

  /// Binds the parameter with this number, from 1.
  func bind(_ value: some RawBindable, at index: Int) {
    guard index < boundTimestamps.count else {
      note(SQLITE_RANGE)
      return
    }
    value.bind(to: self, at: index)
  }

  fileprivate func bindNull(at index: Int) {
    boundTimestamps[index] = nil
    note(sqlite3_bind_null(handle, CInt(index)))
  }

  fileprivate func bind(integer: Int64, at index: Int) {
    note(sqlite3_bind_int64(handle, CInt(index), integer))
  }

  fileprivate func bind(real: Double, at index: Int) {
    note(sqlite3_bind_double(handle, CInt(index), real))
  }

  fileprivate func bind(id: UUID, at index: Int) {
    id.writeLowercased(to: slot(index))
    bindSlot(index, count: 36)
  }

  fileprivate func bind(timestamp: Timestamp, at index: Int) {
    guard boundTimestamps[index] != timestamp else { return }
    bind(text: timestamp.description, at: index)
    boundTimestamps[index] = timestamp
  }

  fileprivate func bind(text: consuming String, at index: Int) {
    boundTimestamps[index] = nil
    text.withUTF8 { bytes in
      if bytes.count <= Self.slotSize {
        _ = slot(index).update(fromContentsOf: bytes)
        bindSlot(index, count: bytes.count)
      } else {
        bytes.withMemoryRebound(to: CChar.self) { characters in
          note(
            sqlite3_bind_text(
              handle, CInt(index), characters.baseAddress, CInt(characters.count), transient))
        }
      }
    }
  }

  fileprivate func bind(bytes: [UInt8], at index: Int) {
    boundTimestamps[index] = nil
    bytes.withUnsafeBytes {
      note(sqlite3_bind_blob(handle, CInt(index), $0.baseAddress, CInt($0.count), transient))
    }
  }

  private func slot(_ index: Int) -> UnsafeMutableBufferPointer<UInt8> {
    UnsafeMutableBufferPointer(
      start: slots + (index - 1) * Self.slotSize, count: Self.slotSize)
  }

  private func bindSlot(_ index: Int, count: Int) {
    (slots + (index - 1) * Self.slotSize).withMemoryRebound(to: CChar.self, capacity: count) {
      note(sqlite3_bind_text(handle, CInt(index), $0, CInt(count), nil))
    }
  }

  private func note(_ result: CInt) {
    if result != SQLITE_OK { bindResult = result }
  }

  // MARK: Execution

  /// Runs a statement that gives no rows, and returns how many rows it changed.
  @discardableResult
  func run() throws -> Int {
    defer { reset() }
    while try step() {}
    return Int(sqlite3_changes(connection))
  }

  /// Calls `body` with each row; the row is good until `body` returns.
  func forEachRow(_ body: (RawRow) throws -> Void) throws {
    defer { reset() }
    let row = RawRow(handle: handle)
    while try step() { try body(row) }
  }

  private func reset() {
    sqlite3_reset(handle)
    lastPut = 0
  }

  private func step() throws -> Bool {
    guard bindResult == SQLITE_OK else {
      throw DatabaseError(resultCode: ResultCode(rawValue: bindResult))
    }
    let result = sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE { return false }
    throw DatabaseError(
      resultCode: ResultCode(rawValue: result), message: String(cString: sqlite3_errmsg(connection))
    )
  }
}

/// `SQLITE_TRANSIENT`, a macro that Swift does not import: SQLite makes a copy of its own.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension RawStatement: RowWriter {
  func put(_ id: UUID?) { putNext(id) }

  func put(_ text: String?) { putNext(text) }

  func put(_ integer: Int?) { putNext(integer) }

  func put(_ real: Double?) { putNext(real) }

  func put(_ day: Day?) { putNext(day) }

  func put(_ timestamp: Timestamp?) { putNext(timestamp) }

  func put(_ truth: Bool?) { putNext(truth.map { $0 ? 1 : 0 }) }

  func put(json: String) { putNext(json) }

  func put(_ bytes: [UInt8]) { putNext(bytes) }
}

/// A value that a parameter of a raw statement can hold.
protocol RawBindable {
  func bind(to statement: RawStatement, at index: Int)
}

extension UUID: RawBindable {
  func bind(to statement: RawStatement, at index: Int) { statement.bind(id: self, at: index) }
}

extension Day: RawBindable {
  func bind(to statement: RawStatement, at index: Int) {
    statement.bind(text: description, at: index)
  }
}

extension Timestamp: RawBindable {
  func bind(to statement: RawStatement, at index: Int) {
    statement.bind(timestamp: self, at: index)
  }
}

extension String: RawBindable {
  func bind(to statement: RawStatement, at index: Int) { statement.bind(text: self, at: index) }
}

extension Int: RawBindable {
  func bind(to statement: RawStatement, at index: Int) {
    statement.bind(integer: Int64(self), at: index)
  }
}

extension [UInt8]: RawBindable {
  func bind(to statement: RawStatement, at index: Int) { statement.bind(bytes: self, at: index) }
}

extension Double: RawBindable {
  func bind(to statement: RawStatement, at index: Int) { statement.bind(real: self, at: index) }
}

extension Optional: RawBindable where Wrapped: RawBindable {
  func bind(to statement: RawStatement, at index: Int) {
    if let self {
      self.bind(to: statement, at: index)
    } else {
      statement.bindNull(at: index)
    }
  }
}

extension InputValue: RawBindable {
  func bind(to statement: RawStatement, at index: Int) {
    switch self {
    case .null: statement.bindNull(at: index)
    case .text(let text): statement.bind(text: text, at: index)
    case .integer(let value): statement.bind(integer: value, at: index)
    case .real(let value): statement.bind(real: value, at: index)
    case .boolean(let value): statement.bind(integer: value ? 1 : 0, at: index)
    case .uuid(let id): statement.bind(id: id, at: index)
    case .day(let day): statement.bind(text: day.description, at: index)
    case .timestamp(let timestamp): statement.bind(timestamp: timestamp, at: index)
    }
  }
}

extension SQLValue: RawBindable {
  func bind(to statement: RawStatement, at index: Int) {
    switch self {
    case .null: statement.bindNull(at: index)
    case .text(let text), .json(let text): statement.bind(text: text, at: index)
    case .bytes(let bytes): statement.bind(bytes: bytes, at: index)
    case .integer(let value): statement.bind(integer: value, at: index)
    case .real(let value): statement.bind(real: value, at: index)
    case .boolean(let value): statement.bind(integer: value ? 1 : 0, at: index)
    case .uuid(let id): statement.bind(id: id, at: index)
    case .day(let day): statement.bind(text: day.description, at: index)
    case .timestamp(let timestamp): statement.bind(timestamp: timestamp, at: index)
    case .uuids(let ids):
      statement.bind(text: JSONString.array(ids.lazy.map(\.lowercased)), at: index)
    case .texts(let texts): statement.bind(text: JSONString.array(texts), at: index)
    }
  }
}

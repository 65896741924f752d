import Foundation
import VigilModel
import VigilStorage

/// Takes a binary COPY of metric rows apart and sends them to a sink.
///
/// Every message of the server holds whole rows; the first one begins with the header of the format.
struct MetricRowParser<Sink: MetricRowSink> {
  private let sink: Sink
  private let metricCount: Int
  private let reportsWear: Bool
  private let indexOfPerson: [UUID: Int]
  private let values: UnsafeMutableBufferPointer<Double>
  private let database: String

  private var hasHeader = false
  private var person: (id: UUID, index: Int)?
  private var sources = SourceIndexes()
  /// Rows that were passed over.
  private(set) var unusable = UnusableRows()

  /// - Parameter values: Room for one value a metric.
  init(
    sink: Sink, persons: [UUID], metricCount: Int, reportsWear: Bool,
    values: UnsafeMutableBufferPointer<Double>, database: String
  ) {
    self.sink = sink
    self.metricCount = metricCount
    self.reportsWear = reportsWear
    self.values = values
    self.database = database
    indexOfPerson = Dictionary(
      persons.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  private static var headerLength: Int { 11 }

  /// - Throws: `StorageError`.
  mutating func parse(_ message: UnsafeRawBufferPointer) throws {
    do {
      try parseRows(message)
    } catch is TruncatedRow {
      throw malformed
    }
  }

  private mutating func parseRows(_ message: UnsafeRawBufferPointer) throws {
    var position = 0
    if !hasHeader {
      // Signature, flags, and an extension of a length of its own.
      let extensionStart = Self.headerLength + 8
      guard message.count >= extensionStart else { throw malformed }
      let extensionLength = Wire.integer(
        UnsafeRawBufferPointer(rebasing: message[(extensionStart - 4)...]), as: Int32.self)
      position = extensionStart + Int(extensionLength)
      hasHeader = true
    }
    while position < message.count {
      position = try parseRow(message, at: position)
    }
  }

  /// Gives the position after the row.
  private mutating func parseRow(
    _ message: UnsafeRawBufferPointer, at start: Int
  ) throws -> Int {
    var cursor = Cursor(message, start)
    let columnCount = try cursor.columnCount()
    // What ends the format.
    if columnCount == -1 { return message.count }
    guard columnCount == MetricCopy.leadingColumns + metricCount + (reportsWear ? 1 : 0) else {
      throw malformed
    }
    let id = try cursor.field(), date = try cursor.field(), source = try cursor.field()
    let updatedAt = try cursor.timestamp()
    for metric in 0..<metricCount { values[metric] = try cursor.double() }
    let isWorn = try !reportsWear || cursor.field().first == 1

    // Rows without a person are nobody's, and COPY was asked for these persons only.
    guard id.count == 16, let index = index(of: id.loadUnaligned(as: uuid_t.self)) else {
      return cursor.position
    }
    guard date.count == 4 else { throw noDate }
    guard let day = Wire.day(date) else {
      unusable.addRow(
        of: MetricCopy.table, .impossibleDate,
        key: [
          UUID(uuid: id.loadUnaligned(as: uuid_t.self)).lowercased, "",
          String(decoding: source, as: UTF8.self),
        ])
      return cursor.position
    }
    let sourceIndex = sources.index(of: source) { sink.index(ofSource: $0) }
    sink.append(
      person: index, day: day, source: sourceIndex, values: UnsafeBufferPointer(values),
      isWorn: isWorn, updatedAt: updatedAt)
    return cursor.position
  }

  private mutating func index(of bytes: uuid_t) -> Int? {
    let id = UUID(uuid: bytes)
    if let person, person.id == id { return person.index }
    guard let index = indexOfPerson[id] else { return nil }
    person = (id, index)
    return index
  }

  private var malformed: StorageError {
    StorageError(
      .unexpected, "\(database) sent rows of \(MetricCopy.table) in a form that is not binary COPY")
  }

  private var noDate: StorageError {
    StorageError(
      .corrupt, "\(database): metric_date of \(MetricCopy.table) is not of the type date",
      hint: "cast it in the view: metric_date::date")
  }
}

/// Goes through the fields of a row.
private struct Cursor {
  private let message: UnsafeRawBufferPointer
  private(set) var position: Int

  init(_ message: UnsafeRawBufferPointer, _ position: Int) {
    self.message = message
    self.position = position
  }

  private mutating func take(_ count: Int) throws -> UnsafeRawBufferPointer {
    guard count >= 0, position + count <= message.count else { throw TruncatedRow() }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: message[position..<position + count])
  }

  mutating func columnCount() throws -> Int {
    Int(Wire.integer(try take(2), as: Int16.self))
  }

  /// Empty for NULL.
  mutating func field() throws -> UnsafeRawBufferPointer {
    let length = Int(Wire.integer(try take(4), as: Int32.self))
    return try take(max(0, length))
  }

  /// NaN for NULL; a stored NaN is a value, though none that is finite.
  mutating func double() throws -> Double {
    let bytes = try field()
    guard bytes.count == 8 else { return .nan }
    let value = Wire.double(bytes)
    return value.isNaN ? .infinity : value
  }

  /// Nil for NULL and `infinity`.
  mutating func timestamp() throws -> Timestamp? {
    let bytes = try field()
    return bytes.count == 8 ? Wire.timestamp(bytes) : nil
  }
}

private struct TruncatedRow: Error {}

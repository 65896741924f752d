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
  private let reportsCreation: Bool
  private let indexOfPerson: [UUID: Int]
  private let values: UnsafeMutableBufferPointer<Double>
  private let database: String

  private var hasHeader = false
  private var person: (id: UUID, index: Int)?
  private var sources = SourceIndexes()
  /// Unusable rows, which were ignored.
  private(set) var unusable = UnusableRows()

  /// - Parameter values: Room for one value a metric.
  init(
    sink: Sink, persons: [UUID], metricCount: Int, reportsWear: Bool,
    values: UnsafeMutableBufferPointer<Double>, database: String
  ) {
    self.sink = sink
    self.metricCount = metricCount
    self.reportsWear = reportsWear
    reportsCreation = sink.wantsCreation
    self.values = values
    self.database = database
    indexOfPerson = Dictionary(
      persons.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  /// - Throws: `StorageError`.
  mutating func parse(_ message: UnsafeRawBufferPointer) throws {
    do {
      try parseRows(message)
    } catch is CopyCursor.TruncatedRow {
      throw malformed
    }
  }

  private mutating func parseRows(_ message: UnsafeRawBufferPointer) throws {
    var position = 0
    if !hasHeader {
      position = try CopyCursor.headerLength(of: message)
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
    var cursor = CopyCursor(message, start)
    let columnCount = try cursor.columnCount()
    // What ends the format.
    if columnCount == -1 { return message.count }
    let others = (reportsWear ? 1 : 0) + (reportsCreation ? 1 : 0)
    guard columnCount == MetricCopy.leadingColumns + metricCount + others else {
      throw malformed
    }
    let id = try cursor.field(), date = try cursor.field(), source = try cursor.field()
    let updatedAt = try cursor.timestamp()
    for metric in 0..<metricCount { values[metric] = try cursor.double() }
    let isOtherPositive = try reportsWear && cursor.field().first == 1
    let createdAt = try reportsCreation ? cursor.timestamp() : nil

    // COPY was asked for these persons only; rows without a person belong to none of them.
    guard id.count == 16, let index = index(of: id.loadUnaligned(as: uuid_t.self)) else {
      return cursor.position
    }
    guard date.count == 4 else { throw noDate }
    guard let day = BinaryFormat.day(date) else {
      unusable.addRow(
        of: MetricCopy.table, .impossibleDate,
        key: [
          UUID(uuid: id.loadUnaligned(as: uuid_t.self)).lowercased, "",
          String(decoding: source, as: UTF8.self),
        ])
      return cursor.position
    }
    let sourceIndex = sources.index(of: source) { sink.index(ofSource: $0) }
    if reportsCreation { sink.noteCreation(at: createdAt) }
    sink.append(
      person: index, day: day, source: sourceIndex, values: UnsafeBufferPointer(values),
      isOtherPositive: isOtherPositive, updatedAt: updatedAt)
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
      remedy: "cast it in the view: metric_date::date")
  }
}

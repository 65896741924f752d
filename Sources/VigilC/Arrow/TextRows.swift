import CVigil
import VigilModel

/// The texts of a column, each different one once.
struct TextRows {
  /// The different texts, in the order in which they first stand.
  private(set) var values: [String] = []
  /// By row, the index of its text; -1 for null.
  private var indices: [Int32] = []

  /// - Throws: `Failure` where a text is no UTF-8 or has a NUL in it.
  init(_ column: ArrowColumn) throws(Failure) {
    if let dictionary = try column.dictionary() {
      try readDictionary(dictionary, column)
    } else {
      try read(TextColumn(column))
    }
  }

  /// The index of a row's text among `values`; nil for null.
  func index(_ row: Int) -> Int? {
    let index = Int(indices[row])
    return index < 0 ? nil : index
  }

  private mutating func read(_ texts: TextColumn) throws(Failure) {
    indices.reserveCapacity(texts.column.count)
    var known: [String: Int32] = [:]
    var last: (bytes: [UInt8], index: Int32) = ([], -1)
    try texts.forEach { row, bytes throws(Failure) in
      guard let bytes else {
        indices.append(-1)
        return
      }
      // Rows of one person follow each other mostly.
      if last.index >= 0,
        last.bytes.withUnsafeBytes({ $0.hasSameBytes(as: UnsafeRawBufferPointer(bytes)) })
      {
        indices.append(last.index)
        return
      }
      guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
        throw texts.column.fault("holds what is no text in UTF-8, or a NUL, in row \(row)")
      }
      let index = known[text] ?? Int32(values.count)
      if Int(index) == values.count {
        values.append(text)
        known[text] = index
      }
      last = (Array(bytes), index)
      indices.append(index)
    }
  }

  private mutating func readDictionary(
    _ dictionary: ArrowColumn, _ column: ArrowColumn
  ) throws(Failure) {
    let own = try TextRows(dictionary)
    guard IntegerColumn.canRead(column.format) else {
      throw column.fault("has a dictionary whose indices are \(column.typeWords)")
    }
    let numbers = try IntegerColumn(column)
    values = own.values
    indices.reserveCapacity(column.count)
    for row in 0..<column.count {
      if numbers.isNull(row) {
        indices.append(-1)
        continue
      }
      let place = numbers.value(row)
      guard place >= 0, place < dictionary.count else {
        throw column.fault(
          "has index \(place) in row \(row), and its dictionary \(dictionary.count) values")
      }
      indices.append(own.indices[Int(place)])
    }
  }
}

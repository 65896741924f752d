import CVigil
import VigilModel

/// The columns of a batch by name, as values that may be missing.
///
/// A column that may be missing as a whole gives nil for each row. An empty text is a missing value, as in CSV files.
struct Cells {
  let batch: RecordBatch
  /// The table in messages, such as `doses`.
  let table: String

  // MARK: Columns that may be missing

  func texts(_ names: [String]) throws(Failure) -> [String?] {
    guard let column = try batch.column(names), column.format != "n" else { return missing() }
    let rows = try TextRows(column)
    return (0..<batch.count).map { row in
      rows.index(row).flatMap { rows.values[$0].isEmpty ? nil : rows.values[$0] }
    }
  }

  func days(_ names: [String]) throws(Failure) -> [Day?] {
    guard let column = try batch.column(names) else { return missing() }
    return try DayColumn.readNullable(column).map { $0.map(Day.init(ordinal:)) }
  }

  func instants(_ names: [String]) throws(Failure) -> [Timestamp?] {
    guard let column = try batch.column(names) else { return missing() }
    return try InstantColumn.read(column)
  }

  /// Numbers; NaN is a missing value.
  func numbers(_ names: [String]) throws(Failure) -> [Double?] {
    guard let column = try batch.column(names) else { return missing() }
    guard NumberColumn.canRead(column.format), try column.dictionary() == nil else {
      throw column.fault("holds \(column.typeWords); give numbers")
    }
    let numbers = try NumberColumn(column)
    var values = [Double](repeating: .nan, count: batch.count)
    values.withUnsafeMutableBufferPointer { buffer in
      guard let target = buffer.baseAddress else { return }
      numbers.write(0..<batch.count, to: target, stride: 1)
    }
    return values.map { $0.isNaN ? nil : $0 }
  }

  /// Whole numbers, which may be stored as floating-point ones.
  func integers(_ names: [String]) throws(Failure) -> [Int?] {
    var integers: [Int?] = []
    for (row, value) in try numbers(names).enumerated() {
      // More than any count, and within `Int32`.
      guard let value else {
        integers.append(nil)
        continue
      }
      guard let integer = Int(exactly: value), integer.magnitude <= 1_000_000_000 else {
        throw .data("column \"\(names[0])\" holds \(value) in row \(row); give a whole number")
      }
      integers.append(integer)
    }
    return integers
  }

  /// Booleans, the numbers 0 and 1, or the texts true and false.
  func flags(_ names: [String]) throws(Failure) -> [Bool?] {
    guard let column = try batch.column(names) else { return missing() }
    let values: [Bool??]
    if NumberColumn.canRead(column.format), try column.dictionary() == nil {
      values = try numbers(names).map { number in
        number.map { $0 == 0 ? false : $0 == 1 ? true : nil }
      }
    } else {
      values = try texts(names).map { text in
        text.map { ["true": true, "false": false][$0] }
      }
    }
    var flags: [Bool?] = []
    for (row, value) in values.enumerated() {
      switch value {
      case .some(nil): throw column.fault("is neither true nor false in row \(row)")
      case .some(let flag): flags.append(flag)
      case nil: flags.append(nil)
      }
    }
    return flags
  }

  private func missing<Value>() -> [Value?] { Array(repeating: nil, count: batch.count) }

  // MARK: Ids

  /// Ids by row; nil for null.
  ///
  /// A text that is no UUID stands for the one that an import makes of it.
  func ids(_ names: [String]) throws(Failure) -> [UUID?] {
    guard let column = try batch.column(names), column.format != "n" else { return missing() }
    let rows = try TextRows(column)
    for text in rows.values where text.utf8.count > Self.longestID {
      throw column.fault("holds an id of more than \(Self.longestID) bytes")
    }
    let ids = rows.values.map { $0.isEmpty ? nil : UUID(uuidString: $0) ?? UUID(name: $0) }
    return (0..<batch.count).map { row in rows.index(row).flatMap { ids[$0] } }
  }

  /// Bytes of an id at most.
  private static let longestID = 1_000

  // MARK: Values that no row may lack

  /// The values of a column.
  ///
  /// - Parameter values: By row.
  /// - Throws: `Failure` where the column or one of them is missing.
  func required<Value>(
    _ names: [String], _ meaning: String, _ values: [Value?]
  ) throws(Failure) -> [Value] {
    _ = try batch.requiredColumn(names, meaning)
    var all: [Value] = []
    all.reserveCapacity(values.count)
    for (row, value) in values.enumerated() {
      guard let value else {
        throw .data(
          "column \"\(names[0])\" of the \(table) is null in row \(row); every row needs it")
      }
      all.append(value)
    }
    return all
  }
}

import CVigil
import VigilModel

/// Reads a column of dates: Arrow's dates, timestamps at midnight, or texts `YYYY-MM-DD`.
enum DayColumn {
  /// By row, days since 1970-01-01.
  ///
  /// - Throws: `Failure` with the first row that is null, no date or not at midnight.
  static func read(_ column: ArrowColumn) throws(Failure) -> [Int32] {
    try read(column) { row throws(Failure) in
      throw column.fault("is null in row \(row); every row needs a date")
    }
  }

  /// By row, days since 1970-01-01; nil for null and an empty text.
  ///
  /// - Throws: `Failure` with the first row that is no date or not at midnight.
  static func readNullable(_ column: ArrowColumn) throws(Failure) -> [Int32?] {
    if column.format == "n" { return Array(repeating: nil, count: column.count) }
    let days = try read(column) { _ in Int32.min }
    return days.map { $0 == .min ? nil : $0 }
  }

  /// - Parameter null: Gives what stands for null.
  private static func read(
    _ column: ArrowColumn, null: (_ row: Int) throws(Failure) -> Int32
  ) throws(Failure) -> [Int32] {
    if try column.dictionary() != nil || ["u", "U", "vu"].contains(column.format) {
      return try readTexts(column, null: null)
    }
    let unit: Int64
    switch column.format {
    case "tdD": return try readDays(column, null: null)
    case "tdm": unit = 1_000
    case let format where format.hasPrefix("tss:"): unit = 1
    case let format where format.hasPrefix("tsm:"): unit = 1_000
    case let format where format.hasPrefix("tsu:"): unit = 1_000_000
    case let format where format.hasPrefix("tsn:"): unit = 1_000_000_000
    default:
      throw column.fault(
        "holds \(column.typeWords); give dates, timestamps at midnight or texts such as 2026-06-30"
      )
    }
    let validity = try column.validity()
    let values = try column.buffer(1)
    var days: [Int32] = []
    days.reserveCapacity(column.count)
    for row in 0..<column.count {
      if let validity, !ArrowColumn.bit(column.start + row, of: validity) {
        days.append(try null(row))
        continue
      }
      let value = values.loadUnaligned(fromByteOffset: (column.start + row) * 8, as: Int64.self)
      let (day, rest) = value.quotientAndRemainder(dividingBy: 86_400 * unit)
      guard rest == 0 else {
        throw column.fault(
          "has a time that is not midnight in row \(row); give the date of the day")
      }
      days.append(try checked(day, row, column))
    }
    return days
  }

  private static func readDays(
    _ column: ArrowColumn, null: (_ row: Int) throws(Failure) -> Int32
  ) throws(Failure) -> [Int32] {
    let validity = try column.validity()
    let values = try column.buffer(1)
    var days: [Int32] = []
    days.reserveCapacity(column.count)
    for row in 0..<column.count {
      if let validity, !ArrowColumn.bit(column.start + row, of: validity) {
        days.append(try null(row))
        continue
      }
      let value = values.loadUnaligned(fromByteOffset: (column.start + row) * 4, as: Int32.self)
      days.append(try checked(Int64(value), row, column))
    }
    return days
  }

  private static func readTexts(
    _ column: ArrowColumn, null: (_ row: Int) throws(Failure) -> Int32
  ) throws(Failure) -> [Int32] {
    var days = [Int32](repeating: 0, count: column.count)
    let texts = try TextRows(column)
    var known: [Int32?] = Array(repeating: nil, count: texts.values.count)
    for row in 0..<column.count {
      guard let index = texts.index(row) else {
        days[row] = try null(row)
        continue
      }
      if let day = known[index] {
        days[row] = day
        continue
      }
      if texts.values[index].isEmpty {
        days[row] = try null(row)
        continue
      }
      guard let day = Day(texts.values[index]) else {
        throw column.fault(
          "holds \"\(texts.values[index].prefix(40))\" in row \(row), which is no date such as 2026-06-30"
        )
      }
      known[index] = day.ordinal
      days[row] = day.ordinal
    }
    return days
  }

  private static func checked(
    _ day: Int64, _ row: Int, _ column: ArrowColumn
  ) throws(Failure) -> Int32 {
    let calendar = Day.calendar
    guard day >= calendar.lowerBound.ordinal, day <= calendar.upperBound.ordinal else {
      throw column.fault("has a date in row \(row) that is not in the years 1 to 9999")
    }
    return Int32(day)
  }
}

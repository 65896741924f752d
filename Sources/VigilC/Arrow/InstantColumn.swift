import CVigil
import VigilModel

/// Reads a column of instants: Arrow's timestamps with a time zone, or texts in ISO 8601.
enum InstantColumn {
  /// By row, the instant; nil for null and an empty text.
  ///
  /// Fractions of a microsecond are cut off.
  ///
  /// - Throws: `Failure` with the first row that is no instant of the years 1 to 9999.
  static func read(_ column: ArrowColumn) throws(Failure) -> [Timestamp?] {
    if column.format == "n" { return Array(repeating: nil, count: column.count) }
    if try column.dictionary() != nil || ["u", "U", "vu"].contains(column.format) {
      return try readTexts(column)
    }
    let (unit, microseconds): (Int64, Int64)
    switch column.format.prefix(4) {
    case "tss:": (unit, microseconds) = (1, 1_000_000)
    case "tsm:": (unit, microseconds) = (1, 1_000)
    case "tsu:": (unit, microseconds) = (1, 1)
    case "tsn:": (unit, microseconds) = (1_000, 1)
    default:
      throw column.fault(
        "holds \(column.typeWords); give timestamps with a time zone or texts such as 2026-06-30T08:00:00Z"
      )
    }
    guard column.format.utf8.count > 4 else {
      throw column.fault(
        "has timestamps without a time zone; give instants, such as those of the same column in UTC"
      )
    }
    let validity = try column.validity()
    let values = try column.buffer(1)
    var instants: [Timestamp?] = []
    instants.reserveCapacity(column.count)
    for row in 0..<column.count {
      if let validity, !ArrowColumn.bit(column.start + row, of: validity) {
        instants.append(nil)
        continue
      }
      let value = values.loadUnaligned(fromByteOffset: (column.start + row) * 8, as: Int64.self)
      let (whole, rest) = value.quotientAndRemainder(dividingBy: unit)
      let (time, isTooLarge) = (whole - (rest < 0 ? 1 : 0)).multipliedReportingOverflow(
        by: microseconds)
      guard !isTooLarge, calendar.contains(time) else {
        throw column.fault("has an instant in row \(row) that is not in the years 1 to 9999")
      }
      instants.append(Timestamp(microseconds: time))
    }
    return instants
  }

  private static let calendar =
    Day.calendar.lowerBound.midnight.microseconds...Day.calendar.upperBound.midnight.microseconds

  private static func readTexts(_ column: ArrowColumn) throws(Failure) -> [Timestamp?] {
    let texts = try TextRows(column)
    var instants: [Timestamp?] = []
    instants.reserveCapacity(column.count)
    for row in 0..<column.count {
      guard let index = texts.index(row) else {
        instants.append(nil)
        continue
      }
      let text = texts.values[index]
      if text.isEmpty {
        instants.append(nil)
        continue
      }
      guard let instant = Timestamp(text) else {
        throw column.fault(
          "holds \"\(text.prefix(40))\" in row \(row), which is no instant such as 2026-06-30T08:00:00Z"
        )
      }
      instants.append(instant)
    }
    return instants
  }
}

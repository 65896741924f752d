import VigilStorage

/// Finds the decimal mark of the numbers of a file.
struct DecimalSurvey {
  /// The line of the first number that has a point before its fraction, or commas between groups.
  private var pointLine: Int?
  /// The line of the first number that has a comma before its fraction, or points between groups.
  private var commaLine: Int?
  /// The line of the first number with one mark before three digits, which can be either.
  private var openLine: Int?
  private var hasOpenComma = false

  /// - Parameter isCount: Whether the column has whole numbers, in which a mark before three digits is between groups.
  mutating func add(_ bytes: FieldParser.Bytes, line: Int, isCount: Bool = false) {
    var points = 0
    var commas = 0
    var last = -1
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "."): points += 1
      case UInt8(ascii: ","): commas += 1
      default: continue
      }
      last = index
    }
    guard last >= 0 else { return }
    let lastIsComma = bytes[last] == UInt8(ascii: ",")
    if points + commas == 1 {
      let start = bytes.first == UInt8(ascii: "-") ? 1 : 0
      let canBeGroup =
        bytes.count - last == 4 && (1...3).contains(last - start)
        && bytes[start] != UInt8(ascii: "0")
      if canBeGroup, isCount {
        note(isComma: !lastIsComma, line)
      } else if canBeGroup {
        openLine = openLine ?? line
        if lastIsComma { hasOpenComma = true }
      } else {
        note(isComma: lastIsComma, line)
      }
    } else if points == 0 || commas == 0 {
      // Several marks of one kind stand between groups.
      note(isComma: !lastIsComma, line)
    } else {
      note(isComma: lastIsComma, line)
    }
  }

  private mutating func note(isComma: Bool, _ line: Int) {
    if isComma {
      commaLine = commaLine ?? line
    } else {
      pointLine = pointLine ?? line
    }
  }

  /// The mark of all numbers; a point where no number has any.
  ///
  /// - Parameters:
  ///   - file: The name of the file in an error.
  ///   - delimiter: The byte between fields; where it is a comma, one before three digits stands
  ///     between groups only in quotes, and one point is taken for a decimal point.
  /// - Throws: `ImportError` where the mark cannot be known.
  func mark(file: String, delimiter: UInt8) throws -> DecimalMark {
    switch (pointLine, commaLine, openLine) {
    case (.some(let point), .some(let comma), _):
      throw ImportError(
        .badData,
        "\(file): numbers contradict each other: the decimal mark in line \(point) is a point, in line"
          + " \(comma) a comma; nothing was imported", remedy: .chooseDecimalMark(quarantines: true)
      )
    case (nil, .some, _): return .comma
    case (.some, nil, _), (nil, nil, nil): return .point
    case (nil, nil, .some(let line)):
      if !hasOpenComma, delimiter == UInt8(ascii: ",") { return .point }
      throw ImportError(
        .badData,
        "\(file): the mark before three digits (first in line \(line)) can be a decimal mark or one"
          + " between thousands; nothing was imported",
        remedy: .chooseDecimalMark(quarantines: false))
    }
  }
}

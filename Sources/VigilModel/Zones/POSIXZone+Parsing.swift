extension POSIXZone {
  /// Reads the rule; nil where it is malformed.
  ///
  /// - Parameter allowsLongTimes: Whether times of changes may have a sign and up to 167 hours, which
  ///   files of version 2 may not.
  init?(_ text: [UInt8], allowsLongTimes: Bool) {
    var reader = Reader(text: text[...], allowsLongTimes: allowsLongTimes)
    guard reader.name(), let west = reader.offset() else { return nil }
    standardOffset = -west
    guard !reader.isAtEnd else { return }
    guard reader.name() else { return nil }
    var offset = standardOffset + 3600
    if !reader.has(",") {
      guard let west = reader.offset() else { return nil }
      offset = -west
    }
    guard abs(offset) < 86_400, reader.take(","), let start = reader.change(), reader.take(","),
      let end = reader.change(), reader.isAtEnd
    else { return nil }
    daylight = Daylight(offset: offset, start: start, end: end)
  }

  /// Takes the parts of the rule one after the other.
  private struct Reader {
    var text: ArraySlice<UInt8>
    let allowsLongTimes: Bool

    var isAtEnd: Bool { text.isEmpty }

    func has(_ character: Unicode.Scalar) -> Bool { text.first == UInt8(ascii: character) }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard has(character) else { return false }
      text = text.dropFirst()
      return true
    }

    /// Skips `CET` or `<+03>`; false where there is no name.
    mutating func name() -> Bool {
      if take("<") {
        let quoted = text.prefix { Self.isLetter($0) || Self.isDigit($0) || $0 == 43 || $0 == 45 }
        text = text.dropFirst(quoted.count)
        return quoted.count >= 3 && take(">")
      }
      let letters = text.prefix(while: Self.isLetter)
      text = text.dropFirst(letters.count)
      return letters.count >= 3
    }

    /// Reads seconds west of UTC, less than a day.
    mutating func offset() -> Int? {
      guard let offset = time(mostHours: 24, allowsSign: true), abs(offset) < 86_400 else {
        return nil
      }
      return offset
    }

    /// Reads a date and the time of day, which is 02:00 where none is given.
    mutating func change() -> Change? {
      guard let date = date() else { return nil }
      guard take("/") else { return Change(date: date, time: 7200) }
      let time = time(mostHours: allowsLongTimes ? 167 : 24, allowsSign: allowsLongTimes)
      return time.map { Change(date: date, time: $0) }
    }

    private mutating func date() -> Date? {
      if take("J") { return number(in: 1...365).map { .withoutLeapDay($0) } }
      guard take("M") else { return number(in: 0...365).map { .day($0) } }
      guard let month = number(in: 1...12), take("."), let week = number(in: 1...5), take("."),
        let day = number(in: 0...6)
      else { return nil }
      return .weekday(month: month, week: week, day: day)
    }

    /// Reads `2`, `02:30` or `-1:30:15`.
    private mutating func time(mostHours: Int, allowsSign: Bool) -> Int? {
      var sign = 1
      if allowsSign, take("-") {
        sign = -1
      } else if allowsSign {
        _ = take("+")
      }
      guard let hours = number(in: 0...mostHours) else { return nil }
      var seconds = hours * 3600
      if take(":") {
        guard let minutes = number(in: 0...59) else { return nil }
        seconds += minutes * 60
        if take(":") {
          guard let rest = number(in: 0...59) else { return nil }
          seconds += rest
        }
      }
      return seconds <= mostHours * 3600 ? sign * seconds : nil
    }

    /// Reads a number of up to three digits.
    private mutating func number(in range: ClosedRange<Int>) -> Int? {
      let digits = text.prefix(while: Self.isDigit)
      guard (1...3).contains(digits.count) else { return nil }
      text = text.dropFirst(digits.count)
      let number = digits.reduce(0) { $0 * 10 + Int($1) - 48 }
      return range.contains(number) ? number : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte & 0xDF) }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
  }
}

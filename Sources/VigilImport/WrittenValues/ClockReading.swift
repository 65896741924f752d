import VigilModel

/// A date and a time of day as a clock showed them, such as `2026-06-01T23:10:00+02:00` or `2026-06-01 22:30:00.000`.
struct ClockReading {
  let day: Day
  /// Since 1970 on that clock.
  let microseconds: Int64
  /// The distance of the clock from UTC in seconds; nil where the text does not say it.
  let offset: Int?

  /// - Returns: Nil for a text without a date or without a time.
  init?(_ text: String) {
    let clock = text.dropFirst(11)
    let end = clock.firstIndex { !("0123456789:.".contains($0)) } ?? clock.endIndex
    let time = clock[..<end].prefix(8)
    guard let day = Day(String(text.prefix(10))),
      let reading = Timestamp("\(day)T\(time.utf8.count == 5 ? "\(time):00" : "\(time)")Z")
    else { return nil }
    self.day = day
    microseconds = reading.microseconds
    offset = Self.offset(String(clock[end...]))
  }

  /// Seconds of `+02:00`, `-0400` and `UTC+0200`; 0 for `Z` and `UTC`, nil for anything else.
  static func offset(_ text: String) -> Int? {
    var rest = Substring(text.uppercased().filter { $0 != " " })
    for word in ["UTC", "GMT", "Z"] where rest.hasPrefix(word) { rest = rest.dropFirst(word.count) }
    if rest.isEmpty { return text.isEmpty ? nil : 0 }
    guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
    let digits = rest.dropFirst().filter { $0 != ":" }
    guard digits.utf8.count == 4 || digits.utf8.count == 2, let number = Int(digits) else {
      return nil
    }
    let minutes = digits.utf8.count == 2 ? number * 60 : number / 100 * 60 + number % 100
    return (sign == "-" ? -1 : 1) * minutes * 60
  }
}

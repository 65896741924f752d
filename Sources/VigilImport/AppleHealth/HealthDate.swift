import VigilModel

/// A point in time as Apple Health writes it: `2026-06-30 07:15:00 +0200`.
struct HealthDate {
  /// The date on the clock of the record.
  var day: Day
  /// Seconds since midnight on that clock.
  var seconds: Int
  /// Seconds by which that clock is before UTC.
  var offset: Int

  /// Seconds since 1970 in UTC.
  var instant: Int64 { Int64(day.ordinal) * 86_400 + Int64(seconds - offset) }

  var hour: Int { seconds / 3600 }

  /// The same moment on a clock of the zone.
  func shown(in zone: ZoneRules) -> HealthDate {
    let local = zone.local(instant * 1_000_000) / 1_000_000
    var date = self
    date.offset = Int(local - instant)
    date.day = Day(ordinal: Int32(clamping: (local - (local % 86_400 + 86_400) % 86_400) / 86_400))
    date.seconds = Int((local % 86_400 + 86_400) % 86_400)
    return date
  }

  init?(_ text: UnsafePointer<CChar>) {
    // "YYYY-MM-DD HH:MM:SS +HHMM"; a NUL anywhere ends the reading at once.
    func digits(_ range: Range<Int>) -> Int? {
      var number = 0
      for index in range {
        let digit = UInt8(bitPattern: text[index]) &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        number = number * 10 + Int(digit)
      }
      return number
    }
    func has(_ mark: Unicode.Scalar, at index: Int) -> Bool {
      UInt8(bitPattern: text[index]) == UInt8(ascii: mark)
    }
    guard let year = digits(0..<4), has("-", at: 4), let month = digits(5..<7), has("-", at: 7),
      let dayOfMonth = digits(8..<10), has(" ", at: 10), let hour = digits(11..<13),
      has(":", at: 13), let minute = digits(14..<16), has(":", at: 16),
      let second = digits(17..<19), has(" ", at: 19), has("+", at: 20) || has("-", at: 20),
      let offsetHours = digits(21..<23), let offsetMinutes = digits(23..<25), text[25] == 0,
      hour < 24, minute < 60, second < 61, offsetHours < 24, offsetMinutes < 60,
      let day = Day(year: year, month: month, day: dayOfMonth)
    else { return nil }
    self.day = day
    seconds = hour * 3600 + minute * 60 + second
    offset = (offsetHours * 3600 + offsetMinutes * 60) * (has("-", at: 20) ? -1 : 1)
  }
}

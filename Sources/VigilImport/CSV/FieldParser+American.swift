import VigilModel

extension FieldParser {
  /// `M/D/YYYY`, with or without a time behind it; accepts every year.
  func americanDay(_ bytes: Bytes) throws(Refusal) -> Day {
    try americanDay(String(decoding: bytes, as: UTF8.self).prefix { $0 != " " })
  }

  private func americanDay(_ text: Substring) throws(Refusal) -> Day {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let month = Self.number(parts[0]), let day = Self.number(parts[1]),
      parts[2].utf8.count == 4, let year = Self.number(parts[2]),
      let day = Day(year: year, month: month, day: day)
    else { throw Refusal("not a date (M/D/YYYY)") }
    return day
  }

  /// `M/D/YYYY H:MM`, in UTC.
  func americanTime(_ bytes: Bytes) throws(Refusal) -> Timestamp {
    let words = String(decoding: bytes, as: UTF8.self)
      .split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, let day = try? americanDay(words[0]),
      let time = Self.timeOfDay(words[1])
    else { throw Refusal("not a time (M/D/YYYY H:MM)") }
    return day.midnight.adding(seconds: Int64(time.minutes) * 60)
  }

  /// `H:MM`, of 24 hours.
  func shortTimeOfDay(_ bytes: Bytes) throws(Refusal) -> TimeOfDay {
    guard let time = Self.timeOfDay(Substring(decoding: bytes, as: UTF8.self)) else {
      throw Refusal("not a time of day (H:MM)")
    }
    return time
  }

  private static func timeOfDay(_ text: Substring) -> TimeOfDay? {
    TimeOfDay(text.utf8.count == 4 ? "0\(text)" : String(text))
  }

  private static func number(_ digits: Substring) -> Int? {
    digits.utf8.allSatisfy { (48...57).contains($0) } ? Int(digits) : nil
  }
}

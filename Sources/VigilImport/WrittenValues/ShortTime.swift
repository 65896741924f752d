import VigilModel

/// The date and the time of day of `MM/DD/YY HH:MM:SS`, of this century, as Fitbit writes them.
struct ShortTime {
  let day: Day
  /// Since midnight; 0 without a time.
  let second: Int32

  /// - Returns: Nil for a text that does not begin with such a date.
  init?(_ text: String) {
    let parts = text.prefix { $0 != " " }.split(
      separator: "/", omittingEmptySubsequences: false
    ).map { $0.utf8.count == 2 ? UInt8($0).map(Int.init) : nil }
    guard parts.count == 3, let month = parts[0], let dayOfMonth = parts[1], let year = parts[2],
      let day = Day(year: 2000 + year, month: month, day: dayOfMonth)
    else { return nil }
    self.day = day
    let clock = text.drop { $0 != " " }.dropFirst().split(separator: ":").compactMap { Int32($0) }
    second = clock.reduce(0) { $0 &* 60 &+ $1 }
  }
}

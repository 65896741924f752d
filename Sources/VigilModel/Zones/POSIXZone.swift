/// A rule that says when clocks change in every year, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// This is the `TZ` string of POSIX in the form that RFC 9636 section 3.3 gives it: both dates of
/// summer time are there, and since version 3 their times go from -167 to 167 hours.
struct POSIXZone: Hashable {
  /// Seconds ahead of UTC.
  var standardOffset: Int
  /// Nil where clocks never change.
  var daylight: Daylight?

  struct Daylight: Hashable {
    /// Seconds ahead of UTC.
    var offset: Int
    /// By the clock that shows standard time.
    var start: Change
    /// By the clock that shows summer time.
    var end: Change
  }

  /// A date in each year, and seconds from its midnight.
  struct Change: Hashable {
    var date: Date
    var time: Int
  }

  enum Date: Hashable {
    /// `J60`: from 1 to 365; 29 February is not counted, so that 60 is always 1 March.
    case withoutLeapDay(Int)
    /// `59`: days after 1 January, from 0 to 365; 29 February is counted.
    case day(Int)
    /// `M3.5.0`: the last Sunday of March; week 5 is the last, and day 0 is Sunday.
    case weekday(month: Int, week: Int, day: Int)
  }

  /// Returns the changes of a year as instants, in seconds since 1970; empty where there are none.
  func changes(in year: Int) -> [(second: Int64, offset: Int)] {
    guard let daylight else { return [] }
    return [
      (daylight.end.wallSecond(in: year) - Int64(daylight.offset), standardOffset),
      (daylight.start.wallSecond(in: year) - Int64(standardOffset), daylight.offset),
    ]
  }
}

extension POSIXZone.Change {
  /// Seconds from 1970-01-01 00:00 to the change, both by the clock before it.
  fileprivate func wallSecond(in year: Int) -> Int64 {
    Int64(date.ordinal(in: year)) * 86_400 + Int64(time)
  }
}

extension POSIXZone.Date {
  /// Days since 1970-01-01.
  fileprivate func ordinal(in year: Int) -> Int {
    func first(ofMonth month: Int) -> Day {
      Day(year: year, month: month, day: 1) ?? Day(ordinal: 0)
    }
    let newYear = Int(first(ofMonth: 1).ordinal)
    switch self {
    case .day(let day): return newYear + day
    case .withoutLeapDay(let day):
      let isLeapYear = Day.length(ofMonth: 2, year: year) == 29
      return newYear + day - (isLeapYear && day >= 60 ? 0 : 1)
    case .weekday(let month, let week, let day):
      let first = first(ofMonth: month)
      let earliest = (day - first.weekday + 7) % 7
      let length = Day.length(ofMonth: month, year: year)
      let wanted = earliest + (week - 1) * 7
      return Int(first.ordinal) + (wanted < length ? wanted : wanted - 7)
    }
  }
}

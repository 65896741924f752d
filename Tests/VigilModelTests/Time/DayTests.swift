import Foundation
import TestSupport
import Testing
import VigilModel

@Suite struct DayTests {
  /// A calendar that only ever goes from one date to the next.
  private struct Walk {
    var year = 1900
    var month = 1
    var day = 1
    /// 1900-01-01 was a Monday.
    var weekday = 1

    var isLeapYear: Bool { year.isMultiple(of: 400) || year % 4 == 0 && year % 100 != 0 }

    mutating func next() {
      let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      day += 1
      weekday = (weekday + 1) % 7
      if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }

    var text: String {
      func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
      return "\(year)-\(padded(month))-\(padded(day))"
    }
  }

  @Test func agreesWithAWalkFrom1900To2100() throws {
    let first = try #require(Day("1900-01-01"))
    #expect(first.ordinal == -25_567)
    var walk = Walk()
    var count = 0
    var wrong: [String] = []
    while walk.year <= 2100 {
      let day = first + count
      let (year, month, dayOfMonth) = day.components
      let agrees =
        day.description == walk.text && Day(walk.text) == day && day.weekday == walk.weekday
        && (year, month, dayOfMonth) == (walk.year, walk.month, walk.day)
        && Day(year: walk.year, month: walk.month, day: walk.day) == day
        && day - first == count && day - count == first && (count == 0 || first < day)
      if !agrees { wrong.append(walk.text) }
      walk.next()
      count += 1
    }
    #expect(wrong == [])
    #expect(count == 73_414)
  }

  @Test(arguments: [
    ("0001-01-01", -719_162), ("1582-10-15", -141_427), ("1969-12-31", -1), ("1970-01-01", 0),
    ("2000-02-29", 11_016), ("2026-11-21", 20_778), ("9999-12-31", 2_932_896),
  ])
  func countsFrom1970(text: String, ordinal: Int32) throws {
    let day = try #require(Day(text))
    #expect(day.ordinal == ordinal)
    #expect(Day(ordinal: ordinal).description == text)
  }

  @Test(arguments: [
    (1896, true), (1900, false), (1904, true), (1999, false), (2000, true), (2024, true),
    (2025, false), (2100, false), (2400, true),
  ])
  func leapYearsHaveA29thOfFebruary(year: Int, isLeap: Bool) {
    #expect((Day("\(year)-02-29") != nil) == isLeap)
    #expect((Day(year: year, month: 2, day: 29) != nil) == isLeap)
    #expect(Day(year: year, month: 2, day: 30) == nil)
  }

  @Test(arguments: [
    "", "2026", "2026-1-1", "2026-02-30", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00",
    "2026-01-32", "0000-01-01", "10000-01-01", "-026-01-01", "2026/01/01", "2026-01-01 ",
    " 2026-01-01", "2026-01-01T00:00:00Z", "20260101", "+026-01-01", "2026-01-0a", "２026-01-01",
    "2026-01-0\u{0}",
  ])
  func refusesWhatIsNoDate(text: String) {
    #expect(Day(text) == nil)
  }

  @Test func arithmeticIsInverse() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let day = Day(ordinal: Int32.random(in: -700_000...2_900_000, using: &random))
      let days = Int.random(in: -10_000...10_000, using: &random)
      #expect((day + days) - day == days && day + days - days == day)
      #expect(day.distance(to: day + days) == days && (day < day + days) == (days > 0))
    }
  }

  @Test func aRangeOfDaysHoldsBothEnds() throws {
    let first = try #require(Day("2024-02-27"))
    let last = try #require(Day("2024-03-01"))
    #expect(
      (first...last).map(\.description)
        == ["2024-02-27", "2024-02-28", "2024-02-29", "2024-03-01"])
  }

  @Test func jsonHoldsTheDateAsText() throws {
    let day = try #require(Day("2024-02-29"))
    #expect(String(decoding: try JSONEncoder().encode([day]), as: UTF8.self) == "[\"2024-02-29\"]")
    #expect(try JSONDecoder().decode([Day].self, from: Data("[\"2024-02-29\"]".utf8)) == [day])
    for text in ["[\"2023-02-29\"]", "[20240229]"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([Day].self, from: Data(text.utf8))
      }
    }
  }

  @Test func calendarReachesFromYear1To9999() {
    #expect("\(Day.calendar.lowerBound)" == "0001-01-01")
    #expect("\(Day.calendar.upperBound)" == "9999-12-31")
    #expect(Day("0001-01-01") == Day.calendar.lowerBound)
  }
}

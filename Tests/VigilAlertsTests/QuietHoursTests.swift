import Foundation
import TestSupport
import Testing
import VigilAlerts
import VigilModel

@Suite struct QuietHoursTests {
  private func zone(_ name: String) throws -> ZoneRules {
    try #require(ZoneCatalog.system.rules(of: name))
  }

  private func quiet(
    _ start: String, _ end: String, _ zone: String = "Europe/Berlin"
  ) throws -> QuietHours {
    let (start, end) = try (#require(TimeOfDay(start)), #require(TimeOfDay(end)))
    return try #require(QuietHours(start: start, end: end, zone: self.zone(zone)))
  }

  @Test(
    arguments: [
      // Winter: one hour ahead of UTC.
      ("2026-01-10T20:59:59Z", "2026-01-10T20:59:59Z"),
      ("2026-01-10T21:00:00Z", "2026-01-11T06:00:00Z"),
      ("2026-01-11T00:30:17.25Z", "2026-01-11T06:00:00Z"),
      ("2026-01-11T05:59:59.999999Z", "2026-01-11T06:00:00Z"),
      ("2026-01-11T06:00:00Z", "2026-01-11T06:00:00Z"),
      // The night of 29 March has one hour less, that of 25 October one more.
      ("2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z"),
      ("2026-10-24T21:00:00Z", "2026-10-25T06:00:00Z"),
    ])
  func nightsEndInTheMorning(from instant: String, to expected: String) throws {
    let night = try quiet("22:00", "07:00")
    let (instant, expected) = try (#require(Timestamp(instant)), #require(Timestamp(expected)))
    #expect(night.firstInstantOutside(from: instant) == expected)
  }

  @Test func hoursOfOneDayEndOnThatDay() throws {
    let noon = try quiet("12:00", "14:30", "Asia/Kathmandu")
    let inside = try #require(Timestamp("2026-05-05T07:00:00Z"))
    #expect(noon.contains(inside))
    #expect(
      noon.firstInstantOutside(from: inside) == Timestamp("2026-05-05T08:45:00Z"))
    #expect(!noon.contains(try #require(Timestamp("2026-05-05T00:00:00Z"))))
  }

  @Test func clocksThatAreSetForwardOverTheEndEndThem() throws {
    // There is no 02:30 on 29 March: it is 03:00 at once.
    let night = try quiet("22:00", "02:30")
    let inside = try #require(Timestamp("2026-03-29T00:10:00Z"))
    #expect(night.firstInstantOutside(from: inside) == Timestamp("2026-03-29T01:00:00Z"))
  }

  @Test func clocksThatAreSetBackIntoThemBeginThemAnew() throws {
    // 02:30 comes twice on 25 October: at 00:30 and at 01:30 UTC.
    let night = try quiet("22:00", "02:30")
    let before = try #require(Timestamp("2026-10-25T00:10:00Z"))
    #expect(night.firstInstantOutside(from: before) == Timestamp("2026-10-25T00:30:00Z"))
    let again = try #require(Timestamp("2026-10-25T01:05:00Z"))
    #expect(night.firstInstantOutside(from: again) == Timestamp("2026-10-25T01:30:00Z"))
  }

  @Test func theSameTimeTwiceMeansNoQuietHours() throws {
    let seven = TimeOfDay.sevenInTheMorning
    #expect(QuietHours(start: seven, end: seven, zone: .utc) == nil)
  }

  /// Every quarter of an hour around every change of clocks of every zone from 2024 to 2030: nothing is
  /// due within quiet hours, before it is ready, or later than at the first moment that is not quiet.
  @Test(arguments: [("22:00", "07:00"), ("21:15", "02:30"), ("01:45", "03:00")])
  func isRightAroundEveryChangeOfClocks(start: String, end: String) throws {
    let firstDay = try #require(Timestamp("2024-01-01T00:00:00Z"))
    let lastDay = try #require(Timestamp("2031-01-01T00:00:00Z"))
    var changes = 0
    for name in ZoneCatalog.systemNames {
      let night = try quiet(start, end, name)
      var day = firstDay
      var offset = night.zone.offset(at: day)
      while day < lastDay {
        let next = day.adding(seconds: 86_400)
        let nextOffset = night.zone.offset(at: next)
        if nextOffset != offset {
          changes += 1
          expectRight(night, from: day.adding(seconds: -86_400), quarters: 3 * 96, name)
        }
        (day, offset) = (next, nextOffset)
      }
    }
    // Fewer would mean that the system has no rules for these years.
    #expect(changes > 1_500)
  }

  /// Compares with a walk from quarter to quarter; offsets of these years are multiples of it.
  private func expectRight(
    _ night: QuietHours, from first: Timestamp, quarters: Int, _ name: String
  ) {
    let instants = (0..<quarters + 96).map { first.adding(seconds: Int64($0) * 900) }
    let isQuiet = instants.map { instant in
      let seconds = instant.microseconds / 1_000_000 + night.zone.offset(at: instant)
      let minute = Int(seconds % 86_400 / 60)
      let (start, end) = (night.start.minutes, night.end.minutes)
      return start < end ? minute >= start && minute < end : minute >= start || minute < end
    }
    var next = instants.count
    var expected = [Int](repeating: 0, count: instants.count)
    for index in instants.indices.reversed() {
      if !isQuiet[index] { next = index }
      expected[index] = next
    }
    for index in 0..<quarters where expected[index] < instants.count {
      let found = night.firstInstantOutside(from: instants[index])
      guard found == instants[expected[index]] else {
        Issue.record("\(name): \(instants[index]) gives \(found), not \(instants[expected[index]])")
        return
      }
    }
  }
}

extension ZoneRules {
  /// In seconds.
  fileprivate func offset(at instant: Timestamp) -> Int64 {
    offsets[period(at: instant.microseconds)] / 1_000_000
  }
}

import TestSupport
import Testing
import VigilAlerts
import VigilModel

@Suite struct DoNotDisturbTests {
  private func zone(_ name: String) throws -> ZoneRules {
    try #require(ZoneCatalog.system.rules(of: name))
  }

  private func hours(_ weekday: Int, _ start: String, _ end: String) throws -> WeeklyHours {
    WeeklyHours(
      weekday: weekday, start: try #require(TimeOfDay(start)), end: try #require(TimeOfDay(end)))
  }

  private func expect(
    _ doNotDisturb: DoNotDisturb, from instant: String, _ expected: String?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let instant = try #require(Timestamp(instant))
    let end = try expected.map { try #require(Timestamp($0)) }
    #expect(doNotDisturb.firstInstantOutside(from: instant) == end, sourceLocation: sourceLocation)
    #expect(doNotDisturb.contains(instant) == (end != instant), sourceLocation: sourceLocation)
  }

  /// 2026-01-10 is a Saturday; Berlin is one hour ahead.
  @Test func eachWindowCountsOnItsWeekday() throws {
    let own = try #require(
      try DoNotDisturb(
        [hours(6, "13:00", "15:00"), hours(1, "09:00", "10:30")], zone: zone("Europe/Berlin")))
    try expect(own, from: "2026-01-10T12:30:59.5Z", "2026-01-10T14:00:00Z")
    try expect(own, from: "2026-01-10T14:00:00Z", "2026-01-10T14:00:00Z")
    try expect(own, from: "2026-01-11T12:30:00Z", "2026-01-11T12:30:00Z")
    try expect(own, from: "2026-01-12T08:00:00Z", "2026-01-12T09:30:00Z")
    try expect(own, from: "2026-01-13T08:00:00Z", "2026-01-13T08:00:00Z")
  }

  @Test func aWindowPastMidnightBelongsToTheDayOnWhichItBegins() throws {
    let own = try #require(try DoNotDisturb([hours(5, "22:00", "06:00")], zone: .utc))
    try expect(own, from: "2026-01-09T23:00:00Z", "2026-01-10T06:00:00Z")
    try expect(own, from: "2026-01-10T05:59:59Z", "2026-01-10T06:00:00Z")
    // Friday begins, and Saturday ends, without it.
    try expect(own, from: "2026-01-09T05:00:00Z", "2026-01-09T05:00:00Z")
    try expect(own, from: "2026-01-10T23:00:00Z", "2026-01-10T23:00:00Z")
  }

  @Test func windowsThatOverlapOrTouchAreOne() throws {
    // From Saturday evening to Sunday noon, past the end of the week, and a whole Wednesday.
    let own = try #require(
      try DoNotDisturb(
        [
          hours(0, "08:00", "12:00"), hours(6, "20:00", "23:00"), hours(6, "22:00", "08:00"),
          hours(3, "00:00", "00:00"),
        ], zone: .utc))
    try expect(own, from: "2026-01-10T20:30:00Z", "2026-01-11T12:00:00Z")
    try expect(own, from: "2026-01-11T00:00:00Z", "2026-01-11T12:00:00Z")
    try expect(own, from: "2026-01-14T00:00:00Z", "2026-01-15T00:00:00Z")
  }

  @Test func aWholeWeekHasNoEnd() throws {
    let week = try (0...6).map { try hours($0, "06:00", "06:00") }
    let own = try #require(try DoNotDisturb(week, zone: zone("America/New_York")))
    try expect(own, from: "2026-01-10T20:30:00Z", nil)
    // A minute of the week is enough.
    var gap = week
    gap[2] = try hours(2, "06:00", "05:59")
    let almost = try #require(DoNotDisturb(gap, zone: .utc))
    try expect(almost, from: "2026-01-14T06:00:00Z", "2026-01-21T05:59:00Z")
  }

  @Test func noHoursAreNone() throws {
    #expect(DoNotDisturb([], zone: .utc) == nil)
    #expect(try DoNotDisturb([hours(7, "06:00", "07:00")], zone: .utc) == nil)
  }

  @Test func clocksAreSetForwardAndBack() throws {
    // There is no 02:30 on Sunday 29 March, and there are two on 25 October.
    let own = try #require(
      try DoNotDisturb([hours(0, "01:00", "02:30")], zone: zone("Europe/Berlin")))
    try expect(own, from: "2026-03-29T00:10:00Z", "2026-03-29T01:00:00Z")
    try expect(own, from: "2026-10-25T00:10:00Z", "2026-10-25T00:30:00Z")
    try expect(own, from: "2026-10-25T01:05:00Z", "2026-10-25T01:30:00Z")
  }

  /// Random windows, looked at minute by minute around random instants and changes of clocks.
  @Test func isRightInEveryMinute() throws {
    let names = [
      "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Tokyo",
    ]
    let (first, last) = try (
      #require(Timestamp("2024-01-01T00:00:00Z")), #require(Timestamp("2030-01-01T00:00:00Z"))
    )
    for seed in 1...Repetitions.count(fast: 10, long: 100) {
      var generator = SeededGenerator(seed: seed)
      let zone = try zone(names[Int.random(in: 0..<names.count, using: &generator)])
      var own: [WeeklyHours] = []
      for _ in 1...Int.random(in: 1...6, using: &generator) {
        let times = try (0..<2).map { _ in
          let minute = Int.random(in: 0..<1_440, using: &generator)
          let parts = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
          return try #require(TimeOfDay(parts.joined(separator: ":")))
        }
        own.append(
          WeeklyHours(
            weekday: Int.random(in: 0...6, using: &generator), start: times[0], end: times[1]))
      }
      let doNotDisturb = try #require(DoNotDisturb(own, zone: zone))
      let minute = Int64.random(
        in: first.wholeMinutes..<last.wholeMinutes, using: &generator)
      var start = Timestamp(microseconds: minute * 60_000_000)
      if Bool.random(using: &generator),
        let change = zone.nextChange(after: start.microseconds)
      {
        start = Timestamp(microseconds: change).adding(
          seconds: -60 * Int64.random(in: 0...1_440, using: &generator))
      }
      let instants = (0..<4 * 1_440).map { start.adding(seconds: Int64($0) * 60) }
      let isQuiet = instants.map { instant in own.contains { $0.contain(instant, in: zone) } }
      for place in stride(from: 0, to: 1_440, by: 7) {
        #expect(
          doNotDisturb.contains(instants[place]) == isQuiet[place], "seed \(seed), place \(place)")
        let end = isQuiet[place...].firstIndex(of: false)
        let found = doNotDisturb.firstInstantOutside(from: instants[place])
        if let end {
          #expect(found == instants[end], "seed \(seed), place \(place)")
        } else {
          #expect(found.map { $0 > instants[instants.count - 1] } != false, "seed \(seed)")
        }
      }
    }
  }
}

extension Timestamp {
  fileprivate var wholeMinutes: Int64 { microseconds / 60_000_000 }
}

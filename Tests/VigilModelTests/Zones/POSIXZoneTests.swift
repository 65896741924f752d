import Testing

@testable import VigilModel

/// The rules at the end of zone files (RFC 9636 section 3.3).
@Suite struct POSIXZoneTests {
  private func zone(_ text: String, allowsLongTimes: Bool = true) -> POSIXZone? {
    POSIXZone(Array(text.utf8), allowsLongTimes: allowsLongTimes)
  }

  /// The instants of a year's changes as text, the end of summer time first.
  private func changes(_ text: String, _ year: Int) throws -> [String] {
    try #require(zone(text)).changes(in: year).map { change in
      Timestamp(microseconds: change.second * 1_000_000).description
        .replacing(".000000Z", with: " \(change.offset / 60)")
    }
  }

  @Test(
    arguments: [
      ("CET-1CEST,M3.5.0,M10.5.0/3", 2026, ["2026-10-25T01:00:00 60", "2026-03-29T01:00:00 120"]),
      ("EST5EDT,M3.2.0,M11.1.0", 2026, ["2026-11-01T06:00:00 -300", "2026-03-08T07:00:00 -240"]),
      (
        "AEST-10AEDT,M10.1.0,M4.1.0/3", 2027,
        ["2027-04-03T16:00:00 600", "2027-10-02T16:00:00 660"]
      ),
      // Nuuk: an hour before the Sunday begins.
      (
        "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 2026,
        ["2026-10-25T01:00:00 -120", "2026-03-29T01:00:00 -60"]
      ),
      // Lord Howe: half an hour.
      (
        "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 2026,
        ["2026-04-04T15:00:00 630", "2026-10-03T15:30:00 660"]
      ),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", 2026, ["2026-03-29T01:00:00 60", "2026-10-25T01:00:00 0"]),
      // J60 is always 1 March, and 59 is 29 February in a leap year.
      ("AAA0BBB,J60/0,J365/0:00:30", 2024, ["2024-12-30T23:00:30 0", "2024-03-01T00:00:00 60"]),
      ("AAA0BBB,J59/0,J365/0", 2023, ["2023-12-30T23:00:00 0", "2023-02-28T00:00:00 60"]),
      ("AAA0BBB,J60/0,J365/0", 2023, ["2023-12-30T23:00:00 0", "2023-03-01T00:00:00 60"]),
      ("AAA0BBB,59/0,365/0", 2024, ["2024-12-30T23:00:00 0", "2024-02-29T00:00:00 60"]),
      ("AAA0BBB,0/0,364/+24", 2023, ["2023-12-31T23:00:00 0", "2023-01-01T00:00:00 60"]),
      ("AAA0BBB,M2.5.4/0,M2.1.4/167", 2024, ["2024-02-07T22:00:00 0", "2024-02-29T00:00:00 60"]),
    ])
  func changesAreWhereTheRuleSays(text: String, year: Int, expected: [String]) throws {
    #expect(try changes(text, year) == expected)
  }

  @Test func aRuleWithoutSummerTimeHasNoChanges() throws {
    #expect(zone("JST-9")?.standardOffset == 32_400)
    #expect(zone("<+0545>-5:45")?.standardOffset == 20_700)
    #expect(zone("LMT0:01:15")?.standardOffset == -75)
    #expect(zone("XXX+3")?.standardOffset == -10_800)
    #expect(try #require(zone("JST-9")).changes(in: 2026).isEmpty)
  }

  /// RFC 9636 section 3.3.1: summer time that begins on 1 January and ends 25 hours after 31 December.
  @Test func summerTimeMayLastAllYear() throws {
    let rules = try ZoneRules(
      file: TZifBytes(version: UInt8(ascii: "3"), footer: "EST5EDT,0/0,J365/25").bytes)
    #expect(rules.starts.count <= 3)
    for year in 1950...2090 {
      let newYear = try #require(Day(year: year, month: 1, day: 1)).midnight.microseconds
      for hours in stride(from: -12, through: 12, by: 1) {
        let instant = newYear + Int64(hours) * 3_600_000_000
        #expect(rules.local(instant) - instant == -4 * 3_600_000_000)
      }
    }
  }

  @Test(
    arguments: [
      "", "CET", "CE-1", "-1", "<+03-3", "<+3>-3", "<+0 3>-3", "CET-25", "CET-24", "CET-1:60",
      "CET-1:00:60", "CET-1x", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,",
      "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M0.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
      "CET-1CEST,M3.0.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5,M10.5.0",
      "CET-1CEST,J0,J100", "CET-1CEST,J366,J100", "CET-1CEST,366,100", "CET-1CEST,1/168,100",
      "CET-1CEST,1/167:00:01,100", "CET-1CEST,1/,100", "CET-1CEST,1,100,", "CET-1CEST,1,100 ",
      "CET-1CEST,0001,100", "CET-23:30XXX-24,1,100", "CET-1CÉST,1,100", "CET-1CEST,1,100\u{0}",
    ])
  func aMalformedRuleIsNone(text: String) {
    #expect(zone(text) == nil)
  }

  @Test func longTimesAreThereFromVersion3On() {
    for text in ["CET-1CEST,1/25,100", "CET-1CEST,1/-1,100", "CET-1CEST,1/+1,100"] {
      #expect(zone(text) != nil)
      #expect(zone(text, allowsLongTimes: false) == nil)
    }
    #expect(zone("CET-1CEST,1/24,100", allowsLongTimes: false) != nil)
    #expect(zone("CET-1CEST,1/24:01,100", allowsLongTimes: false) == nil)
  }
}

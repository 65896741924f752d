import Foundation
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// The results of evaluating one or more days of person 1 by the trend rules.
  private static func trends(
    _ days: String..., finding insights: [TrendInsight],
    rules: Set<TrendRule> = [.lowStreak, .dropVsBaseline, .rebound]
  ) throws -> InsightWrite {
    var write = InsightWrite(persons: [person(1)], insights: insights)
    write.evaluated(rules, on: try day(days[0])...day(days[days.count - 1]))
    return write
  }

  static let insights = [
    ConformanceCheck("insights are written and read with all that they say") {
      try $0.addPersons(1)
      var full = try trend(1, .stress, "2026-01-07", .decliningTrend)
      full.recent = 61.5
      full.baseline = 80.25
      full.change = -0.234
      full.slope = SlopeEstimate(perDay: -0.5, lower: -0.75, upper: -0.25)
      full.suppressedReason = .recovered
      let missed = TrendInsight(
        user: person(1), pillar: .adherence, day: try day("2026-01-07"), rule: .missedStreak,
        coverage: 90, confidence: 1, medication: person(20), missed: .init(doses: 3, days: 2))
      let concurrent = TrendInsight(
        user: person(1), pillar: .adherence, day: try day("2026-01-08"),
        rule: .concurrentEpisodes, coverage: 3, confidence: 1,
        coOccurrence: .init(
          adherence: person(30), other: person(31), otherMetric: MetricType("steps")))
      try $0.write(
        insights: trends(
          "2026-01-07", "2026-01-08", finding: [concurrent, missed, full], rules: []))
      var filter = InsightFilter(includesSuppressed: true)
      #expect(try $0.storage.trendInsights(matching: filter) == [full, missed, concurrent])
      filter.includesSuppressed = false
      #expect(try $0.storage.trendInsights(matching: filter) == [missed, concurrent])
    },

    ConformanceCheck("insights are listed by person, day, pillar, medication and id") { fixture in
      try fixture.addPersons(1, 2)
      var expected: [TrendInsight] = []
      for number in 1...2 {
        for date in ["2026-01-07", "2026-01-08"] {
          expected += try Pillar.allCases.map { try trend(number, $0, date) }
          expected += try [20, 21].map { medication in
            TrendInsight(
              user: person(number), pillar: .adherence, day: try day(date), rule: .missedStreak,
              coverage: 90, confidence: 1, medication: person(medication),
              missed: .init(doses: 3, days: 2))
          }
        }
      }
      try fixture.write(
        insights: trends("2026-01-07", "2026-01-08", finding: expected.reversed(), rules: []))
      func list(_ change: (inout InsightFilter) throws -> Void) throws -> [TrendInsight] {
        var filter = InsightFilter()
        try change(&filter)
        return try fixture.storage.trendInsights(matching: filter)
      }
      #expect(try list { _ in } == expected)
      #expect(
        try list { $0.users = [person(2), person(9), person(2)] }
          == expected.filter { $0.user == person(2) })
      #expect(try list { $0.users = [] }.isEmpty)
      let last = try day("2026-01-08")
      #expect(try list { $0.days = last...last } == expected.filter { $0.day == last })
      #expect(
        try list { $0.rules = [.missedStreak] } == expected.filter { $0.rule == .missedStreak })
      #expect(try list { $0.rules = [] }.isEmpty)
      #expect(try list { $0.limit = 7 } == Array(expected.prefix(7)))
      #expect(
        try list {
          $0.limit = 7
          $0.users = [person(1), person(2)]
        } == Array(expected.prefix(7)))
    },

    ConformanceCheck("insights that cover a day are found, from their own day on") { fixture in
      try fixture.addPersons(1, 2)
      func coOccurrence(_ number: Int, _ date: String, coverage: Int) throws -> TrendInsight {
        TrendInsight(
          user: person(number), pillar: .adherence, day: try day(date), rule: .concurrentEpisodes,
          coverage: coverage, confidence: 1,
          coOccurrence: .init(
            adherence: person(30), other: person(31), otherMetric: MetricType("steps")))
      }
      let (long, short) = (
        try coOccurrence(1, "2026-02-27", coverage: 3),
        try coOccurrence(2, "2026-02-28", coverage: 1)
      )
      let other = try trend(1, .sleep, "2026-02-28")
      try fixture.write(
        insights: trends("2026-02-27", "2026-02-28", finding: [long, short, other], rules: []))
      let expected = [
        "2026-02-26": [], "2026-02-27": [long], "2026-02-28": [long, short], "2026-03-01": [long],
        "2026-03-02": [],
      ]
      for (date, found) in expected {
        let filter = InsightFilter(coveredDay: try day(date), rules: [.concurrentEpisodes])
        #expect(try fixture.storage.trendInsights(matching: filter) == found, "\(date)")
        var own = filter
        own.users = [person(2)]
        own.days = long.day...long.day
        #expect(try fixture.storage.trendInsights(matching: own).isEmpty, "\(date)")
      }
      #expect(
        try fixture.storage.trendInsights(
          matching: InsightFilter(users: [person(1)], coveredDay: try day("2026-02-28")))
          == [long, other])
    },

    ConformanceCheck("what evaluated rules do not find again is retracted, and nothing else") {
      try $0.addPersons(1, 2)
      let first = [
        try trend(1, .sleep, "2026-01-06"), try trend(1, .sleep, "2026-01-07"),
        try trend(1, .movement, "2026-01-07", .rebound),
        try trend(1, .stress, "2026-01-07", .decliningTrend),
        try trend(1, .sleep, "2026-01-08"), try trend(2, .sleep, "2026-01-07"),
      ]
      try $0.write(insights: trends("2026-01-06", "2026-01-08", finding: first, rules: []))
      let all = InsightFilter()
      #expect(try Set($0.storage.trendInsights(matching: all)) == Set(first))
      // Only the rebound of that day is found again.
      try $0.write(insights: trends("2026-01-07", finding: [first[2]]))
      #expect(
        try Set($0.storage.trendInsights(matching: all)) == Set(first).subtracting([first[1]]))
      let everything = try $0.storage.trendInsights(
        matching: InsightFilter(includesSuppressed: true))
      #expect(everything.filter { $0.suppressedReason == .retracted }.map(\.id) == [first[1].id])
      #expect(everything.count == first.count)
      // Nothing of it is found any more; then everything is again.
      try $0.write(insights: trends("2026-01-01", "2026-01-31", finding: [], rules: [.rebound]))
      #expect(
        try Set($0.storage.trendInsights(matching: all))
          == Set(first).subtracting([first[1], first[2]]))
      try $0.write(insights: trends("2026-01-07", finding: [first[1], first[2]]))
      #expect(try Set($0.storage.trendInsights(matching: all)) == Set(first))
    },

    ConformanceCheck("an insight of another rule, or a recovered one, takes the place of the row") {
      try $0.addPersons(1)
      let drop = try trend(1, .sleep, "2026-01-07", .dropVsBaseline)
      try $0.write(insights: trends("2026-01-07", finding: [drop]), at: "2026-01-08T02:00:00Z")
      let written = "SELECT CAST(updated_at AS TEXT) FROM trend_insights"
      let before = try $0.strings(written)
      try $0.write(insights: trends("2026-01-07", finding: [drop]), at: "2026-01-09T02:00:00Z")
      #expect(try $0.strings(written) == before)
      var other = try trend(1, .sleep, "2026-01-07", .lowStreak)
      #expect(other.id == drop.id)
      other.suppressedReason = .recovered
      try $0.write(insights: trends("2026-01-07", finding: [other]), at: "2026-01-09T02:00:00Z")
      let all = InsightFilter(includesSuppressed: true)
      #expect(try $0.storage.trendInsights(matching: all) == [other])
      #expect(try $0.strings(written) != before)
      // A recovered one that the data no longer support is not recovered from.
      try $0.write(insights: trends("2026-01-07", finding: []))
      other.suppressedReason = .retracted
      #expect(try $0.storage.trendInsights(matching: all) == [other])
    },
  ]
}

/// An insight about the course of a pillar.
func trend(
  _ number: Int, _ pillar: Pillar, _ date: String, _ rule: TrendRule = .lowStreak
) throws -> TrendInsight {
  TrendInsight(
    user: person(number), pillar: pillar, day: try day(date), rule: rule, recent: 60, baseline: 80,
    change: -0.25, coverage: 14, confidence: 14.0 / 21)
}

import Foundation
import GoldenFiles
import Testing
import VigilModel
import VigilStorage

@testable import VigilReport

@Suite struct InsightsReportTests {
  private let anna = Samples.person(1)
  private let ben = Samples.person(2)

  private func report(_ persons: [UUID]? = nil) throws -> InsightsReport {
    let day = try Samples.day("2026-06-30")
    let insights = [
      TrendInsight(
        user: anna, pillar: .sleep, day: day, rule: .dropVsBaseline, recent: 58.25, baseline: 76.5,
        change: -0.2386, coverage: 21, confidence: 1),
      TrendInsight(
        user: anna, pillar: .stress, day: day, rule: .lowStreak, recent: 88, baseline: 90,
        change: -0.0222, coverage: 21, confidence: 1, suppressedReason: .recovered),
      TrendInsight(
        user: anna, pillar: .adherence, day: day, rule: .missedStreak, coverage: 90, confidence: 1,
        medication: UUID(name: "medication"), missed: .init(doses: 3, days: 2)),
      TrendInsight(
        user: anna, pillar: .adherence, day: day, rule: .refillDue, coverage: 1, confidence: 1,
        medication: UUID(name: "medication"), daysLeft: 4.5),
      TrendInsight(
        user: ben, pillar: .adherence, day: day - 4, rule: .concurrentEpisodes, coverage: 5,
        confidence: 1,
        coOccurrence: .init(
          adherence: UUID(name: "a"), other: UUID(name: "b"), otherMetric: MetricType("steps"))),
      TrendInsight(
        user: ben, pillar: .movement, day: day, rule: .improvingTrend, recent: 80, baseline: 74,
        change: 0.0811, coverage: 19, confidence: 19.0 / 21,
        slope: SlopeEstimate(perDay: 0.45, lower: 0.2, upper: 0.7)),
    ]
    let coverages = [(anna, 21, 0), (ben, 19, 0), (Samples.person(3), 4, 3)].map {
      TrendCoverage(user: $0, day: day, coverage: $1, daysNeeded: $2, lastScoreDay: day)
    }
    let scores = [
      VitalityScore(
        user: anna, day: day, total: 70, sleep: 58, movement: nil, stress: 88,
        schemaVersion: "vitality.v1", source: "vigil")
    ]
    return InsightsReport(
      insights: insights.filter { persons?.contains($0.user) ?? true }, day: day,
      coverages: coverages.filter { persons?.contains($0.user) ?? true },
      scores: persons == nil ? [] : scores.filter { persons?.contains($0.user) ?? true },
      externalIDs: [anna: "anna"], emptyHint: "Nothing stands out.")
  }

  @Test func everyKindOfInsightHasItsLine() throws {
    try expectSnapshot(report().text(style: .plain), "insights.txt")
  }

  @Test func jsonNamesTheColumnsOfTheTables() throws {
    try expectSnapshot(report([anna]).json(), "insights.json")
  }

  @Test func aPersonIsShownWithTheirScores() throws {
    let text = try report([anna]).text(style: .plain)
    #expect(text.hasPrefix("Person"))
    #expect(text.contains("2026-06-30     58         –      88     70  vigil"))
  }

  @Test func tooFewDaysLeadToTheNumberThatIsMissing() throws {
    let text = try report([Samples.person(3)]).text(style: .plain)
    #expect(
      text == """
        No insights of 2026-06-30. Nothing stands out.

        Scores on 4 days of the window; 3 more are needed before there can be an insight.

        """)
  }
}

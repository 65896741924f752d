import Foundation
import ShippedThresholds
import TestSupport
import Testing
import VigilAnalysis
import VigilDetection
import VigilModel

/// Explanations of limits over random values; a failure names its seed.
@Suite struct LimitExplanationTests {
  private static let metric = MetricType("resting_hr")

  /// Stored episodes lead to the same as all days from the first on, the ended ones among them.
  @Test(arguments: 0..<20) func storedEpisodesLeadToTheSameAsAllDays(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let first = try #require(Day("2026-01-01"))
    let days = first...first + 70
    var series = ExplainedSeries(firstDay: first, values: [])
    for day in days where random.chance(0.9) {
      series[day] = random.chance(0.3) ? 70 : 60
    }
    let explainer = LimitExplainer(
      Self.metric, .above,
      of: try Thresholds(
        json: Data(#require(ShippedThresholds.named("v3"))), file: "v3.json", digest: ""),
      personal: [
        PersonLimit(
          CriticalLimit(metric: Self.metric, .above, 66, days: 2), on: days, setBy: "Dr. Lee")
      ], sensitivity: .normal)
    var most = 0
    for day in days.dropFirst(2) {
      let all = explainer.explain(series, stored: [], on: day, from: first)
      let stored = explainer.explain(series, stored: [], on: day - 1, from: first).episodes
      #expect(explainer.explain(series, stored: stored, on: day) == all, "seed \(seed), \(day)")
      most = max(most, all.episodes.count)
    }
    #expect(most > 1, "seed \(seed)")
  }
}

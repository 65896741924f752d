import Foundation
import ShippedThresholds
import TestSupport
import Testing
import VigilAnalysis
import VigilDetection
import VigilModel

/// Explanations of silence over random days; a failure names its seed.
@Suite struct SilenceExplanationTests {
  private let thresholds: Thresholds

  init() throws {
    thresholds = try Thresholds(
      json: Data(#require(ShippedThresholds.named("v3"))), file: "v3.json", digest: "")
  }

  /// Stored episodes lead to the same as all days from the first on, the ended ones among them.
  @Test(arguments: 0..<20) func storedEpisodesLeadToTheSameAsAllDays(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let first = try #require(Day("2026-01-01"))
    let last = first + 120
    let series = try #require(thresholds.silences.first { $0.metric == .inactivity })
    let signs = SignsOfLife(
      personCount: 1,
      days: FoldWindow(evaluating: first...last, thresholds: thresholds).loaded.lowerBound...last)
    // Worn without a pause at first, and then for some days at a time.
    var day = signs.days.lowerBound
    while day <= last {
      let worn = day < first ? first - day : Int.random(in: 4...20, using: &random)
      for offset in 0..<worn where day + offset <= last {
        signs.addWorn(person: 0, day: day + offset, came: nil)
      }
      day = day + worn + Int.random(in: 1...12, using: &random)
    }
    let (explainer, silent) = (SilenceExplainer(series, of: thresholds), SilenceDays(signs))
    var most = 0
    for day in (first...last).dropFirst(2) {
      let all = explainer.explain(silent, stored: [], on: day, from: first)
      let stored = explainer.explain(silent, stored: [], on: day - 1, from: first).episodes
      #expect(explainer.explain(silent, stored: stored, on: day) == all, "seed \(seed), \(day)")
      most = max(most, all.episodes.count)
    }
    #expect(most > 0, "seed \(seed)")
  }
}

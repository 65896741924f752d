import Foundation
import ReferenceKernels
import ShippedThresholds
import TestSupport
import Testing
import VigilAnalysis
import VigilDetection
import VigilModel

/// The place of the newest values beside the slow twin of evidence; a failure names its seed.
@Suite struct EvidenceStandingTests {
  private let thresholds: Thresholds

  init() throws {
    thresholds = try Thresholds(
      json: Data(#require(ShippedThresholds.named("v3"))), file: "v3.json", digest: "")
  }

  /// The mean deviation of some days, word by word from evidence.md.
  private func shift(
    _ values: [(day: Day, value: Double)], _ twin: ReferenceEvidence.Metric, mean: Double,
    weekday: [Double], spread: Double, isDropBad: Bool
  ) -> Double {
    let shifts = values.map { day, value in
      let usual = mean + weekday[ReferenceEvidence.weekday(Int(day.ordinal))]
      let u = (twin.transform.applied(to: value) - usual) / spread
      return (isDropBad ? -1 : 1) * min(3, max(-3, u))
    }
    return shifts.reduce(0, +) / Double(shifts.count)
  }

  @Test func itIsTheDistanceFromTheBaselineOfTheSlowTwin() throws {
    var (quiet, active) = (0, 0)
    for seed in 0..<Repetitions.count(fast: 120, long: 2000) {
      var random = SeededGenerator(seed: 31_000 + seed)
      let twin = random.pick(ReferenceEvidence.Metric.v3)
      let metric = try #require(thresholds.metrics.first { $0.metric.rawValue == twin.name })
      let history = twin.randomCase(using: &random)
      let last = try #require(history.series.last?.day)
      let start = try #require(history.series.first?.day)
      func day(_ number: Int) -> Day { Day(ordinal: Int32(number)) }
      var series = ExplainedSeries(firstDay: day(start), values: [])
      for (number, value) in history.series { series[day(number)] = value }
      let explainer = DecisionExplainer(metric, of: thresholds)
      let found = explainer.explain(
        series, on: day(last), from: day(start), looksForOpposite: false)
      // An alert of earlier days is known from its row.
      if found.before != nil {
        let eve = explainer.explain(
          series, on: day(last - 1), from: day(start), looksForOpposite: false)
        series.stored = eve.episodes
      } else if !found.episodes.filter({ $0.openedOn < day(last) }).isEmpty {
        continue
      }
      let recent = (0..<7).map { day(last - $0) }.filter { !series[$0].isNaN }
        .map { (day: $0, value: series[$0]) }
      let standing = explainer.standing(of: series, on: day(last))
      guard recent.count >= 4 else {
        #expect(standing == nil, "seed \(seed)")
        continue
      }
      let isDropBad = metric.pattern == .drop
      if let before = found.before {
        let anchor = try #require(before.evidence?.anchor)
        let expected = shift(
          recent, twin, mean: anchor.mean, weekday: (0..<7).map { anchor.weekdays[$0] },
          spread: anchor.spread, isDropBad: isDropBad)
        #expect(abs(try #require(standing).shift - expected) < 1e-9, "seed \(seed)")
        #expect(standing?.strongest == nil && standing?.usual == before.figures.baseline.value)
        active += 1
        continue
      }
      let eligible = history.series.filter { $0.day >= last - 200 }
      let guarded = max(3, min(eligible.count / 3, 28))
      let pool = eligible.dropLast(guarded).suffix(120)
      guard pool.count >= 10 else {
        #expect(standing == nil, "seed \(seed)")
        continue
      }
      let baseline = ReferenceEvidence(metric: twin).baseline(of: Array(pool))
      let expected = shift(
        recent, twin, mean: baseline.mean, weekday: baseline.weekday, spread: baseline.spread,
        isDropBad: isDropBad)
      let place = try #require(standing, "seed \(seed)")
      #expect(abs(place.shift - expected) < 1e-8, "seed \(seed) \(metric.metric)")
      #expect(abs(place.usual - baseline.value) < 1e-8 * max(1, baseline.value), "seed \(seed)")
      let mean = recent.reduce(0) { $0 + $1.value } / Double(recent.count)
      #expect(abs(place.recent - mean) < 1e-9 * max(1, mean), "seed \(seed)")
      #expect(place.strongest.map { $0.z.isFinite && $0.threshold > 0 } ?? true, "seed \(seed)")
      quiet += 1
    }
    #expect(quiet > 20 && active > 5, "\(quiet) \(active)")
  }

  @Test func metricsWithoutEvidenceHaveNoPlace() throws {
    let v1 = try Thresholds(
      json: Data(#require(ShippedThresholds.named("v1"))), file: "v1.json", digest: "")
    let first = Day(ordinal: 20_000)
    let series = ExplainedSeries(firstDay: first, values: Array(repeating: 8_000, count: 60))
    let steps = try #require(v1.metrics.first { $0.metric.rawValue == "steps" })
    #expect(DecisionExplainer(steps, of: v1).standing(of: series, on: first + 59) == nil)
    let own = try #require(thresholds.metrics.first { $0.metric.rawValue == "steps" })
    let explainer = DecisionExplainer(own, of: thresholds)
    #expect(explainer.standing(of: series, on: first + 59) != nil)
    #expect(explainer.standing(of: series, on: first + 63) == nil, "three days of the newest seven")
  }
}

import ReferenceKernels
import TestSupport
import Testing
import VigilKernels
import VigilModel

@testable import VigilDetection

/// The statistics from moving sums beside those from all values of the pool.
@Suite struct MovingPoolTests {
  private static let first = Day(ordinal: 20_000)

  private struct Difference {
    var compared = 0
    var far = 0
  }

  /// Moves a pool of `size` observations along a series and compares every estimate.
  private func compare(
    _ values: [Double], of metric: MetricThresholds, size: Int, _ settings: EvidenceSettings,
    label: Comment
  ) throws -> Difference {
    let evidence = try #require(metric.evidence)
    let judge = EvidenceJudge(metric, evidence, settings)
    let workspace = EvidenceWorkspace(days: Self.first...Self.first + (values.count - 1))
    let series = values.withUnsafeBufferPointer { workspace.load($0, for: judge) }
    var difference = Difference()
    guard series.count > size else { return difference }
    let moving = MovingPool(
      settings, priorSpread: evidence.priorSpread, longestSection: series.count)
    for start in 0..<series.count - size {
      let range = start..<start + size
      let end = min(series.count, start + size + 40)
      // A section begins every 40 places.
      if start.isMultiple(of: 40) {
        moving.begin(range, end: end, of: series)
      } else {
        moving.move(to: range, of: series)
      }
      guard let estimate = moving.estimate() else { continue }
      let anchor = judge.pool(range, of: series).anchor
      let tolerance = MovingPool.tolerance * anchor.spread
      #expect(abs(estimate.spread - anchor.spread) <= tolerance, label)
      for weekday in 0..<7 {
        let mean = moving.center + moving.effects.pointer[weekday] + estimate.means[weekday]
        #expect(abs(mean - anchor.mean - anchor.weekdays[weekday]) <= tolerance, label)
      }
      difference.compared += 1
      let limit = settings.clip * anchor.spread
      if range.contains(where: {
        abs(series.y[$0] - anchor.mean - anchor.weekdays[Int(series.weekdays[$0])]) > limit
      }) {
        difference.far += 1
      }
    }
    return difference
  }

  @Test(arguments: 0..<Repetitions.count(fast: 20, long: 300))
  func randomHistoriesAgree(seed: Int) throws {
    let thresholds = try Profiles.named("v3")
    var random = SeededGenerator(seed: seed)
    var (compared, far) = (0, 0)
    for twin in ReferenceEvidence.Metric.v3 {
      let metric = try thresholds.metric(twin.name)
      let history = twin.randomCase(using: &random)
      guard let start = history.series.first?.day, let end = history.series.last?.day else {
        continue
      }
      var values = [Double](repeating: .nan, count: end - start + 1)
      for (day, value) in history.series { values[day - start] = value }
      for size in [10, 40, 120] {
        let difference = try compare(
          values, of: metric, size: size, thresholds.evidence,
          label: "seed \(seed), \(twin.name), \(size)")
        compared += difference.compared
        far += difference.far
      }
    }
    #expect(compared > 100)
    #expect(far > 10)
  }

  /// Values that are cut off on both sides by as much move no mean, and yet less spread is left.
  @Test func outliersThatCancelEachOtherAreClipped() throws {
    let thresholds = try Profiles.named("v3")
    // A week of deviations and the same week mirrored: every weekday has the mean 60.
    let values = (0..<140).map { day -> Double in
      let size = day % 28 == 3 || day % 28 == 10 ? 25.0 : 1
      return 60 + (day / 7 % 2 == 0 ? size : -size)
    }
    let difference = try compare(
      values, of: thresholds.metric("resting_hr"), size: 56, thresholds.evidence, label: "mirrored")
    #expect(difference.compared > 50)
    #expect(difference.far == difference.compared)
  }
}

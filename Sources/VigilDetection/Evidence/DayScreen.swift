import VigilKernels
import VigilModel

/// Says of most days, one at a time, that they cannot deviate; exact, as it bounds what the full computation would
/// find.
///
/// Serves the days that `LaneScreen` does not: far values do not widen its bounds.
///
/// A window that is proven and held has a mean shift of at least `held * (c / sqrt(E) + drift_allowance)`
/// personal spreads, as the noise is at least 1; and `E` is at most that of the largest autocorrelation that
/// the prior allows. The shift follows from the statistics of a `MovingPool` and a running sum; a window that it
/// does not exclude is looked at day by day: see `EvidenceBound`.
final class DayScreen {
  private let settings: EvidenceSettings
  private let thresholds: EvidenceThresholds
  private let direction: Double
  private let rules: MetricJudge
  private let screen: EvidenceScreen
  /// By knot of the thresholds, the least mean shift of each window, in personal spreads.
  private let leastShifts: [SIMD8<Double>]
  private let lengths: SIMD8<Double>
  private let offsets: SIMD8<Int>
  private let bounds: WindowBounds
  /// Whether the windows fit one vector.
  private let isUsable: Bool
  private var lastKnot = 0

  init(_ settings: EvidenceSettings, _ prior: MetricEvidence, direction: Double, rules: MetricJudge)
  {
    self.settings = settings
    thresholds = prior.thresholds
    self.direction = direction
    self.rules = rules
    isUsable = settings.windows.count <= 8
    let longest = settings.windows.last ?? 1
    screen = EvidenceScreen(settings, prior, direction: direction, longest: longest)
    // Where there are fewer, the last fills the vector.
    var offsets = SIMD8(repeating: longest)
    for (index, length) in settings.windows.prefix(8).enumerated() { offsets[index] = length }
    self.offsets = offsets
    lengths = SIMD8<Double>(offsets)
    let most = settings.mostAutocorrelation(prior: prior.priorAutocorrelation)
    bounds = WindowBounds(settings, mostAutocorrelation: most)
    let mostEvidence = 1 / (1 - most * most) + (lengths - 1)
    leastShifts = prior.thresholds.knots.map { knot in
      let least = max(0, knot.threshold - EvidenceJudge.tolerance)
      return settings.held * (least / mostEvidence.squareRoot() + settings.driftAllowance)
        - 2 * EvidenceJudge.tolerance
    }
  }

  /// Forgets the series.
  func reset() {
    screen.reset()
  }

  /// Whether the day of the observation at `last` may deviate.
  ///
  /// - Parameters:
  ///   - next: The places of its pool.
  ///   - longest: The longest window that is allowed.
  /// - Complexity: O(1) for observations in their order, beside the start of a section.
  @inline(__always)
  func mayDeviate(
    _ last: Int, pool next: Range<Int>, longest: Int, of series: EligibleSeries
  ) -> Bool {
    guard isUsable, let estimate = screen.estimate(last, pool: next, of: series) else {
      return true
    }
    return mayDeviate(last, estimate, longest: longest, of: series)
  }

  @inline(__always)
  private func mayDeviate(
    _ last: Int, _ estimate: MovingPool.Estimate, longest: Int, of series: EligibleSeries
  ) -> Bool {
    let spread = estimate.spread
    let pool = screen.pool
    let best = direction > 0 ? -(-estimate.means).greatest : -estimate.means.greatest
    // Sums of badness that a window must exceed.
    let knot = knot(poolSize: pool.range.count)
    let least = lengths * (leastShifts[knot] * spread + best - 4 * MovingPool.tolerance * spread)
    let end = screen.newestSum(endingAt: last)
    let o = offsets
    let before = SIMD8(
      end[-o[0]], end[-o[1]], end[-o[2]], end[-o[3]], end[-o[4]], end[-o[5]], end[-o[6]],
      end[-o[7]])
    let candidates = (end[0] - before .>= least) .& (lengths .<= Double(longest))
    guard any(candidates) else { return false }
    screen.keep(estimate)
    let base = pool.rawSum / Double(pool.range.count)
    let threshold = thresholds.knots[knot].threshold
    for index in 0..<settings.windows.count where candidates[index] {
      let length = o[index]
      let recent = screen.rawSum(of: length, endingAt: last) / Double(length)
      if rules.mayMatter(recent: recent, base: base, slack: pool.rawSlack),
        mayBeProven(
          window: index, endingAt: last, of: series, spread: spread, threshold: threshold)
      {
        return true
      }
    }
    return false
  }

  /// Whether a window can have the evidence it needs.
  ///
  /// - Complexity: O(window).
  private func mayBeProven(
    window index: Int, endingAt last: Int, of series: EligibleSeries, spread: Double,
    threshold: Double
  ) -> Bool {
    let length = offsets[index]
    let first = last + 1 - length
    let days = series.days
    guard Double(days[last] - days[first]) < settings.spanFactor * Double(length) else {
      return false
    }
    let sums = screen.sums(ofWindow: first, endingAt: last, of: series, spread: spread)
    let bound = bounds.bound(
      window: index, gaps: sums.gaps, beginsAfterGap: days[first] &- days[first &- 1] != 1)
    // Far more than what rounding can have changed.
    return bound.evidence(sums.sums) >= threshold - 1e-6
  }

  @inline(__always)
  private func knot(poolSize: Int) -> Int {
    let knots = thresholds.knots
    if lastKnot < knots.count, knots[lastKnot].poolSize <= poolSize,
      lastKnot + 1 == knots.count || knots[lastKnot + 1].poolSize > poolSize
    {
      return lastKnot
    }
    lastKnot = knots.lastIndex { $0.poolSize <= poolSize } ?? 0
    return lastKnot
  }
}

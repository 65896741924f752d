import VigilKernels
import VigilModel

/// Says of most windows of a metric, at a small cost, how little evidence they can give; exact, as it bounds what the
/// full computation would find.
///
/// With `S'` at most `A * E / held`, the noise at least 1 and `E` at most that of the largest autocorrelation, the
/// evidence of a window is at most `sqrt(E) * (A / held - drift_allowance)`; the mean shift `A` follows from the
/// statistics of a `MovingPool` and a running sum.
final class CombinedScreen {
  private let screen: EvidenceScreen
  private let weakRules: MetricJudge
  private let settings: EvidenceSettings
  private let least: Double
  private let cap: Double
  private let direction: Double
  /// By number of observations, the square root of the largest `E`.
  private let roots: AlignedBuffer<Double>
  /// By number of values of the baseline, the factor of the evidence, at most 1.
  private let trusts: AlignedBuffer<Double>
  /// By number of observations, the sum of shifts in personal spreads from which a window may count.
  private let leastSums: AlignedBuffer<Double>
  /// The factor of the evidence that `leastSums` are for.
  private var trust = 0.0
  /// The personal spread of the day at hand; nil where rounding may matter.
  private var spread: Double?
  private let parts: [EvidenceBound.Part]
  /// By number of observations, number of gaps and whether one comes before; made where they are needed.
  private var tightBounds: [EvidenceBound?]

  /// - Parameters:
  ///   - judge: The metric.
  ///   - weakRules: Its rules in their weak form.
  ///   - least: The evidence from which a metric counts.
  ///   - cap: The most evidence of one metric.
  init(_ judge: EvidenceJudge, weakRules: MetricJudge, least: Double, cap: Double) {
    let settings = judge.settings
    screen = EvidenceScreen(
      settings, judge.prior, direction: judge.direction, longest: settings.guardDays)
    self.weakRules = weakRules
    trusts = AlignedBuffer(count: settings.baselineDays + 1)
    for size in 0...settings.baselineDays {
      trusts.pointer[size] = judge.prior.thresholds.trust(poolSize: size)
    }
    self.settings = settings
    self.least = least
    self.cap = cap
    direction = judge.direction
    let most = settings.mostAutocorrelation(prior: judge.prior.priorAutocorrelation)
    parts = EvidenceBound.parts(mostAutocorrelation: most)
    tightBounds = Array(
      repeating: nil, count: (settings.guardDays + 1) * (Self.mostGaps + 1) * 2)
    roots = AlignedBuffer(count: settings.guardDays + 1)
    leastSums = AlignedBuffer(count: settings.guardDays + 1)
    for count in 0...settings.guardDays {
      roots.pointer[count] = (1 / (1 - most * most) + Double(max(count, 1) - 1)).squareRoot()
    }
  }

  /// Begins another series.
  func reset() {
    screen.reset()
  }

  /// The most evidence that each window of a metric can give; 0 where it cannot count.
  ///
  /// - Parameters:
  ///   - places: The eligible observations.
  ///   - counts: By window, the number of observations; 0 where the metric does not take part.
  ///   - bounds: By window.
  func bound(
    _ places: CombinedPlaces, counts: UnsafePointer<Int32>, windows: Int,
    of series: EligibleSeries, into bounds: UnsafeMutablePointer<Double>
  ) {
    let poolEnd = places.last + 1 - settings.guardCount(eligible: places.count)
    let size = settings.poolSize(eligible: places.count)
    let trust = trusts.pointer[size]
    if trust != self.trust { set(trust: trust) }
    let pool = poolEnd - size..<poolEnd
    guard let estimate = screen.estimate(places.last, pool: pool, of: series) else {
      for window in 0..<windows { bounds[window] = cap }
      spread = nil
      return
    }
    bound(places.last, estimate, counts: counts, windows: windows, into: bounds)
  }

  @inline(__always)
  private func bound(
    _ last: Int, _ estimate: MovingPool.Estimate, counts: UnsafePointer<Int32>, windows: Int,
    into bounds: UnsafeMutablePointer<Double>
  ) {
    let best = direction > 0 ? -(-estimate.means).greatest : -estimate.means.greatest
    let spread = estimate.spread
    self.spread = spread
    screen.keep(estimate)
    let end = screen.newestSum(endingAt: last)
    let leastSums = leastSums.pointer
    for window in 0..<windows {
      bounds[window] = 0
      let count = Int(counts[window])
      let shifts = end.pointee - end[-count] - Double(count) * best
      guard shifts >= leastSums[count] * spread else { continue }
      let recent = screen.rawSum(of: count, endingAt: last) / Double(count)
      let base = screen.pool.rawSum / Double(screen.pool.range.count)
      guard weakRules.mayMatter(recent: recent, base: base, slack: screen.pool.rawSlack) else {
        continue
      }
      let shift = shifts / (Double(count) * spread)
      let excess = (shift + Self.slack) / settings.held - settings.driftAllowance
      bounds[window] = min(roots.pointer[count] * excess * trust, cap)
    }
  }

  /// A bound of the evidence of a window on the day that `bound` was called for, which looks at each observation.
  ///
  /// - Complexity: O(window).
  func tightBound(_ places: CombinedPlaces, count: Int, of series: EligibleSeries) -> Double {
    guard let spread else { return cap }
    let first = places.last + 1 - count
    let found = screen.sums(ofWindow: first, endingAt: places.last, of: series, spread: spread)
    let beginsAfterGap = series.days[first] - series.days[first - 1] != 1
    return trust * bound(count, gaps: found.gaps, beginsAfterGap).evidence(found.sums)
  }

  private func bound(_ count: Int, gaps: Int, _ beginsAfterGap: Bool) -> EvidenceBound {
    let gaps = min(gaps, Self.mostGaps)
    let index = (count * (Self.mostGaps + 1) + gaps) * 2 + (beginsAfterGap ? 1 : 0)
    if let known = tightBounds[index] { return known }
    let bound = EvidenceBound(
      window: count, gaps: gaps, beginsAfterGap: beginsAfterGap, parts: parts, settings)
    tightBounds[index] = bound
    return bound
  }

  /// The number of gaps up to which windows have bounds of their own.
  private static let mostGaps = 4

  private func set(trust: Double) {
    self.trust = trust
    leastSums.pointer[0] = .infinity
    for count in 1..<roots.count {
      let shift = settings.held * (least / (trust * roots.pointer[count]) + settings.driftAllowance)
      leastSums.pointer[count] = Double(count) * (shift - 2 * Self.slack)
    }
  }

  /// More than what rounding can have changed of a mean shift.
  private static let slack = 4 * MovingPool.tolerance + EvidenceJudge.tolerance
}

import VigilKernels
import VigilModel

/// Says of most days, at a small cost, that they cannot deviate; exact, as it bounds what the full
/// computation would find.
///
/// A window that is proven and held has a mean shift of at least `held * (c / sqrt(E) + drift_allowance)`
/// personal spreads, as the noise is at least 1; and `E` is at most that of the largest autocorrelation that
/// the prior allows. The shift follows from the statistics of a `MovingPool` and a running sum; a window that it
/// does not exclude is looked at day by day: see `EvidenceBound`.
final class EvidenceScreen {
  let settings: EvidenceSettings
  let prior: MetricEvidence
  let direction: Double
  let rules: MetricJudge
  let pool: MovingPool
  /// By knot of the thresholds, the least mean shift of each window, in personal spreads.
  private let leastShifts: [SIMD8<Double>]
  private let lengths: SIMD8<Double>
  let offsets: SIMD8<Int>
  /// By window, number of gaps and whether it begins after one: see `bound`.
  private let bounds: [EvidenceBound]
  /// Whether the windows fit one vector.
  let isUsable: Bool
  /// The largest autocorrelation that the prior allows.
  let mostAutocorrelation: Double

  /// The places of the section at hand.
  private var section = 0..<0
  /// `badness[i + 1] - badness[i + 1 - k]`: the sum of the `k` distances from the center up to place
  /// `prefixStart + i`, clipped on the good side; positive is bad.
  private let badness: AlignedBuffer<Double>
  /// The same of raw values.
  private let raw: AlignedBuffer<Double>
  private var prefixStart = 0
  /// By weekday, the means of the estimate at hand.
  let means = AlignedBuffer<Double>(count: 8)
  private var lastKnot = 0
  /// By place in the section, what `mayDeviate` was found with.
  private let kept: AlignedBuffer<Kept>

  /// The statistics of the pool of one observation.
  struct Kept: BitwiseCopyable {
    var estimate: MovingPool.Estimate
    /// The sum of the raw values of the pool.
    var rawSum: Double
    /// The places of the pool.
    var first: Int
    var end: Int

    init(_ estimate: MovingPool.Estimate, of pool: Range<Int>, rawSum: Double) {
      self.estimate = estimate
      self.rawSum = rawSum
      (first, end) = (pool.lowerBound, pool.upperBound)
    }
  }

  /// Observations of a section: long enough that its start costs little.
  private static let sectionLength = 96
  /// Observations after which a section whose center no longer fits is begun anew.
  private static let leastAge = 12
  /// The number of gaps up to which windows have bounds of their own.
  private static let mostGaps = 4

  init(_ settings: EvidenceSettings, _ prior: MetricEvidence, direction: Double, rules: MetricJudge)
  {
    self.settings = settings
    self.prior = prior
    self.direction = direction
    self.rules = rules
    isUsable = settings.windows.count <= 8
    let longest = settings.windows.last ?? 0
    kept = AlignedBuffer(count: Self.sectionLength)
    let room = Self.sectionLength + longest + 16
    badness = AlignedBuffer(count: room)
    raw = AlignedBuffer(count: room)
    pool = MovingPool(
      settings, priorSpread: prior.priorSpread,
      longestSection: Self.sectionLength + settings.guardDays + 16)
    // Where there are fewer, the last fills the vector.
    var offsets = SIMD8(repeating: settings.windows.last ?? 1)
    for (index, length) in settings.windows.prefix(8).enumerated() { offsets[index] = length }
    self.offsets = offsets
    lengths = SIMD8<Double>(offsets)
    // a + (1 + 3 a) / max(P, 4) is at most 1 + 4 / P.
    let pairs = Double(settings.baselineDays - 1)
    let weight = settings.autocorrelationPriorDays
    let most = min(
      (pairs + 4 + weight * prior.priorAutocorrelation) / (pairs + weight),
      settings.mostAutocorrelation)
    mostAutocorrelation = most
    var bounds: [EvidenceBound] = []
    let parts = EvidenceBound.parts(mostAutocorrelation: most)
    for window in 0..<8 {
      for gaps in 0...Self.mostGaps {
        for beginsAfterGap in [false, true] {
          bounds.append(
            EvidenceBound(
              window: offsets[window], gaps: gaps, beginsAfterGap: beginsAfterGap, parts: parts,
              settings))
        }
      }
    }
    self.bounds = bounds
    let mostEvidence = 1 / (1 - most * most) + (lengths - 1)
    leastShifts = prior.thresholds.knots.map { knot in
      let least = max(0, knot.threshold - EvidenceJudge.tolerance)
      return settings.held * (least / mostEvidence.squareRoot() + settings.driftAllowance)
        - 2 * EvidenceJudge.tolerance
    }
  }

  func bound(window: Int, gaps: Int, beginsAfterGap: Bool) -> EvidenceBound {
    bounds[
      (window * (Self.mostGaps + 1) + min(gaps, Self.mostGaps)) * 2 + (beginsAfterGap ? 1 : 0)]
  }

  /// Forgets the series.
  func reset() {
    section = 0..<0
  }

  /// Whether the day of the observation at `last` may deviate.
  ///
  /// - Parameters:
  ///   - next: The places of its pool.
  ///   - longest: The longest window that is allowed.
  /// - Complexity: O(1) for observations in their order, beside the start of a section.
  func mayDeviate(
    _ last: Int, pool next: Range<Int>, longest: Int, of series: EligibleSeries
  ) -> Bool {
    guard let estimate = estimate(last, pool: next, of: series) else { return true }
    kept.pointer[last - section.lowerBound] = Kept(estimate, of: next, rawSum: pool.rawSum)
    return mayDeviate(last, estimate, longest: longest, of: series)
  }

  /// The statistics of the pool of the observation at `last`; nil where rounding may matter to them.
  ///
  /// - Complexity: O(1) for observations in their order, beside the start of a section.
  @inline(__always)
  func estimate(
    _ last: Int, pool next: Range<Int>, of series: EligibleSeries
  ) -> MovingPool.Estimate? {
    if section.contains(last), next.lowerBound >= pool.range.lowerBound,
      next.upperBound >= pool.range.upperBound
    {
      pool.move(to: next, of: series)
      if let estimate = pool.estimate() { return estimate }
      // The pool has left the center of the section.
      guard last - section.lowerBound >= Self.leastAge else { return nil }
    }
    begin(at: last, pool: next, of: series)
    return pool.estimate()
  }

  /// The statistics with which `mayDeviate` decided about the observation at `last`; nil where it was not asked, or
  /// with another pool.
  ///
  /// - Precondition: The series is the same.
  @inline(__always)
  func kept(_ last: Int, pool: Range<Int>) -> Kept? {
    guard section.contains(last) else { return nil }
    let kept = kept.pointer[last - section.lowerBound]
    return kept.first == pool.lowerBound && kept.end == pool.upperBound ? kept : nil
  }

  /// The running sum, up to the observation at `last`, of distances from the center, clipped on the good side, where
  /// positive is bad; the one k observations earlier is k places before it, as far as the end of the pool.
  @inline(__always)
  func newestSum(endingAt last: Int) -> UnsafePointer<Double> {
    UnsafePointer(badness.pointer + (last + 1 - prefixStart))
  }

  /// The sum of the newest raw values up to `last`, none of them before the end of the pool.
  @inline(__always)
  func rawSum(of count: Int, endingAt last: Int) -> Double {
    let end = raw.pointer + (last + 1 - prefixStart)
    return end.pointee - end[-count]
  }

  /// Makes `estimate` the one that sums of windows are made with.
  @inline(__always)
  func keep(_ estimate: MovingPool.Estimate) {
    UnsafeMutableRawPointer(means.pointer).storeBytes(of: estimate.means, as: SIMD8<Double>.self)
  }

  @inline(__always)
  private func mayDeviate(
    _ last: Int, _ estimate: MovingPool.Estimate, longest: Int, of series: EligibleSeries
  ) -> Bool {
    let spread = estimate.spread
    let best = direction > 0 ? -(-estimate.means).greatest : -estimate.means.greatest
    // Sums of badness that a window must exceed.
    let knot = knot(poolSize: pool.range.count)
    let least = lengths * (leastShifts[knot] * spread + best - 4 * MovingPool.tolerance * spread)
    let end = badness.pointer + (last + 1 - prefixStart)
    let o = offsets
    let before = SIMD8(
      end[-o[0]], end[-o[1]], end[-o[2]], end[-o[3]], end[-o[4]], end[-o[5]], end[-o[6]],
      end[-o[7]])
    let candidates = (end[0] - before .>= least) .& (lengths .<= Double(longest))
    guard any(candidates) else { return false }
    keep(estimate)
    let rawEnd = raw.pointer + (last + 1 - prefixStart)
    let base = pool.rawSum / Double(pool.range.count)
    let threshold = prior.thresholds.knots[knot].threshold
    for index in 0..<8 where candidates[index] {
      let length = o[index]
      if mayMatter(
        recent: (rawEnd[0] - rawEnd[-length]) / Double(length), base: base, by: rules),
        mayBeProven(
          window: index, endingAt: last, of: series, spread: spread, threshold: threshold)
      {
        return true
      }
    }
    return false
  }

  @inline(__always)
  private func knot(poolSize: Int) -> Int {
    let knots = prior.thresholds.knots
    if lastKnot < knots.count, knots[lastKnot].poolSize <= poolSize,
      lastKnot + 1 == knots.count || knots[lastKnot + 1].poolSize > poolSize
    {
      return lastKnot
    }
    lastKnot = knots.lastIndex { $0.poolSize <= poolSize } ?? 0
    return lastKnot
  }

  private func begin(at last: Int, pool next: Range<Int>, of series: EligibleSeries) {
    section = last..<last + Self.sectionLength
    for place in 0..<Self.sectionLength { kept.pointer[place].end = 0 }
    let end = min(series.count, section.upperBound)
    pool.begin(next, end: end, of: series)
    prefixStart = last + 1 - (settings.windows.last ?? 0)
    // No allowed window reaches back into the pool.
    let start = max(prefixStart, next.upperBound)
    badness.pointer.update(repeating: 0, count: start - prefixStart + 1)
    raw.pointer.update(repeating: 0, count: start - prefixStart + 1)
    for place in start..<end {
      let bad = max(direction * pool.distance(place, of: series), -pool.reach)
      badness.pointer[place - prefixStart + 1] = badness.pointer[place - prefixStart] + bad
      raw.pointer[place - prefixStart + 1] = raw.pointer[place - prefixStart] + series.x[place]
    }
  }
}

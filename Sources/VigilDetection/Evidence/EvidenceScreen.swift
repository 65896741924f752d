import VigilKernels
import VigilModel

/// Follows the pool and the newest sums of a series, from day to day at a small cost, for bounds of what the full
/// computation would find.
final class EvidenceScreen {
  let settings: EvidenceSettings
  let direction: Double
  let pool: MovingPool

  /// The places of the section at hand.
  private var section = 0..<0
  /// `badness[i + 1] - badness[i + 1 - k]`: the sum of the `k` distances from the center up to place
  /// `prefixStart + i`, clipped on the good side; positive is bad.
  private let badness: AlignedBuffer<Double>
  /// The same of raw values.
  private let raw: AlignedBuffer<Double>
  private var prefixStart = 0
  /// The longest window that is asked for.
  private let longest: Int
  /// By weekday, the means of the estimate at hand.
  let means = AlignedBuffer<Double>(count: 8)

  /// Observations of a section: long enough that its start costs little.
  static let sectionLength = 96
  /// Observations after which a section whose center no longer fits is begun anew.
  private static let leastAge = 12

  init(_ settings: EvidenceSettings, _ prior: MetricEvidence, direction: Double, longest: Int) {
    self.settings = settings
    self.direction = direction
    self.longest = longest
    let room = Self.sectionLength + longest + 16
    badness = AlignedBuffer(count: room)
    raw = AlignedBuffer(count: room)
    pool = MovingPool(
      settings, priorSpread: prior.priorSpread,
      longestSection: Self.sectionLength + settings.guardDays + 16)
  }

  /// Forgets the series.
  func reset() {
    section = 0..<0
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

  private func begin(at last: Int, pool next: Range<Int>, of series: EligibleSeries) {
    section = last..<last + Self.sectionLength
    let end = min(series.count, section.upperBound)
    pool.begin(next, end: end, of: series)
    prefixStart = last + 1 - longest
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

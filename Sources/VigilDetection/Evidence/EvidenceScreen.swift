import VigilKernels
import VigilModel

/// Says of most days, at a small cost, that they cannot deviate; exact, as it bounds what the full
/// computation would find.
///
/// A window that is proven and held has a mean shift of at least `held * (c / sqrt(E) + drift_allowance)`
/// personal spreads, as the noise is at least 1; and `E` is at most that of the largest autocorrelation that
/// the prior allows. The shift is bounded from above by sums that move with the pool:
///
/// - `z = y - center - effect of the weekday`, with a center and effects that are fixed for a section of the
///   series; `clipped` is `z` within `reach` of 0. Where `reach` is within the clip of the spread around
///   every weekday's mean, no clipping of the full computation changes a value that this one keeps.
/// - The personal spread is then at least that of the clipped values around the means of their weekdays,
///   whatever those of the full computation are.
/// - Clipping moves the mean by at most the mean of what it cuts off.
///
/// Where a window has no gap, its evidence is a function of the sum of its shifts, of its last shift and of the
/// jump at its beginning: see `EvidenceBound`.
final class EvidenceScreen {
  private let settings: EvidenceSettings
  private let prior: MetricEvidence
  private let direction: Double
  private let rules: MetricJudge
  /// By knot of the thresholds, the least mean shift of each window, in personal spreads.
  private let leastShifts: [SIMD8<Double>]
  private let lengths: SIMD8<Double>
  private let offsets: SIMD8<Int>
  /// By window.
  private let bounds: [EvidenceBound]
  /// Whether the windows fit one vector.
  let isUsable: Bool

  // A section of the series, by place.
  private var section = 0..<0
  private var effects = SIMD8<Double>.zero
  private var center = 0.0
  private var reach = 0.0
  /// A bound of what rounding can have changed in a sum.
  private var slack = 0.0
  private var rawSlack = 0.0

  /// `badness[i + 1] - badness[i + 1 - k]`: the sum of the last `k` shifts at place `section.lowerBound -
  /// longest + i`, clipped on the good side; positive is bad.
  private let badness: AlignedBuffer<Double>
  /// The same of raw values.
  private let raw: AlignedBuffer<Double>
  private var prefixStart = 0

  // The pool at hand.
  private var pool = 0..<0
  /// By weekday, one after the other: the number of values, their sum, the sum of the clipped ones, the
  /// effect, and the mean as badness.
  private let byWeekday = AlignedBuffer<Double>(count: 40)
  private var clippedSquares = 0.0
  private var cut = 0.0
  private var rawSum = 0.0

  /// Observations of a section: long enough that its start costs little.
  private static let sectionLength = 96
  /// Observations after which a section whose center no longer fits is begun anew.
  private static let leastAge = 12

  init(_ settings: EvidenceSettings, _ prior: MetricEvidence, direction: Double, rules: MetricJudge)
  {
    self.settings = settings
    self.prior = prior
    self.direction = direction
    self.rules = rules
    isUsable = settings.windows.count <= 8
    let room = Self.sectionLength + (settings.windows.last ?? 0) + 16
    badness = AlignedBuffer(count: room)
    raw = AlignedBuffer(count: room)
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
    bounds = (0..<8).map {
      EvidenceBound(window: offsets[$0], mostAutocorrelation: most, settings)
    }
    let mostEvidence = 1 / (1 - most * most) + (lengths - 1)
    leastShifts = prior.thresholds.knots.map { knot in
      let least = max(0, knot.threshold - EvidenceJudge.tolerance)
      return settings.held * (least / mostEvidence.squareRoot() + settings.driftAllowance)
        - 2 * EvidenceJudge.tolerance
    }
  }

  /// Forgets the series.
  func reset() {
    section = 0..<0
  }

  /// Whether the day of the observation at `last` may deviate.
  ///
  /// - Parameters:
  ///   - pool: The places of its pool.
  ///   - longest: The longest window that is allowed.
  /// - Complexity: O(1) for observations in their order, beside the start of a section.
  func mayDeviate(
    _ last: Int, pool: Range<Int>, longest: Int, of series: EligibleSeries
  ) -> Bool {
    if !section.contains(last) || pool.lowerBound < self.pool.lowerBound {
      begin(at: last, pool: pool, of: series)
    }
    if let answer = answer(last, pool: pool, longest: longest, of: series) { return answer }
    // The pool has left the center of the section.
    guard last - section.lowerBound >= Self.leastAge else { return true }
    begin(at: last, pool: pool, of: series)
    return answer(last, pool: pool, longest: longest, of: series) ?? true
  }

  /// The answer, if the pool is close enough to the center of the section for one.
  @inline(__always)
  private func answer(
    _ last: Int, pool: Range<Int>, longest: Int, of series: EligibleSeries
  ) -> Bool? {
    move(to: pool, of: series)
    let size = Double(pool.count)
    let vectors = UnsafeRawPointer(byWeekday.pointer)
    let counts = vectors.loadUnaligned(as: SIMD8<Double>.self)
    let sums = vectors.loadUnaligned(fromByteOffset: 64, as: SIMD8<Double>.self)
    let clippedSums = vectors.loadUnaligned(fromByteOffset: 128, as: SIMD8<Double>.self)
    let mean = (sums + counts * effects).total / size
    let others =
      (sums - settings.weekdayPriorDays * effects - counts * mean)
      / (counts + settings.weekdayPriorDays)
    let shift = -(counts * (others + effects)).total / size
    // The mean of each weekday, as a distance from the center and the section's effect.
    let means = others + (mean + shift)
    let within =
      clippedSquares
      - (clippedSums * clippedSums / counts.replacing(with: 1, where: counts .< 1)).total
    let s0 = prior.priorSpread
    let squares = max(
      (settings.spreadPriorDays * s0 * s0 + max(within - slack, 0))
        / (settings.spreadPriorDays + size),
      settings.spreadFloor * settings.spreadFloor * s0 * s0)
    let spread = squares.squareRoot() * (1 - 1e-9)
    let moved = cut / size + slack
    let (lowest, highest) = (-(-means).greatest, means.greatest)
    guard max(highest, -lowest) + moved + reach <= settings.clip * spread else { return nil }
    let best = direction > 0 ? lowest : -highest
    // Sums of badness that a window must exceed.
    let least =
      lengths * (leastShifts[knot(poolSize: pool.count)] * spread + (best - moved)) - slack
    let end = badness.pointer + (last + 1 - prefixStart)
    let o = offsets
    let before = SIMD8(
      end[-o[0]], end[-o[1]], end[-o[2]], end[-o[3]], end[-o[4]], end[-o[5]], end[-o[6]],
      end[-o[7]])
    let found = end[0] - before
    let candidates = (found .>= least) .& (lengths .<= Double(longest))
    guard any(candidates) else { return false }
    let rawEnd = raw.pointer + (last + 1 - prefixStart)
    let bounds = Bounds(
      means: means, moved: moved, spread: spread,
      threshold: prior.thresholds.knots[lastKnot].threshold)
    for index in 0..<8 where candidates[index] {
      let length = o[index]
      if mayMatter(
        recent: (rawEnd[0] - rawEnd[-length]) / Double(length), base: rawSum / size),
        mayBeProven(index, sum: found[index], endingAt: last, of: series, bounds)
      {
        return true
      }
    }
    return false
  }

  /// The bounds that follow from a pool.
  private struct Bounds {
    /// The mean of each weekday, as a distance from the center and the section's effect.
    var means: SIMD8<Double>
    /// The distance by which clipping can have moved the means.
    var moved: Double
    /// The least personal spread.
    var spread: Double
    var threshold: Double
  }

  /// Whether a window can have the evidence it needs.
  ///
  /// - Parameter sum: The sum of its shifts from center and effects, clipped on the good side.
  /// - Complexity: O(window).
  private func mayBeProven(
    _ index: Int, sum: Double, endingAt last: Int, of series: EligibleSeries, _ pool: Bounds
  ) -> Bool {
    let length = offsets[index]
    let first = last + 1 - length
    guard first > 0, Int(series.days[last] - series.days[first - 1]) == length else { return true }
    let figures = byWeekday.pointer
    UnsafeMutableRawPointer(figures + 32).storeBytes(
      of: pool.means * direction, as: SIMD8<Double>.self)
    var usual = 0.0
    for place in first...last { usual += figures[Int(series.weekdays[place]) &+ 32] }
    func shift(_ place: Int) -> Double {
      let weekday = Int(series.weekdays[place])
      return direction * (series.y[place] - center - figures[weekday &+ 24])
        - figures[weekday &+ 32]
    }
    let scale = 1 / pool.spread
    let shifts = (sum - usual + Double(length) * pool.moved + slack) * scale
    let newest = min(settings.clip, max(0, (shift(last) + pool.moved + slack) * scale))
    let beginning = min(settings.clip, max(0, (shift(first) + pool.moved + slack) * scale))
    let before = max(-settings.clip, min(0, (shift(first - 1) - pool.moved - slack) * scale))
    return bounds[index].evidence(
      shifts: max(0, shifts), newest: newest, jump: beginning - before)
      >= pool.threshold - 1e-6
  }

  /// Whether a rule may match, given what rounding can have changed.
  private func mayMatter(recent: Double, base: Double) -> Bool {
    let slack = rawSlack + 1e-9 * (abs(recent) + abs(base))
    for line in rules.lines {
      if line.isRelative && base + slack <= 0 { continue }
      if line.kind == .absoluteDropBelow && recent > base + slack { continue }
      let sign = rules.sign
      if sign * recent <= line.slope * (sign * base) + line.offset + slack * (2 + abs(line.slope)) {
        return true
      }
    }
    return false
  }

  private var lastKnot = 0

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

  // MARK: Sections

  /// Begins a section with the center and the effects of `pool`.
  private func begin(at last: Int, pool: Range<Int>, of series: EligibleSeries) {
    let longest = settings.windows.last ?? 0
    section = last..<last + Self.sectionLength
    let size = Double(pool.count)
    var (total, mass) = (0.0, 0.0)
    for place in pool { total += series.y[place] }
    center = total / size
    let figures = byWeekday.pointer
    figures.update(repeating: 0, count: 32)
    for place in pool {
      let weekday = Int(series.weekdays[place])
      figures[weekday] += 1
      figures[weekday &+ 8] += series.y[place] - center
    }
    for weekday in 0..<7 {
      figures[weekday + 24] = figures[weekday + 8] / (figures[weekday] + settings.weekdayPriorDays)
    }
    effects = UnsafeRawPointer(figures).loadUnaligned(
      fromByteOffset: 192, as: SIMD8<Double>.self)
    figures.update(repeating: 0, count: 24)
    var deviations = 0.0
    for place in pool {
      deviations += abs(series.y[place] - center - figures[Int(series.weekdays[place]) &+ 24])
    }
    // About twice the spread of normal values.
    reach = max(2.4 * deviations / size, 1e-3 * prior.priorSpread)

    prefixStart = max(0, last + 1 - longest)
    let end = min(series.count, section.upperBound)
    badness.pointer[0] = 0
    raw.pointer[0] = 0
    var rawMass = 0.0
    for place in prefixStart..<end {
      let z = series.y[place] - center - figures[Int(series.weekdays[place]) &+ 24]
      let bad = max(direction * z, -reach)
      badness.pointer[place - prefixStart + 1] = badness.pointer[place - prefixStart] + bad
      raw.pointer[place - prefixStart + 1] = raw.pointer[place - prefixStart] + series.x[place]
      mass += abs(z)
      rawMass += abs(series.x[place])
    }
    self.pool = pool.lowerBound..<pool.lowerBound
    (clippedSquares, cut, rawSum) = (0, 0, 0)
    for place in pool.lowerBound..<min(end, pool.upperBound + Self.sectionLength) {
      mass += abs(series.y[place] - center) + reach
      rawMass += abs(series.x[place])
    }
    slack = 1e-12 * (mass + mass * reach) + 1e-9 * reach
    rawSlack = 1e-12 * rawMass
  }

  /// Adds and removes what is between the pool at hand and `next`, both ends of which are not earlier.
  private func move(to next: Range<Int>, of series: EligibleSeries) {
    var place = pool.upperBound
    while place < next.upperBound {
      add(1, place, of: series)
      place &+= 1
    }
    place = pool.lowerBound
    while place < next.lowerBound {
      add(-1, place, of: series)
      place &+= 1
    }
    pool = next
  }

  @inline(__always)
  private func add(_ weight: Double, _ place: Int, of series: EligibleSeries) {
    let weekday = Int(series.weekdays[place])
    let figures = byWeekday.pointer
    let z = series.y[place] - center - figures[weekday &+ 24]
    let clipped = z > reach ? reach : z < -reach ? -reach : z
    figures[weekday] += weight
    figures[weekday &+ 8] += weight * z
    figures[weekday &+ 16] += weight * clipped
    clippedSquares += weight * (clipped * clipped)
    cut += weight * abs(z - clipped)
    rawSum += weight * series.x[place]
  }
}

extension SIMD8<Double> {
  /// The sum, added up in halves.
  @inline(__always)
  fileprivate var total: Double {
    let half = lowHalf + highHalf
    let quarter = half.lowHalf + half.highHalf
    return quarter.x + quarter.y
  }

  @inline(__always)
  fileprivate var greatest: Double {
    let half = lowHalf.replacing(with: highHalf, where: highHalf .> lowHalf)
    let quarter = half.lowHalf.replacing(with: half.highHalf, where: half.highHalf .> half.lowHalf)
    return Swift.max(quarter.x, quarter.y)
  }
}

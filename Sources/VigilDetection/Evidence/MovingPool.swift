import VigilKernels
import VigilModel

/// The statistics of a baseline pool that moves along a series, from sums that move with it.
///
/// Equal to those of `EvidenceJudge.pool` but for rounding, at a fraction of the cost. With `z = y - center -
/// effect of the weekday`, where center and effects are fixed for a section of the series, a value is *far* where
/// `z` is more than `reach` from 0. Only far values are clipped while the means of the weekdays stay close enough
/// to the center: they are few, and are looked at one by one; for all others sums suffice.
final class MovingPool {
  private let settings: EvidenceSettings
  private let priorSpread: Double

  // The section.
  private(set) var center = 0.0
  /// The distance from the center above which a value is far.
  private(set) var reach = 0.0
  /// The sums of all distances and of their squares: what rounding can change is a fraction of them.
  private var (mass, squareMass) = (0.0, 0.0)
  /// A bound of what rounding can have changed in a sum of raw values.
  private(set) var rawSlack = 0.0
  /// By weekday, on the scale of the values.
  let effects = AlignedBuffer<Double>(count: 8)

  // The pool at hand.
  private(set) var range = 0..<0
  private var counts = SIMD8<Double>.zero
  private var sums = SIMD8<Double>.zero
  private var squares = 0.0
  /// The sum of the raw values.
  private(set) var rawSum = 0.0

  /// The far values of the section, in order of place: `z`, weekday, place.
  private let far: AlignedBuffer<Double>
  private let farWeekdays: AlignedBuffer<UInt8>
  private let farPlaces: AlignedBuffer<Int>
  private var farCount = 0
  /// The far values in the pool.
  private var farRange = 0..<0
  /// Their residuals.
  private let residuals: AlignedBuffer<Double>
  /// The means of the estimate at hand.
  private let means = AlignedBuffer<Double>(count: 8)

  /// - Parameter longestSection: The most observations after the pool with which a section begins.
  init(_ settings: EvidenceSettings, priorSpread: Double, longestSection: Int) {
    self.settings = settings
    self.priorSpread = priorSpread
    let room = settings.baselineDays + longestSection
    far = AlignedBuffer(count: room)
    farWeekdays = AlignedBuffer(count: room)
    farPlaces = AlignedBuffer(count: room)
    residuals = AlignedBuffer(count: room)
  }

  /// The usual values that the pool shows.
  struct Estimate: BitwiseCopyable {
    /// By weekday, as distances from the center and the effect.
    var means: SIMD8<Double>
    /// The personal spread.
    var spread: Double
  }

  /// The distance of a value from the center and the effect of its weekday.
  @inline(__always)
  func distance(_ place: Int, of series: EligibleSeries) -> Double {
    series.y[place] - center - effects.pointer[Int(series.weekdays[place])]
  }

  /// Begins a section with the center and the effects of `pool`.
  ///
  /// - Parameter end: The end of the section, which holds every observation that is asked for.
  func begin(_ pool: Range<Int>, end: Int, of series: EligibleSeries) {
    let size = Double(pool.count)
    var total = 0.0
    for place in pool { total += series.y[place] }
    center = total / size
    setEffects(pool, of: series)
    setReach(pool, of: series)
    farCount = 0
    (mass, squareMass) = (0, 0)
    var rawMass = 0.0
    for place in pool.lowerBound..<end {
      let z = distance(place, of: series)
      mass += abs(z)
      squareMass += z * z
      rawMass += abs(series.x[place])
      guard abs(z) > reach else { continue }
      far.pointer[farCount] = z
      farWeekdays.pointer[farCount] = series.weekdays[place]
      farPlaces.pointer[farCount] = place
      farCount += 1
    }
    rawSlack = 1e-12 * rawMass
    (counts, sums) = (.zero, .zero)
    (squares, rawSum) = (0, 0)
    farRange = 0..<0
    range = pool.lowerBound..<pool.lowerBound
    move(to: pool, of: series)
  }

  private func setEffects(_ pool: Range<Int>, of series: EligibleSeries) {
    let (sums, counts) = (effects.pointer, means.pointer)
    sums.update(repeating: 0, count: 8)
    counts.update(repeating: 0, count: 8)
    for place in pool {
      let weekday = Int(series.weekdays[place])
      sums[weekday] += series.y[place] - center
      counts[weekday] += 1
    }
    for weekday in 0..<7 { sums[weekday] /= counts[weekday] + settings.weekdayPriorDays }
  }

  /// Keeps far values few, and all others well within the clip of the spread.
  private func setReach(_ pool: Range<Int>, of series: EligibleSeries) {
    let size = Double(pool.count)
    var deviations = 0.0
    for place in pool { deviations += abs(distance(place, of: series)) }
    // About two standard deviations of normal values.
    let first = max(2.4 * deviations / size, 1e-3 * priorSpread)
    var squares = settings.spreadPriorDays * priorSpread * priorSpread
    for place in pool {
      let z = min(abs(distance(place, of: series)), first)
      squares += z * z
    }
    reach = min(first, 2.2 * (squares / (settings.spreadPriorDays + size)).squareRoot())
  }

  /// Adds and removes what is between the pool at hand and `next`, both ends of which are not earlier.
  func move(to next: Range<Int>, of series: EligibleSeries) {
    for place in range.upperBound..<next.upperBound { add(1, place, of: series) }
    for place in range.lowerBound..<next.lowerBound { add(-1, place, of: series) }
    range = next
    var (low, high) = (farRange.lowerBound, farRange.upperBound)
    while high < farCount, farPlaces.pointer[high] < next.upperBound { high += 1 }
    while low < high, farPlaces.pointer[low] < next.lowerBound { low += 1 }
    farRange = low..<high
  }

  @inline(__always)
  private func add(_ weight: Double, _ place: Int, of series: EligibleSeries) {
    let z = distance(place, of: series)
    let one = SIMD8<Double>.one(in: Int(series.weekdays[place])) * weight
    counts += one
    sums += one * z
    squares += weight * (z * z)
    rawSum += weight * series.x[place]
  }

  /// The distance by which rounding can move means, spreads, and sums of two windows of distances, in personal spreads.
  static let tolerance = 1e-8

  /// The statistics of the pool; nil where a value might be clipped that is not far, or where values are so far from each
  /// other, or from 0, that rounding matters.
  ///
  /// - Complexity: O(far values).
  func estimate() -> Estimate? {
    let size = Double(range.count)
    let effects = UnsafeRawPointer(effects.pointer).load(as: SIMD8<Double>.self)
    let mean = (sums + counts * effects).total / size
    let others =
      (sums - settings.weekdayPriorDays * effects - counts * mean)
      / (counts + settings.weekdayPriorDays)
    let unshifted = others + mean
    let shift = (sums - counts * unshifted).total / size
    let means = unshifted + shift

    let squares = self.squares - ((2 * sums - counts * means) * means).total
    let largest = setResiduals(from: means)

    // All residuals add up to 0.
    var moved = 0.0
    var spread = spread(squares, size)
    let farthest = reach + max(means.greatest, (-means).greatest)
    for _ in 0..<2 {
      let limit = settings.clip * spread
      guard farthest + abs(moved) <= limit else { return nil }
      if moved == 0, largest <= limit { break }
      moved = -excess(from: moved, limit: limit) / size
      guard farthest + abs(moved) <= limit else { return nil }
      spread = self.spread(
        squares + size * moved * moved - excessSquares(from: moved, limit: limit), size)
    }
    guard mass <= 100 * size * spread, squareMass <= 1e4 * size * spread * spread,
      abs(center) <= 1e6 * spread
    else { return nil }
    return Estimate(means: means + moved, spread: spread)
  }

  /// Sets the residuals of the far values; returns the largest distance from 0.
  private func setResiduals(from means: SIMD8<Double>) -> Double {
    let count = farRange.count
    guard count > 0 else { return 0 }
    let (byWeekday, target) = (self.means.pointer, residuals.pointer)
    let (values, weekdays) = (
      far.pointer + farRange.lowerBound, farWeekdays.pointer + farRange.lowerBound
    )
    UnsafeMutableRawPointer(byWeekday).storeBytes(of: means, as: SIMD8<Double>.self)
    var largest = 0.0
    for index in 0..<count {
      let r = values[index] - byWeekday[Int(weekdays[index])]
      target[index] = r
      largest = max(largest, abs(r))
    }
    return largest
  }

  private func spread(_ squares: Double, _ size: Double) -> Double {
    let prior = settings.spreadPriorDays * priorSpread * priorSpread
    let floor = settings.spreadFloor * priorSpread
    return max((prior + squares) / (settings.spreadPriorDays + size), floor * floor).squareRoot()
  }

  /// By how much the residuals are over a limit, in sum.
  @inline(__always)
  private func excess(from moved: Double, limit: Double) -> Double {
    var sum = 0.0
    let (residuals, count) = (residuals.pointer, farRange.count)
    for index in 0..<count {
      let r = residuals[index] - moved
      sum += r > limit ? r - limit : r < -limit ? r + limit : 0
    }
    return sum
  }

  /// By how much the squares of the residuals are over that of a limit, in sum.
  @inline(__always)
  private func excessSquares(from moved: Double, limit: Double) -> Double {
    var sum = 0.0
    let (residuals, count) = (residuals.pointer, farRange.count)
    for index in 0..<count {
      let r = abs(residuals[index] - moved)
      sum += r > limit ? (r - limit) * (r + limit) : 0
    }
    return sum
  }
}

extension SIMD8<Double> {
  /// 1 at `index`, elsewhere 0.
  @inline(__always)
  fileprivate static func one(in index: Int) -> Self {
    let places = SIMD8<Double>(0, 1, 2, 3, 4, 5, 6, 7)
    return Self.zero.replacing(with: 1, where: places .== Double(index))
  }

  /// The sum, added up in halves.
  @inline(__always)
  var total: Double {
    let half = lowHalf + highHalf
    let quarter = half.lowHalf + half.highHalf
    return quarter.x + quarter.y
  }

  @inline(__always)
  var greatest: Double {
    let half = lowHalf.replacing(with: highHalf, where: highHalf .> lowHalf)
    let quarter = half.lowHalf.replacing(with: half.highHalf, where: half.highHalf .> half.lowHalf)
    return Swift.max(quarter.x, quarter.y)
  }
}

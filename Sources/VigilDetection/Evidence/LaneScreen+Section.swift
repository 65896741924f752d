import VigilKernels
import VigilModel

extension LaneScreen {
  /// Bounds of what the pools of a section have in common.
  private struct Pools {
    var shared: Range<Int>
    var all: Range<Int>
    /// Bounds of their means.
    var mean: ClosedRange<Float>
    var sizes: ClosedRange<Int>
    var mostGuarded: Int
  }

  @inline(__always)
  private func sums(before place: Int) -> Running {
    let position = columns.positions[place]
    let week = Int(position >> 3)
    let mask = Self.lanesBefore(position)
    let (low, high) = (running + week, running + week + 1)
    var sums = low.pointee
    sums.distances.replace(with: high.pointee.distances, where: mask)
    sums.negative.replace(with: high.pointee.negative, where: mask)
    sums.clipped.replace(with: high.pointee.clipped, where: mask)
    sums.squares.replace(with: high.pointee.squares, where: mask)
    sums.excess.replace(with: high.pointee.excess, where: mask)
    sums.counts.replace(with: high.pointee.counts, where: mask)
    return sums
  }

  @inline(__always)
  private func pools(_ range: Range<Int>, _ first: UnsafePointer<Int>) -> Pools {
    let last = range.count - 1
    let (early, earlyGuard) = pool(of: range.lowerBound, first: first[0])
    let (late, lateGuard) = pool(of: range.upperBound - 1, first: first[last])
    var (low, high) = (Double.infinity, -Double.infinity)
    var (least, most) = (early.count, early.count)
    var guarded = max(earlyGuard, lateGuard)
    let sums = columns.sums
    let fewest = range.lowerBound - first[last] + 1
    if fewest >= settings.baselineDays + settings.guardDays, fewest >= 3 * settings.guardDays {
      // Then all of them are of the full size.
      let (start, end) = (sums + early.lowerBound, sums + early.upperBound)
      for index in 0..<range.count {
        let sum = end[index] - start[index]
        low = sum < low ? sum : low
        high = sum > high ? sum : high
      }
      low /= Double(settings.baselineDays)
      high /= Double(settings.baselineDays)
    } else {
      for index in 0..<range.count {
        let (own, ownGuard) = pool(of: range.lowerBound + index, first: first[index])
        least = min(least, own.count)
        most = max(most, own.count)
        guarded = max(guarded, ownGuard)
        let mean = (sums[own.upperBound] - sums[own.lowerBound]) / Double(own.count)
        low = min(low, mean)
        high = max(high, mean)
      }
    }
    let slack =
      1e-6 * (abs(low) + abs(high)) + (1e-7 * Double(mass) + 2 * self.sumSlack) / Double(least)
    return Pools(
      shared: late.lowerBound..<max(late.lowerBound, early.upperBound),
      all: early.lowerBound..<late.upperBound, mean: Float(low - slack)...Float(high + slack),
      sizes: least...most, mostGuarded: guarded)
  }

  /// Of the observations of `range`, those that may deviate; nil where the bounds do not hold.
  func section(_ range: Range<Int>, _ first: UnsafePointer<Int>) -> UInt32? {
    let pools = pools(range, first)
    guard pools.shared.count >= 8 else { return nil }
    let (a0, b0) = (sums(before: pools.all.lowerBound), sums(before: pools.shared.upperBound))
    let (a1, b1) = (sums(before: pools.shared.lowerBound), sums(before: pools.all.upperBound))

    // Means by weekday, as distances from the center.
    let (prior, clip) = (Float(settings.weekdayPriorDays), Float(settings.clip))
    let (fewest, most) = (Float(pools.sizes.lowerBound), Float(pools.sizes.upperBound))
    let shared = b0.distances - a1.distances
    let negative = (b1.negative - b0.negative) + (a1.negative - a0.negative)
    let some = (b1.distances - b0.distances) + (a1.distances - a0.distances)
    let (leastCount, mostCount) = (b0.counts - a1.counts, b1.counts - a0.counts)
    let (meanLow, meanHigh) = (pools.mean.lowerBound, pools.mean.upperBound)
    var low = shared + negative - slack + prior * (meanLow - center)
    var high = shared + (some - negative) + slack + prior * (meanHigh - center)
    let (narrow, wide) = (leastCount + prior, mostCount + prior)
    low /= narrow.replacing(with: wide, where: low .>= 0)
    high /= wide.replacing(with: narrow, where: high .>= 0)
    let effectsLow = (low + (center - meanHigh)).ofWeek.total
    let effectsHigh = (high + (center - meanLow)).ofWeek.total
    let shiftLow = prior * effectsLow / (effectsLow >= 0 ? most : fewest)
    let shiftHigh = prior * effectsHigh / (effectsHigh >= 0 ? fewest : most)
    let moved = ((b1.excess - a0.excess).total + slack) / fewest
    low += shiftLow - moved
    high += shiftHigh + moved
    let farthest = low.magnitudes.most(high.magnitudes).ofWeek.greatest

    // The spread from below.
    let clipped = b0.clipped - a1.clipped
    let ones = Lanes(repeating: 1)
    let squares =
      (b0.squares - a1.squares - clipped * clipped / leastCount.most(ones)).total
      - slack * reach * 4
    let weight = Float(settings.spreadPriorDays)
    let floor = Float(settings.spreadFloor) * priorSpread
    let spread =
      max(
        (weight * priorSpread * priorSpread + max(squares, 0)) / (weight + most), floor * floor
      ).squareRoot() * (1 - 1e-5)
    guard farthest <= reach, reach + farthest <= clip * spread, mass < 1e5 * spread else {
      return nil
    }
    let bin =
      looksAtSteps ? leastBin(pools, low: low, high: high, counts: mostCount.ofWeek) : 0
    return judge(range, first, pools, low: low, high: high, spread: spread, bin: bin)
  }

  /// The bin of the least autocorrelation that the pools may show.
  ///
  /// `1 - a` is the sum of squared steps between neighbours by that of their squares.
  private func leastBin(_ pools: Pools, low: Lanes, high: Lanes, counts: Lanes) -> Int {
    let positions = columns.positions
    @inline(__always)
    func sums(_ sum: (Running) -> Lanes, _ place: Int) -> Lanes {
      let week = Int(positions[place] >> 3)
      return sum(running[week]).replacing(
        with: sum(running[week + 1]), where: Self.lanesBefore(positions[place]))
    }
    func dayBefore(_ lanes: Lanes) -> Lanes {
      Lanes(lanes[6], lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], lanes[5], lanes[7])
    }
    let apart = (high - dayBefore(low)).magnitudes.most((dayBefore(high) - low).magnitudes)
    let size = low.magnitudes.most(high.magnitudes)
    let steps =
      (sums({ $0.steps }, pools.all.upperBound) - sums({ $0.steps }, pools.all.lowerBound)).total
    let stepRoot =
      (max(steps, 0) + stepSlack + slack * reach * 8).squareRoot()
      + (counts * apart * apart).ofWeek.total.squareRoot()
    let squares =
      (sums({ $0.stepSquares }, pools.shared.upperBound)
      - sums({ $0.stepSquares }, pools.shared.lowerBound)).total
      - 2 * reach * reach - slack * reach * 8
    let root =
      max(squares, 0).squareRoot() - (2 * (counts * size * size).ofWeek.total).squareRoot()
    let pairs = columns.pairs
    let fewest = Float(pairs[pools.shared.upperBound] - pairs[pools.shared.lowerBound + 1])
    let most = Float(pairs[pools.all.upperBound] - pairs[pools.all.lowerBound])
    // Far above where the sum of squares counts as no less than a bound.
    guard fewest >= 4, root > 1e-4 * (priorSpread + mass) else { return 0 }
    let a = max(-1, 1 - stepRoot * stepRoot / (root * root) * (1 + 1e-4))
    let weight = Float(settings.autocorrelationPriorDays)
    let known = 1 + 3 * a + weight * priorAutocorrelation
    let rho = min((fewest * a + known) / (fewest + weight), (most * a + known) / (most + weight))
    // Nor where the sums overflow, and it is no number.
    guard rho > 1e-4 else { return 0 }
    let (least, largest) = (rho - 1e-4, Float(bounds.mostAutocorrelation))
    guard least < largest else { return LaneBounds.bins - 1 }
    return min(Int(least / largest * Float(LaneBounds.bins)), LaneBounds.bins - 1)
  }

  /// Judges the windows of a section.
  @inline(__always)
  private func judge(
    _ range: Range<Int>, _ first: UnsafePointer<Int>, _ pools: Pools, low: Lanes, high: Lanes,
    spread: Float, bin: Int
  ) -> UInt32 {
    let clip = Float(settings.clip)
    // The longest window that any of them allows.
    let lengths = bounds.lengths
    var longest = settings.windows[0]
    for length in settings.windows where length <= pools.mostGuarded { longest = length }
    let start = max(range.lowerBound + 1 - longest, pools.shared.upperBound)
    let positions = columns.positions
    let distances = UnsafeRawPointer(distances).assumingMemoryBound(to: Float.self)

    // By place, the running sum of distances from the least means, clipped on the good side.
    let least = -clip * spread
    let prefix = prefix.pointer + (prefixRoom - start)
    var largest: Float = 0
    withUnsafeBytes(of: low) { low in
      let low = low.assumingMemoryBound(to: Float.self)
      func distance(_ place: Int) -> Float {
        let position = Int(positions[place])
        return distances[position] - low[position & 7]
      }
      var sum: Float = 0
      var before = distance(start - 1)
      prefix[start] = 0
      for place in start..<range.upperBound {
        let value = distance(place)
        let step = min(value - before, max(value, 0) - least)
        largest = step > largest ? step : largest
        before = value
        sum += value > least ? value : least
        prefix[place + 1] = sum
      }
    }
    let wide = (high - low).ofWeek.greatest
    let knots =
      bounds.knot(
        poolSize: pools.sizes.lowerBound)...bounds.knot(
        poolSize: pools.sizes.upperBound)
    let step = (largest + wide + slack) / spread * (1 + 1e-5)
    var need = bounds.need(knot: knots.lowerBound, step: step, bin: bin)
    var threshold = bounds.threshold(ofKnot: knots.lowerBound)
    for knot in knots.dropFirst() {
      need.widen(bounds.need(knot: knot, step: step, bin: bin))
      threshold = min(threshold, bounds.threshold(ofKnot: knot))
    }
    let sumSlack = slack * 0.25 + 2e-3 * spread
    let allowed = lengths .<= Float(pools.mostGuarded)
    let thresholds = Lanes(repeating: 1e30)
      .replacing(with: lengths * need.least * spread - sumSlack, where: allowed)
    let slopes = lengths * need.slope * spread

    let gaps = columns.gaps
    var found: UInt32 = 0
    let windows = settings.windows
    var group = range.lowerBound
    while group < range.upperBound {
      let end = Self.load(prefix + group + 1)
      let gapsEnd = Self.load(gaps + group)
      var hits = SIMD8<Int32>.zero
      for window in 0..<windows.count {
        let length = windows[window]
        let sum = end - Self.load(prefix + group + 1 - length)
        let count = gapsEnd - Self.load(gaps + max(group - length, 0))
        let isHit = sum + count * slopes[window] .>= Lanes(repeating: thresholds[window])
        hits |= SIMD8<Int32>.zero.replacing(with: 1 << Int32(window), where: isHit)
      }
      if any(hits .!= 0) {
        for index in 0..<min(8, range.upperBound - group) where hits[index] != 0 {
          let place = group + index
          if mayDeviate(
            place, first: first[place - range.lowerBound], windows: hits[index],
            prefix: UnsafePointer(prefix), low: low, high: high, spread: spread, sumSlack: sumSlack,
            threshold: threshold - 1e-4,
            bin: bin)
          {
            found |= 1 << UInt32(place - range.lowerBound)
          }
        }
      }
      group += 8
    }
    return found
  }

  @inline(__always)
  private static func load(_ pointer: UnsafePointer<Float>) -> Lanes {
    UnsafeRawPointer(pointer).loadUnaligned(as: Lanes.self)
  }
}

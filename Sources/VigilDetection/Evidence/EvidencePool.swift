import VigilKernels
import VigilModel

/// The usual values of a series, from the observations of a baseline pool (specification, evidence.md
/// section 2).
struct EvidencePool {
  let anchor: EvidenceAnchor
  /// The mean of the raw values.
  let base: Double
  /// The observations, as places among the eligible ones.
  let range: Range<Int>
}

extension EvidenceJudge {
  /// The statistics of the pool `range`.
  ///
  /// Sums run over eight interleaved parts, so that additions do not wait for each other; the order is the
  /// same on every processor.
  ///
  /// - Complexity: O(pool), about ten passes.
  func pool(_ range: Range<Int>, of series: EligibleSeries) -> EvidencePool {
    let count = range.count
    let size = Double(count)
    let y = series.y + range.lowerBound
    let weekdays = series.weekdays + range.lowerBound
    let r = residuals.pointer
    var mean = Self.sum(y, count) / size

    // Effects of weekdays, shrunk towards none.
    // In memory, as a place of a vector that is not known beforehand is slow.
    let byWeekday = self.byWeekday.pointer
    byWeekday.update(repeating: 0, count: 16)
    for index in 0..<count {
      let weekday = Int(weekdays[index])
      byWeekday[weekday] += y[index] - mean
      byWeekday[weekday &+ 8] += 1
    }
    let vectors = UnsafeRawPointer(byWeekday)
    let effects =
      vectors.loadUnaligned(as: SIMD8<Double>.self)
      / (vectors.loadUnaligned(fromByteOffset: 64, as: SIMD8<Double>.self)
        + settings.weekdayPriorDays)
    UnsafeMutableRawPointer(byWeekday).storeBytes(of: effects, as: SIMD8<Double>.self)
    for index in 0..<count { r[index] = y[index] - mean - byWeekday[Int(weekdays[index])] }

    func shift(by difference: Double) {
      mean += difference
      for index in 0..<count { r[index] -= difference }
    }
    let priorSquares = settings.spreadPriorDays * prior.priorSpread * prior.priorSpread
    let floor = settings.spreadFloor * prior.priorSpread
    func spread(_ squares: Double) -> Double {
      max((priorSquares + squares) / (settings.spreadPriorDays + size), floor * floor).squareRoot()
    }
    shift(by: Self.sum(r, count) / size)
    var spreadNow = spread(Self.sumOfSquares(r, count, clippedAt: .infinity))
    for _ in 0..<2 {
      let limit = settings.clip * spreadNow
      shift(by: Self.sum(r, count, clippedAt: limit) / size)
      spreadNow = spread(Self.sumOfSquares(r, count, clippedAt: limit))
    }

    let (autocorrelation, noise) = course(
      of: r, count, spread: spreadNow, days: series.days + range.lowerBound)
    let anchor = EvidenceAnchor(
      mean: mean, weekdays: effects, spread: spreadNow, autocorrelation: autocorrelation,
      noise: noise)
    return EvidencePool(
      anchor: anchor, base: Self.sum(series.x + range.lowerBound, count) / size, range: range)
  }

  /// Autocorrelation and noise of neighbours that are one day apart; turns `r` into personal spreads.
  private func course(
    of r: UnsafeMutablePointer<Double>, _ count: Int, spread: Double, days: UnsafePointer<Int32>
  ) -> (autocorrelation: Double, noise: Double) {
    let clip = settings.clip
    let scale = 1 / spread
    for index in 0..<count {
      let spreads = r[index] * scale
      r[index] = spreads > clip ? clip : spreads < -clip ? -clip : spreads
    }
    let (pairs, products, behind, ahead) = Self.neighbours(of: r, count, days: days)
    var a = 2 * products / max(behind + ahead, 1e-9)
    a += (1 + 3 * a) / Double(max(pairs, 4))
    let weight = settings.autocorrelationPriorDays
    let rho = min(
      max((Double(pairs) * a + weight * prior.priorAutocorrelation) / (Double(pairs) + weight), 0),
      settings.mostAutocorrelation)
    // sum of (u_j - rho u_i)^2 = sum u_j^2 - 2 rho sum u_i u_j + rho^2 sum u_i^2
    let left = ahead - 2 * rho * products + rho * rho * behind
    let noise =
      max(
        1,
        (settings.noisePriorDays + left / (1 - rho * rho))
          / (settings.noisePriorDays + Double(pairs))
      ).squareRoot()
    return (rho, noise)
  }

  /// The pairs of neighbours that are one day apart: their number, the sum of products, and the sums of squares
  /// of the earlier and of the later ones.
  private static func neighbours(
    of u: UnsafePointer<Double>, _ count: Int, days: UnsafePointer<Int32>
  ) -> (pairs: Int, products: Double, behind: Double, ahead: Double) {
    if Int(days[count - 1] - days[0]) == count - 1 {
      var products = SIMD8<Double>.zero
      var index = 0
      while index &+ 9 <= count {
        let behind = UnsafeRawPointer(u + index).loadUnaligned(as: SIMD8<Double>.self)
        let ahead = UnsafeRawPointer(u + index + 1).loadUnaligned(as: SIMD8<Double>.self)
        products += behind * ahead
        index &+= 8
      }
      var rest = 0.0
      while index &+ 1 < count {
        rest += u[index] * u[index &+ 1]
        index &+= 1
      }
      let squares = sumOfSquares(u, count, clippedAt: .infinity)
      return (
        count - 1, products.sum() + rest, squares - u[count - 1] * u[count - 1],
        squares - u[0] * u[0]
      )
    }
    var pairs = 0
    var (products, behind, ahead) = (0.0, 0.0, 0.0)
    for index in 1..<count where days[index] &- days[index &- 1] == 1 {
      let (i, j) = (u[index &- 1], u[index])
      products += i * j
      behind += i * i
      ahead += j * j
      pairs &+= 1
    }
    return (pairs, products, behind, ahead)
  }

  // MARK: Sums

  @inline(__always)
  private static func clipped(_ values: SIMD8<Double>, at limits: SIMD8<Double>) -> SIMD8<Double> {
    let below = values.replacing(with: limits, where: values .> limits)
    return below.replacing(with: -limits, where: below .< -limits)
  }

  private static func sum(_ values: UnsafePointer<Double>, _ count: Int) -> Double {
    var sums = SIMD8<Double>.zero
    var index = 0
    while index &+ 8 <= count {
      sums += UnsafeRawPointer(values + index).loadUnaligned(as: SIMD8<Double>.self)
      index &+= 8
    }
    var rest = 0.0
    while index < count {
      rest += values[index]
      index &+= 1
    }
    return sums.sum() + rest
  }

  private static func sum(
    _ r: UnsafePointer<Double>, _ count: Int, clippedAt limit: Double
  ) -> Double {
    let limits = SIMD8<Double>(repeating: limit)
    var sums = SIMD8<Double>.zero
    var index = 0
    while index &+ 8 <= count {
      let group = UnsafeRawPointer(r + index).loadUnaligned(as: SIMD8<Double>.self)
      sums += clipped(group, at: limits)
      index &+= 8
    }
    var rest = 0.0
    while index < count {
      rest += min(max(r[index], -limit), limit)
      index &+= 1
    }
    return sums.sum() + rest
  }

  private static func sumOfSquares(
    _ r: UnsafePointer<Double>, _ count: Int, clippedAt limit: Double
  ) -> Double {
    let limits = SIMD8<Double>(repeating: limit)
    var sums = SIMD8<Double>.zero
    var index = 0
    while index &+ 8 <= count {
      let group = UnsafeRawPointer(r + index).loadUnaligned(as: SIMD8<Double>.self)
      let clipped = Self.clipped(group, at: limits)
      sums += clipped * clipped
      index &+= 8
    }
    var rest = 0.0
    while index < count {
      let clipped = min(max(r[index], -limit), limit)
      rest += clipped * clipped
      index &+= 1
    }
    return sums.sum() + rest
  }
}

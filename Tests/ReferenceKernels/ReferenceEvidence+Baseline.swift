import Foundation

extension ReferenceEvidence {
  /// Figures of the usual, evidence.md section 2.
  ///
  /// An episode keeps those of its opening as its anchor.
  public struct Baseline: Equatable, Sendable {
    /// The first day of the pool.
    public var start: Int
    /// The last day of the pool.
    public var end: Int
    /// nb, the number of observations of the pool.
    public var days: Int
    /// base, the mean of the values as they are.
    public var value: Double
    /// m, in the unit of y.
    public var mean: Double
    /// e, by weekday from Sunday on, in the unit of y.
    public var weekday: [Double]
    /// s, in the unit of y.
    public var spread: Double
    /// rho.
    public var autocorrelation: Double
    public var noise: Double
  }

  /// Returns the figures of a pool that is not empty.
  public func baseline(of pool: [(day: Int, value: Double)]) -> Baseline {
    let nb = Double(pool.count)
    let y = pool.map { metric.transform.applied(to: $0.value) }
    var m = Self.mean(y)
    var r = y.map { $0 - m }

    var weekday = [Double](repeating: 0, count: 7)
    for w in 0..<7 {
      let ofWeekday = pool.indices.filter { Self.weekday(pool[$0].day) == w }
      if ofWeekday.isEmpty { continue }
      let sum = ofWeekday.map { r[$0] }.reduce(0, +)
      weekday[w] = sum / (Double(ofWeekday.count) + settings.weekdayPriorDays)
    }
    r = pool.indices.map { r[$0] - weekday[Self.weekday(pool[$0].day)] }
    var d = Self.mean(r)
    m += d
    r = r.map { $0 - d }

    let s0 = metric.priorSpread
    func spread(_ residuals: [Double]) -> Double {
      let squares = residuals.map { $0 * $0 }.reduce(0, +)
      let shrunk =
        (settings.spreadPriorDays * s0 * s0 + squares) / (settings.spreadPriorDays + nb)
      let floor = settings.spreadFloor * s0
      return max(shrunk, floor * floor).squareRoot()
    }
    var s = spread(r)
    for _ in 1...2 {
      let limit = settings.clip * s
      d = Self.mean(r.map { Self.clamp($0, -limit, limit) })
      m += d
      r = r.map { $0 - d }
      s = spread(r.map { Self.clamp($0, -limit, limit) })
    }

    let u = r.map { Self.clamp($0 / s, -settings.clip, settings.clip) }
    var pairs: [(earlier: Double, later: Double)] = []
    for j in pool.indices.dropFirst() where pool[j].day - pool[j - 1].day == 1 {
      pairs.append((u[j - 1], u[j]))
    }
    let P = Double(pairs.count)
    let products = pairs.map { $0.earlier * $0.later }.reduce(0, +)
    let squares = pairs.map { $0.earlier * $0.earlier + $0.later * $0.later }.reduce(0, +)
    var a = 2 * products / max(squares, 1e-9)
    a += (1 + 3 * a) / max(P, 4)
    let rho = Self.clamp(
      (P * a + settings.rhoPriorDays * metric.priorAutocorrelation) / (P + settings.rhoPriorDays),
      0, settings.rhoMax)
    let surprises = pairs.map { ($0.later - rho * $0.earlier) * ($0.later - rho * $0.earlier) }
      .reduce(0, +)
    let variance =
      (settings.noisePriorDays + surprises / (1 - rho * rho)) / (settings.noisePriorDays + P)

    return Baseline(
      start: pool[0].day, end: pool[pool.count - 1].day, days: pool.count,
      value: Self.mean(pool.map(\.value)), mean: m, weekday: weekday, spread: s,
      autocorrelation: rho, noise: max(1, variance).squareRoot())
  }

  /// Returns u of section 3: personal spreads against a baseline, positive is bad.
  func badness(_ observation: (day: Int, value: Double), _ baseline: Baseline) -> Double {
    let y = metric.transform.applied(to: observation.value)
    let usual = baseline.mean + baseline.weekday[Self.weekday(observation.day)]
    return metric.direction
      * Self.clamp((y - usual) / baseline.spread, -settings.clip, settings.clip)
  }

  /// Returns p and q of section 3 for neighbours that are `gap` days apart.
  func memory(_ baseline: Baseline, gap: Int) -> (p: Double, q: Double) {
    let p = pow(baseline.autocorrelation, Double(gap))
    return (p, (1 - p * p).squareRoot())
  }
}

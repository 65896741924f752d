import VigilModel

/// One person in one metric: the traits and, by day, what they leave.
///
/// The weekday effects and the clipped spread follow the specification, evidence.md section 2, over all
/// days of the series and without priors: here the person is measured, not judged.
struct SeriesFit {
  let person: Int
  let level: Double
  let spread: Double
  /// Of neighbouring days; nil with fewer than 10 pairs of them.
  let autocorrelation: Double?
  /// The share of the days between the first and the last with a value.
  let wear: Double
  /// In personal spreads, Sunday first; 0 for a weekday not seen.
  let weekdays: [Double]
  /// In personal spreads, by day.
  let residuals: [(day: Day, value: Double)]

  /// The number of days with which a weekday's effect is drawn towards 0.
  private static let weekdayPrior = 6.0
  private static let clip = 3.0

  /// - Returns: Nil for a series that does not vary.
  init?(_ series: RealSeries, scale: Scale) {
    guard let first = series.days.first, let last = series.days.last else { return nil }
    let count = Double(series.days.count)
    let scaled = series.values.map(scale.scaled)
    let mean = scaled.reduce(0, +) / count
    var sums = [Double](repeating: 0, count: 7)
    var counts = [Double](repeating: 0, count: 7)
    for (day, y) in zip(series.days, scaled) {
      sums[day.weekday] += y - mean
      counts[day.weekday] += 1
    }
    let effects = zip(sums, counts).map { $0 / ($1 + Self.weekdayPrior) }
    var rest = zip(series.days, scaled).map { $1 - mean - effects[$0.weekday] }
    var centre = rest.reduce(0, +) / count
    rest = rest.map { $0 - centre }
    var level = mean + centre
    var spread = (rest.reduce(0) { $0 + $1 * $1 } / count).squareRoot()
    for _ in 0..<2 {
      let limit = Self.clip * spread
      func clipped(_ value: Double) -> Double { min(max(value, -limit), limit) }
      centre = rest.reduce(0) { $0 + clipped($1) } / count
      level += centre
      rest = rest.map { $0 - centre }
      spread = (rest.reduce(0) { $0 + clipped($1) * clipped($1) } / count).squareRoot()
    }
    guard spread > 1e-9 else { return nil }
    person = series.person
    self.level = level
    self.spread = spread
    wear = count / Double(last - first + 1)
    weekdays = effects.map { $0 / spread }
    residuals = zip(series.days, rest).map { ($0, $1 / spread) }
    autocorrelation = Self.autocorrelation(residuals)
  }

  /// The estimate of the specification, evidence.md section 2, before its prior.
  private static func autocorrelation(_ residuals: [(day: Day, value: Double)]) -> Double? {
    var (products, squares, pairs) = (0.0, 0.0, 0.0)
    for (earlier, later) in zip(residuals, residuals.dropFirst())
    where later.day - earlier.day == 1 {
      let (u, v) = (min(max(earlier.value, -clip), clip), min(max(later.value, -clip), clip))
      products += u * v
      squares += u * u + v * v
      pairs += 1
    }
    guard pairs >= 10, squares > 0 else { return nil }
    let estimate = 2 * products / squares
    return min(max(estimate + (1 + 3 * estimate) / pairs, -0.95), 0.95)
  }
}

/// The traits of one person in one metric, without any day.
struct SeriesTraits {
  let level: Double
  let spread: Double
  let autocorrelation: Double
  let wear: Double
  /// In personal spreads, Sunday first.
  let weekdays: [Double]
  let observations: Int

  /// - Returns: Nil for a fit without an autocorrelation.
  init?(_ fit: SeriesFit) {
    guard let autocorrelation = fit.autocorrelation else { return nil }
    level = fit.level
    spread = fit.spread
    self.autocorrelation = autocorrelation
    wear = fit.wear
    weekdays = fit.weekdays
    observations = fit.residuals.count
  }
}

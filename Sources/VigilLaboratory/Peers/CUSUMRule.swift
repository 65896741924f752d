/// A one-sided cumulative sum of standardised days (Page, Biometrika 41, 1954).
///
/// Reference value 0.5, made for a shift of one standard deviation; a sum of 5 alarms. The sum begins anew
/// after an alarm.
public struct CUSUMRule: PeerRule {
  public let name = "CUSUM"
  public let usualThreshold = 5.0
  private static let reference = 0.5

  public init() {}

  public func makeSeries(
    metric: MetricPopulation, truth: SimulatedPerson.Metric
  ) -> (any PeerSeries)? {
    Series(
      scale: metric.scale, direction: metric.badDirection,
      leastSpread: metric.spread.value(at: 0.5) / 10)
  }

  struct Series: PeerSeries {
    let scale: Scale
    let direction: Double
    let leastSpread: Double
    private var baseline = RunningBaseline()
    private var sum = 0.0

    init(scale: Scale, direction: Double, leastSpread: Double) {
      self.scale = scale
      self.direction = direction
      self.leastSpread = leastSpread
    }

    mutating func statistic(_ value: Double, day: Int) -> Double? {
      guard
        let deviation = baseline.deviation(of: scale.scaled(value), leastSpread: leastSpread)
      else { return nil }
      sum = max(0, sum + direction * deviation - CUSUMRule.reference)
      return sum
    }

    mutating func didAlarm() { sum = 0 }
  }
}

/// An exponentially weighted moving average of standardised days (Roberts, Technometrics 1, 1959).
///
/// Weight 0.2; 3 standard deviations of the average alarm.
public struct EWMARule: PeerRule {
  public let name = "EWMA"
  public let usualThreshold = 3.0
  private static let weight = 0.2

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
    private var average = 0.0

    init(scale: Scale, direction: Double, leastSpread: Double) {
      self.scale = scale
      self.direction = direction
      self.leastSpread = leastSpread
    }

    mutating func statistic(_ value: Double, day: Int) -> Double? {
      guard
        let deviation = baseline.deviation(of: scale.scaled(value), leastSpread: leastSpread)
      else { return nil }
      let weight = EWMARule.weight
      average += weight * (direction * deviation - average)
      return average / (weight / (2 - weight)).squareRoot()
    }
  }
}

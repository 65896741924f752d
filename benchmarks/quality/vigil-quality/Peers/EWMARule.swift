import VigilLaboratory

/// An exponentially weighted moving average of standardised days (Roberts, Technometrics 1, 1959).
///
/// Weight 0.2; 3 standard deviations of the average alarm.
struct EWMARule: PeerRule {
  let name = "EWMA"
  let usualThreshold = 3.0
  private static let weight = 0.2

  init() {}

  func makeSeries(
    metric: MetricPopulation, truth: SimulatedPerson.Metric
  ) -> (any PeerSeries)? {
    StandardisedSeries(of: metric, beginsAnew: false) { average, deviation in
      average += Self.weight * (deviation - average)
      return average / (Self.weight / (2 - Self.weight)).squareRoot()
    }
  }
}

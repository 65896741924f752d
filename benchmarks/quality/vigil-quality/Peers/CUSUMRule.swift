import VigilLaboratory

/// A one-sided cumulative sum of standardised days (Page, Biometrika 41, 1954).
///
/// Reference value 0.5, made for a shift of one standard deviation; a sum of 5 alarms. The sum begins anew
/// after an alarm.
struct CUSUMRule: PeerRule {
  let name = "CUSUM"
  let usualThreshold = 5.0
  private static let reference = 0.5

  init() {}

  func makeSeries(
    metric: MetricPopulation, truth: SimulatedPerson.Metric
  ) -> (any PeerSeries)? {
    StandardisedSeries(of: metric, beginsAnew: true) { sum, deviation in
      sum = max(0, sum + deviation - Self.reference)
      return sum
    }
  }
}

import VigilLaboratory

/// A published rule that raises an alarm on single days, to compare profiles with.
protocol PeerRule: Sendable {
  /// The name in reports.
  var name: String { get }
  /// The threshold that its authors give, or that is usual; NaN where there is none.
  var usualThreshold: Double { get }
  /// Begins a series.
  ///
  /// - Parameters:
  ///   - metric: The population's figures of the metric.
  ///   - truth: The person's true figures; only bounds may read them.
  /// - Returns: Nil where the rule is not made for the metric.
  func makeSeries(
    metric: MetricPopulation, truth: SimulatedPerson.Metric
  ) -> (any PeerSeries)?
}

/// The state of a rule in one series.
protocol PeerSeries {
  /// Takes the next observation.
  ///
  /// - Parameters:
  ///   - value: In the metric's unit.
  ///   - day: The index of the day; ascends from call to call.
  /// - Returns: The statistic that alarms where it reaches the threshold; nil while there are too few days.
  mutating func statistic(_ value: Double, day: Int) -> Double?
  /// Takes note of an alarm on the day of the last observation.
  mutating func didAlarm()
}

extension PeerSeries {
  mutating func didAlarm() {}
}

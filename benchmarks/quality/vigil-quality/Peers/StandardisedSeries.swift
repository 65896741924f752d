import VigilLaboratory

/// A series of which a rule sums up the standardised days.
struct StandardisedSeries: PeerSeries {
  private let scale: Scale
  private let direction: Double
  private let leastSpread: Double
  private let step: (_ sum: inout Double, _ deviation: Double) -> Double
  private let beginsAnew: Bool
  private var baseline = RunningBaseline()
  private var sum = 0.0

  /// - Parameters:
  ///   - metric: The metric of the series.
  ///   - beginsAnew: Whether the sum begins anew after an alarm.
  ///   - step: Takes the deviation of a day into the sum, to the bad side, and returns the statistic.
  init(
    of metric: MetricPopulation, beginsAnew: Bool,
    _ step: @escaping (_ sum: inout Double, _ deviation: Double) -> Double
  ) {
    scale = metric.scale
    direction = metric.badDirection
    leastSpread = metric.spread.value(at: 0.5) / 10
    self.beginsAnew = beginsAnew
    self.step = step
  }

  mutating func statistic(_ value: Double, day: Int) -> Double? {
    baseline.deviation(of: scale.scaled(value), leastSpread: leastSpread)
      .map { step(&sum, direction * $0) }
  }

  mutating func didAlarm() {
    if beginsAnew { sum = 0 }
  }
}

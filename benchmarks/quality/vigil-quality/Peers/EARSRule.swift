import VigilLaboratory

/// The rule C2 of the Early Aberration Reporting System: standard deviations above the mean of seven days.
///
/// Hutwagner et al., Journal of Urban Health 80 (2003): the seven observations end two before the day at hand;
/// 3 standard deviations alarm.
struct EARSRule: PeerRule {
  let name = "EARS C2"
  let usualThreshold = 3.0

  init() {}

  func makeSeries(
    metric: MetricPopulation, truth: SimulatedPerson.Metric
  ) -> (any PeerSeries)? {
    Series(
      scale: metric.scale, direction: metric.badDirection,
      leastSpread: metric.spread.value(at: 0.5) / 10)
  }

  struct Series: PeerSeries {
    let scale: Scale
    let direction: Double
    /// Seven equal values would make any change infinite.
    let leastSpread: Double
    /// The last nine observations, oldest first.
    private var recent: [Double] = []

    init(scale: Scale, direction: Double, leastSpread: Double) {
      self.scale = scale
      self.direction = direction
      self.leastSpread = leastSpread
    }

    mutating func statistic(_ value: Double, day: Int) -> Double? {
      let y = scale.scaled(value)
      defer {
        if recent.count == 9 { recent.removeFirst() }
        recent.append(y)
      }
      guard recent.count == 9 else { return nil }
      var (sum, squares) = (0.0, 0.0)
      for index in 0..<7 { sum += recent[index] }
      let mean = sum / 7
      for index in 0..<7 { squares += (recent[index] - mean) * (recent[index] - mean) }
      return direction * (y - mean) / max((squares / 6).squareRoot(), leastSpread)
    }
  }
}

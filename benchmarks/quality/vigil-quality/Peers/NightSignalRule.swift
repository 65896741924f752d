import VigilLaboratory

/// The rule of NightSignal: resting heart rate above the running median on two nights in a row.
///
/// Alavi et al., Nature Medicine 28 (2022): 4 bpm above the median of all nights so far.
struct NightSignalRule: PeerRule {
  let name = "NightSignal"
  let usualThreshold = 4.0
  /// The fewest nights with a median.
  private static let fewestNights = 7

  init() {}

  func makeSeries(
    metric: MetricPopulation, truth: SimulatedPerson.Metric
  ) -> (any PeerSeries)? {
    metric.metric == "resting_hr" ? Series() : nil
  }

  struct Series: PeerSeries {
    private var ascending: [Double] = []
    private var latest: (day: Int, excess: Double)?

    mutating func statistic(_ value: Double, day: Int) -> Double? {
      let count = ascending.count
      var (low, high) = (0, count)
      while low < high {
        let middle = (low + high) / 2
        if ascending[middle] < value { low = middle + 1 } else { high = middle }
      }
      defer { ascending.insert(value, at: low) }
      guard count >= NightSignalRule.fewestNights else { return nil }
      let median = (ascending[(count - 1) / 2] + ascending[count / 2]) / 2
      let excess = value - median
      defer { latest = (day, excess) }
      guard let latest, latest.day == day - 1 else { return nil }
      return min(excess, latest.excess)
    }
  }
}

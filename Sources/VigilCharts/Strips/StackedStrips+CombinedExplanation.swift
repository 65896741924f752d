public import VigilAnalysis
public import VigilDetection
public import VigilModel

extension StackedStrips {
  /// The days of metrics that are explained together, one below the other, in personal spreads: those of the alert
  /// against its frozen baselines, or else all that take part in a window of the day.
  ///
  /// - Parameters:
  ///   - explanation: That of the last day that is drawn.
  ///   - metrics: The explained metrics.
  ///   - series: One for each of them.
  ///   - thresholds: Their profile.
  ///   - days: The days to draw.
  ///   - marks: The events of all series together.
  ///   - title: The drawing in a few words.
  ///   - words: The texts beside the lanes.
  /// - Returns: Nil where no metric has a baseline.
  public init?(
    of explanation: CombinedExplanation, _ metrics: [MetricThresholds], _ series: [ExplainedSeries],
    by thresholds: Thresholds, on days: ClosedRange<Day>, marks: [SeriesStrip.Mark] = [],
    title: String, in words: LaneWords
  ) {
    let own = Dictionary(zip(metrics.map(\.metric), series), uniquingKeysWith: { $1 })
    let lanes = explanation.drawn.compactMap { metric -> Lane? in
      guard let series = own[metric.metric] else { return nil }
      let isDisturbed = metrics.contains {
        $0.metric == metric.metric && $0.isSuppressedOnWorkoutDays
      }
      return Lane(
        of: metric, on: days, thresholds, workouts: isDisturbed ? series.workouts : [],
        deviceChanges: series.deviceChanges.map(\.recognizedOn).filter { $0 <= explanation.day },
        in: words
      ) { series[$0].isNaN ? .noRow : .value(series[$0]) }
    }
    guard !lanes.isEmpty else { return nil }
    self.init(
      title: title, axis: .spreads(limit: thresholds.evidence.clip), lanes: lanes, marks: marks)
    language = words.language
  }
}

extension CombinedExplanation {
  fileprivate var drawn: [UsualMetric] {
    if let episode = after ?? before { return UsualMetric.all(of: episode, .combined) }
    guard case .evidence(let windows)? = figures else { return [] }
    var named: Set<MetricType> = []
    return (([telling].compactMap(\.self)) + windows).flatMap(\.metrics)
      .filter { named.insert($0.metric).inserted }.map(UsualMetric.init)
  }
}

public import VigilAnalysis
public import VigilCharts
public import VigilDetection
import VigilModel

extension CombinedExplanationReport {
  /// The last days of the metrics, one below the other: those of the alert, or else all that have a value.
  ///
  /// - Parameters:
  ///   - metrics: The metrics of the explanation.
  ///   - series: One for each of them.
  ///   - days: The number of days.
  public func drawing(
    of metrics: [MetricThresholds], _ series: [ExplainedSeries], days: Int = 60
  ) -> Drawing {
    let shown = (explanation.day - (days - 1))...explanation.day
    let episode = explanation.after ?? explanation.before
    let named = episode?.combined?.contributions ?? []
    let strips = zip(metrics, series).compactMap { metric, own -> (place: Int, SeriesStrip)? in
      let place = named.firstIndex { $0.metric == metric.metric }
      guard named.isEmpty || place != nil else { return nil }
      func reading(_ day: Day) -> SeriesStrip.Reading {
        own[day].isNaN ? .noRow : .value(own[day])
      }
      let readings = (0..<days).map { reading(shown.lowerBound + $0) }
      guard readings.contains(where: { $0 != .noRow }) else { return nil }
      var spans: [SeriesStrip.Span] = []
      if let episode, let place { spans.append(.init(episode, named[place])) }
      return (
        place ?? 0,
        SeriesStrip(
          label: metric.metric.words, unit: metric.metric.unitBesideName, days: shown,
          readings: readings, earlier: (1...6).reversed().map { reading(shown.lowerBound - $0) },
          workouts: metric.isSuppressedOnWorkoutDays ? own.workouts : [], episodes: spans,
          marks: own.deviceChanges.filter { $0.recognizedOn <= explanation.day }
            .map { SeriesStrip.Mark(.deviceChange, on: $0.recognizedOn) })
      )
    }
    return Drawing(
      stacking: strips.sorted { $0.place < $1.place }.map(\.1.drawing),
      title: MetricType.combined.words)
  }
}

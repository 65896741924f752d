public import Foundation
public import VigilAnalysis
public import VigilCharts
public import VigilDetection
public import VigilModel
import VigilStorage

extension CombinedExplanationReport {
  /// The last days of the metrics, one below the other, in personal spreads: those of the alert against its frozen
  /// baselines, or else all that take part in a window of the day.
  ///
  /// - Parameters:
  ///   - metrics: The metrics of the explanation.
  ///   - series: One for each of them.
  ///   - thresholds: Their profile.
  ///   - days: The number of days.
  ///   - evaluated: By run, its last evaluated day.
  /// - Returns: Nil where no metric has a baseline.
  public func strips(
    of metrics: [MetricThresholds], _ series: [ExplainedSeries], by thresholds: Thresholds,
    days: Int = 60, evaluated: [UUID: Day] = [:]
  ) -> StackedStrips? {
    let shown = (explanation.day - (days - 1))...explanation.day
    let own = Dictionary(zip(metrics.map(\.metric), series), uniquingKeysWith: { $1 })
    let lanes = drawn.compactMap { metric -> StackedStrips.Lane? in
      guard let series = own[metric.metric] else { return nil }
      let isDisturbed = metrics.contains {
        $0.metric == metric.metric && $0.isSuppressedOnWorkoutDays
      }
      return metric.lane(
        on: shown, thresholds, workouts: isDisturbed ? series.workouts : [],
        deviceChanges: series.deviceChanges.map(\.recognizedOn).filter { $0 <= explanation.day }
      ) { series[$0].isNaN ? .noRow : .value(series[$0]) }
    }
    guard !lanes.isEmpty else { return nil }
    return StackedStrips(
      title: MetricType.combined.words, axis: .spreads(limit: thresholds.evidence.clip),
      lanes: lanes, marks: stored.notifications.marks(evaluated))
  }

  private var drawn: [UsualMetric] {
    if let episode = explanation.after ?? explanation.before {
      return UsualMetric.all(of: episode, .combined)
    }
    guard case .evidence(let windows)? = explanation.figures else { return [] }
    var named: Set<MetricType> = []
    let telling = CombinedExplanation.telling(windows).map { [$0] } ?? []
    return (telling + windows).flatMap(\.metrics).filter { named.insert($0.metric).inserted }
      .map(UsualMetric.init)
  }
}

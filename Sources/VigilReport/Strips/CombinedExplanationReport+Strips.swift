public import Foundation
public import VigilAnalysis
public import VigilCharts
public import VigilDetection
public import VigilModel
import VigilStorage
import VigilWords

extension CombinedExplanationReport {
  /// The last days of the metrics, one below the other, in personal spreads.
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
    StackedStrips(
      of: explanation, metrics, series, by: thresholds,
      on: (explanation.day - (days - 1))...explanation.day,
      marks: stored.notifications.marks(evaluated), title: MetricType.combined.words,
      in: PageWords.ofReports.besideLanes)
  }
}

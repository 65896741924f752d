import VigilDetection
import VigilModel

/// A profile, resolved against a database: the metrics that it has input for, and the days that it needs.
struct ProfilePlan: Sendable {
  let thresholds: Thresholds
  /// The days of episodes.
  let window: FoldWindow
  /// The metrics that come from wearables and have a column.
  ///
  /// Episodes of the others stay as they are: a column that does not exist says nothing about them.
  let wearableMetrics: [MetricThresholds]
  /// The columns beside them that say whether a device was worn.
  let wearColumns: [MetricType]
  /// The metric that comes from doses; nil where it is not followed.
  let adherenceMetric: MetricThresholds?

  init(
    _ thresholds: Thresholds, window: FoldWindow, availableMetrics: Set<MetricType>,
    followsAdherence: Bool, followsCheckIns: Bool
  ) {
    self.thresholds = thresholds
    self.window = window
    wearableMetrics = thresholds.wearableMetrics.filter { availableMetrics.contains($0.metric) }
    wearColumns = thresholds.wearColumns(beside: wearableMetrics, where: availableMetrics.contains)
    adherenceMetric = followsAdherence ? thresholds.adherenceMetric : nil
    silences = thresholds.silences.filter { $0.metric != .checkInOverdue || followsCheckIns }
    followsTogether = thresholds.combined?.applies(to: wearableMetrics) ?? false
  }

  /// The series of silence of each person, in the order of their indices.
  let silences: [SilenceSeries]

  /// Whether the metrics of a person are also followed together.
  let followsTogether: Bool

  /// The metrics of detection, in the order of their series: those of wearables, then adherence where it
  /// is followed.
  var metrics: [MetricThresholds] { wearableMetrics + [adherenceMetric].compactMap { $0 } }

  /// The series of each person: those of the metrics, then that of all together, where it is followed.
  var seriesPerPerson: Int { metrics.count + (followsTogether ? 1 : 0) }
}

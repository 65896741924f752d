public import VigilDetection
public import VigilModel

/// A profile, resolved against its input: the metrics that there are columns of, and the days that it needs.
public struct ProfilePlan: Sendable {
  public let thresholds: Thresholds
  /// The days of episodes.
  public let window: FoldWindow
  /// The metrics that come from wearables and have a column.
  ///
  /// Episodes of the others stay as they are: a column that does not exist says nothing about them.
  public let wearableMetrics: [MetricThresholds]
  /// The columns beside them that say whether a device was worn.
  public let wearColumns: [MetricType]
  /// The metric that comes from doses; nil where it is not followed.
  public let adherenceMetric: MetricThresholds?

  /// The metrics of detection, in the order of their series: those of wearables, then adherence where it
  /// is followed.
  public let metrics: [MetricThresholds]
  /// The series of silence of each person, in the order of their indices.
  public let silences: [SilenceSeries]
  /// Whether the metrics of a person are also followed together.
  public let followsTogether: Bool

  /// - Parameters:
  ///   - thresholds: The profile.
  ///   - window: The days of episodes.
  ///   - availableMetrics: The metrics that the input has columns of; nil for all.
  ///   - followsAdherence: Whether the input has doses.
  ///   - followsCheckIns: Whether the input has check-ins.
  public init(
    _ thresholds: Thresholds, window: FoldWindow, availableMetrics: Set<MetricType>?,
    followsAdherence: Bool, followsCheckIns: Bool
  ) {
    let isAvailable = { (metric: MetricType) in availableMetrics?.contains(metric) ?? true }
    self.thresholds = thresholds
    self.window = window
    wearableMetrics = thresholds.wearableMetrics.filter { isAvailable($0.metric) }
    wearColumns = thresholds.wearColumns(beside: wearableMetrics, where: isAvailable)
    adherenceMetric = followsAdherence ? thresholds.adherenceMetric : nil
    metrics = wearableMetrics + [adherenceMetric].compactMap(\.self)
    silences = thresholds.silences.filter { $0.metric != .checkInOverdue || followsCheckIns }
    followsTogether = thresholds.combined?.applies(to: wearableMetrics) ?? false
  }

  /// The series of each person: those of the metrics, then that of all together, where it is followed.
  public var seriesPerPerson: Int { metrics.count + (followsTogether ? 1 : 0) }

  /// The place of a key among the series of metrics of its person; nil where it is not of one.
  func place(of key: SeriesKey) -> Int? {
    if followsTogether, key.metric == .combined, key.pattern == .worse { return metrics.count }
    return metrics.firstIndex { $0.metric == key.metric && $0.pattern == key.pattern }
  }

  /// Whether a streak of missed doses is an alert by itself: under a profile that weighs doses, it is one by its
  /// evidence.
  public var findsStreaks: Bool { adherenceMetric?.doses == nil }
}

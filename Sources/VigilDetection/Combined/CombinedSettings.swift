public import VigilModel

/// The settings of a person's metrics together (specification, evidence-person.md section 7).
///
/// ```swift
/// var settings = CombinedSettings()
/// settings.metrics = [MetricType("steps"), MetricType("sleep_minutes")]
/// print(settings.threshold(metricsTakingPart: 2))  // 3.25
/// ```
///
/// The arithmetic of each metric is that of `EvidenceSettings`.
public struct CombinedSettings: Hashable, Sendable {
  /// The metrics that are looked at; of sets with equal evidence, the one of earlier metrics is taken.
  public var metrics: [MetricType] = [
    "steps", "sleep_minutes", "hrv_ms", "resting_hr", "sleep_efficiency_pct", "movement_minutes",
    "deep_sleep_minutes",
  ].map { MetricType($0) }
  /// Lengths of the windows that are looked at, in calendar days; ascending.
  public var windowsDays = [3, 4, 5, 7, 10, 14, 21, 28]
  /// The evidence from which a metric counts.
  public var metricEvidence = 1.5
  /// The most evidence that one metric gives.
  public var evidenceCap = 4.0
  /// The fraction of a metric's own bound from which a change of it matters.
  public var matterShare = 0.5
  /// The fewest groups whose metrics must count.
  public var minGroups = 2
  /// The age of the newest value, in days, up to which a metric is in view.
  public var maxAgeDays = 13
  /// Metrics that count as one group; each other metric is a group of its own.
  public var groups: [[MetricType]] = [[MetricType("steps"), MetricType("movement_minutes")]]
  /// The evidence that a window needs, by the number of metrics that take part.
  public var thresholds: [Int: Double] = [2: 3.25, 3: 3.7, 4: 3.95, 5: 4.15, 6: 4.3, 7: 4.4]
  /// Correlations of the metrics' evidence; 0 where none is given.
  public var correlations: [MetricPair: Double] = CombinedSettings.usualCorrelations
  public var recovery = EvidenceSettings.Recovery(levels: 0.5...1.25)

  public init() {}

  /// The evidence that a window needs; of more metrics than there are thresholds for, the last one.
  public func threshold(metricsTakingPart count: Int) -> Double {
    if let threshold = thresholds[count] { return threshold }
    let last = thresholds.keys.max() ?? 0
    return count > last ? thresholds[last] ?? .infinity : .infinity
  }

  /// The correlation of two metrics; 1 of a metric with itself.
  public func correlation(_ one: MetricType, _ other: MetricType) -> Double {
    one == other ? 1 : correlations[MetricPair(one, other)] ?? 0
  }

  /// Whether metrics are followed together: those that evidence follows must be of enough groups.
  public func applies(to metrics: [MetricThresholds]) -> Bool {
    let followed = metrics.filter { $0.evidence != nil && $0.source == .wearable }.map(\.metric)
    let present = self.metrics.filter(followed.contains)
    let grouped = Set(present.compactMap(group(of:)))
    return grouped.count + present.count(where: { group(of: $0) == nil }) >= minGroups
  }

  /// The number of the group that a metric belongs to; those without one have none.
  func group(of metric: MetricType) -> Int? { groups.firstIndex { $0.contains(metric) } }

  private static var usualCorrelations: [MetricPair: Double] {
    func pair(_ one: String, _ other: String) -> MetricPair {
      MetricPair(MetricType(one), MetricType(other))
    }
    return [
      pair("steps", "movement_minutes"): 0.75, pair("hrv_ms", "resting_hr"): 0.55,
      pair("sleep_minutes", "deep_sleep_minutes"): 0.5,
      pair("sleep_efficiency_pct", "deep_sleep_minutes"): 0.2,
      pair("sleep_minutes", "hrv_ms"): 0.15, pair("sleep_minutes", "resting_hr"): 0.15,
      pair("deep_sleep_minutes", "hrv_ms"): 0.1, pair("deep_sleep_minutes", "resting_hr"): 0.1,
    ]
  }
}

/// Two metrics, in whatever order they are named.
public struct MetricPair: Hashable, Sendable {
  /// Of the two, the first by name.
  public let first: MetricType
  public let second: MetricType

  public init(_ one: MetricType, _ other: MetricType) {
    (first, second) = one < other ? (one, other) : (other, one)
  }
}

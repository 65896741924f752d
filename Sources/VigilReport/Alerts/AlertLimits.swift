public import VigilDetection
import VigilModel

/// The absolute limits below which values deviate, by profile, for sentences about alerts.
public struct AlertLimits: Sendable {
  private let byProfile: [Profile: [MetricType: Double]]

  /// - Parameter thresholds: The profiles that are at hand; sentences on alerts of others name no limit.
  public init(_ thresholds: [Thresholds] = []) {
    byProfile = Dictionary(
      thresholds.map { ($0.profile, $0.limits) }, uniquingKeysWith: { first, _ in first })
  }

  /// The limit of one metric.
  init(_ limit: Double?, of metric: MetricType, in profile: Profile) {
    byProfile = limit.map { [profile: [metric: $0]] } ?? [:]
  }

  /// The limit of the alert's metric; nil where none is known.
  subscript(alert: PatternAlertState) -> Double? { byProfile[alert.profile]?[alert.series.metric] }
}

import VigilDetection
public import VigilModel

/// A decision about one day of a series of a person, of whatever kind.
package protocol ExplainedDecision {
  var metricType: MetricType { get }
  var patternType: PatternType { get }
  var day: Day { get }
  /// Whether there is an active episode at the end of the day.
  var isActive: Bool { get }
  var change: Explanation.Change { get }
  /// The episode that was active at the end of the day before.
  var before: Episode? { get }
  /// The episode that is active at the end of the day, or else the one that ended on it.
  var after: Episode? { get }
}

extension Explanation: ExplainedDecision {
  package var metricType: MetricType { metric.metric }
  package var patternType: PatternType { metric.pattern }
}

extension CombinedExplanation: ExplainedDecision {
  package var metricType: MetricType { .combined }
  package var patternType: PatternType { .worse }
}

extension SilenceExplanation: ExplainedDecision {
  package var metricType: MetricType { series.metric }
  package var patternType: PatternType { .silence }
}

/// The person and the rules of an explained decision.
public struct ExplainedPerson: Hashable, Sendable {
  public var id: UUID
  public var profile: Profile
  /// That of the person for the metric.
  public var sensitivity: Sensitivity

  /// - Parameters:
  ///   - id: The person.
  ///   - profile: The profile that the decision was made with.
  ///   - sensitivity: That of the person for the metric.
  public init(_ id: UUID, by profile: Profile, _ sensitivity: Sensitivity) {
    self.id = id
    self.profile = profile
    self.sensitivity = sensitivity
  }
}

extension ExplainedDecision {
  /// The fields that all explanations have in JSON.
  func head(of person: ExplainedPerson) -> JSONFields {
    [
      "user_id": person.id,
      "metric_type": metricType.rawValue,
      "pattern_type": patternType.rawValue,
      "date": day,
      "thresholds_version": person.profile.version,
      "thresholds_digest": person.profile.digest,
      "sensitivity": person.sensitivity.rawValue,
      "is_alert": isActive,
      "change": change.name,
      "previous_level": before?.level.rawValue,
      "resolution_reason": after?.resolution?.reason.rawValue,
    ]
  }
}

/// The readiness with which changes of a metric of one person become alerts: `sensitivity` of a row of
/// `sensitivity_overrides`.
public enum Sensitivity: String, Hashable, Sendable, Codable, CaseIterable {
  /// The metric is not followed.
  case off
  /// Only larger or clearer changes count.
  case lower
  /// The profile decides.
  case normal
  /// Smaller or less clear changes count too.
  case higher
}

/// The sensitivity of each metric of one person (specification, sensitivity.md).
///
/// ```swift
/// let own = PersonalSensitivity([MetricType("steps"): .lower, MetricType("hrv_ms"): .normal])
/// print(own[MetricType("steps")], own[MetricType("hrv_ms")])  // lower normal
/// print(own == PersonalSensitivity([MetricType("steps"): .lower]))  // true
/// ```
public struct PersonalSensitivity: Hashable, Sendable {
  /// Without those that are `normal`.
  public let overrides: [MetricType: Sensitivity]

  /// - Parameter overrides: By metric, or by the name of a series of metrics together or of silence; names that a
  ///   profile does not know have no effect under it.
  public init(_ overrides: [MetricType: Sensitivity] = [:]) {
    self.overrides = overrides.filter { $0.value != .normal }
  }

  /// Whether every metric is judged as the profile says.
  public var isNormal: Bool { overrides.isEmpty }

  public subscript(_ metric: MetricType) -> Sensitivity { overrides[metric] ?? .normal }
}

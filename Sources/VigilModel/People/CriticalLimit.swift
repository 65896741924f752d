/// A limit of one metric that holds without a baseline (specification, limits.md section 1).
///
/// ```swift
/// let limit = CriticalLimit(
///   metric: MetricType("spo2_avg_pct"), .below, 90, days: 2, severity: .critical)
/// print(limit.isBroken(by: 89), limit.isBroken(by: 90), limit.level)  // true false day14
/// ```
public struct CriticalLimit: Hashable, Sendable {
  public var metric: MetricType
  public var direction: Direction
  /// In the unit of the metric.
  public var value: Double
  /// The values in a row beyond the limit that open an alert, in `possibleDays`.
  public var days: Int
  /// The severity with which an alert opens.
  public var severity: Severity

  /// The side of the limit on which a value is beyond it.
  public enum Direction: String, Hashable, Sendable, Codable, CaseIterable {
    case below
    case above

    /// The pattern of the alerts.
    public var pattern: PatternType { self == .below ? .belowLimit : .aboveLimit }
  }

  public static let possibleDays = 1...7

  /// - Parameters:
  ///   - metric: The metric.
  ///   - direction: The side of the limit that is bad.
  ///   - value: The limit, in the unit of the metric.
  ///   - days: The values in a row that it takes.
  ///   - severity: That of an alert when it opens.
  public init(
    metric: MetricType, _ direction: Direction, _ value: Double, days: Int = 1,
    severity: Severity = .attention
  ) {
    self.metric = metric
    self.direction = direction
    self.value = value
    self.days = days
    self.severity = severity
  }

  /// The level with which an alert opens.
  public var level: AlertLevel {
    switch severity {
    case .watch: .day3
    case .attention: .day7
    case .critical: .day14
    }
  }

  /// Whether a day can have the value of the limit; of a metric that an operator has added, any finite one.
  public var isPossible: Bool { metric.possibleValues?.contains(value) ?? value.isFinite }

  /// Whether a value is beyond the limit; one that equals it is not, nor is one that is missing.
  public func isBroken(by value: Double) -> Bool {
    let tolerance = 1e-9 * max(1, abs(self.value))
    return direction == .below
      ? value < self.value - tolerance : value > self.value + tolerance
  }
}

/// A limit that a clinician has set for one person: a row of `person_limits`.
public struct PersonLimit: Hashable, Sendable {
  public var limit: CriticalLimit
  /// The days whose values count.
  public var days: ClosedRange<Day>
  /// The name of who set it.
  public var setBy: String

  public init(_ limit: CriticalLimit, on days: ClosedRange<Day>, setBy: String) {
    self.limit = limit
    self.days = days
    self.setBy = setBy
  }

  /// Whether both are rows of the same key in `person_limits`, of which a person has one.
  public func hasKey(of other: PersonLimit) -> Bool {
    isBeside(other) && limit.days == other.limit.days
      && days.lowerBound == other.days.lowerBound
  }

  /// Whether both are of one metric and side: their alerts are one series.
  public func isBeside(_ other: PersonLimit) -> Bool {
    limit.metric == other.limit.metric && limit.direction == other.limit.direction
  }
}

/// The escalation of an episode, named by the least number of days that it has lasted.
///
/// ```swift
/// let level = AlertLevel(duration: 9)
/// print(level, level.severity)  // day7 attention
/// ```
public enum AlertLevel: Int, Sendable, Codable, CaseIterable, Comparable {
  case day3 = 3
  case day7 = 7
  case day14 = 14
  case day21 = 21

  /// The level of an episode that has lasted `days` days (specification, episodes.md section 1).
  ///
  /// The first deviating day has duration 3 where the recent window has 3 days; with a shorter
  /// window the first level still counts from the first day.
  public init(duration days: Int) {
    self =
      switch days {
      case ..<7: .day3
      case ..<14: .day7
      case ..<21: .day14
      default: .day21
      }
  }

  public static func < (left: AlertLevel, right: AlertLevel) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The highest of levels that may be absent; nil where all are.
  public static func highest(_ first: AlertLevel?, _ second: AlertLevel?) -> AlertLevel? {
    guard let first, let second else { return first ?? second }
    return max(first, second)
  }

  public var severity: Severity {
    switch self {
    case .day3: .watch
    case .day7: .attention
    case .day14, .day21: .critical
    }
  }
}

/// The urgency of an alert; it follows from its level and its metric.
public enum Severity: String, Sendable, Codable, CaseIterable {
  case watch
  case attention
  case critical
}

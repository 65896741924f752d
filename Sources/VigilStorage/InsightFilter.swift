public import Foundation
public import VigilModel

/// Which insights to list; nil means any.
///
/// ```swift
/// let filter = InsightFilter(users: [UUID(name: "anna")], rules: [.dropVsBaseline, .lowStreak])
/// print(filter.rules.count, filter.includesSuppressed)  // 2 false
/// ```
public struct InsightFilter: Sendable {
  public var users: [UUID]?
  /// The evaluated days.
  public var days: ClosedRange<Day>?
  /// A day that lies in the coverage of the insight, which begins on its evaluated day: how
  /// coOccurrences lie in time.
  public var coveredDay: Day?
  public var rules: Set<TrendRule>
  /// Whether those that do not hold any more, or have become irrelevant, are listed too.
  public var includesSuppressed: Bool
  public var limit: Int?

  public init(
    users: [UUID]? = nil, days: ClosedRange<Day>? = nil, coveredDay: Day? = nil,
    rules: Set<TrendRule> = Set(TrendRule.allCases), includesSuppressed: Bool = false,
    limit: Int? = nil
  ) {
    self.users = users
    self.days = days
    self.coveredDay = coveredDay
    self.rules = rules
    self.includesSuppressed = includesSuppressed
    self.limit = limit
  }
}

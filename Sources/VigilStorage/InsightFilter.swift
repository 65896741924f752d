public import Foundation
public import VigilModel

/// Which insights to list; nil means any.
public struct InsightFilter: Sendable {
  public var users: [UUID]?
  /// The evaluated days.
  public var days: ClosedRange<Day>?
  /// A day that lies in the coverage of the insight, which begins on its evaluated day: how
  /// concurrences lie in time.
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

extension InsightFilter {
  /// What is true of the insights of anybody, as SQL says it, and the values of its parameters.
  func conditions(_ dialect: SQLDialect) -> (sql: [String], values: [InputValue]) {
    var (conditions, values): ([String], [InputValue]) = ([], [])
    if let days {
      conditions.append("insight_date BETWEEN $1 AND $2")
      values += [.day(days.lowerBound), .day(days.upperBound)]
    }
    if let coveredDay {
      let day = "$\(values.count + 1)"
      let end = dialect.adding(days: "coverage_days", to: "insight_date")
      conditions += ["insight_date <= \(day)", "\(end) > \(day)"]
      values.append(.day(coveredDay))
    }
    if rules != Set(TrendRule.allCases) {
      let words = rules.map { "'\($0.rawValue)'" }.sorted()
      // An index of one rule is of use where it is asked for as the index has it.
      conditions.append(
        words.count == 1 ? "rule = \(words[0])" : "rule IN (\(words.joined(separator: ", ")))")
    }
    if !includesSuppressed { conditions.append("suppressed_reason IS NULL") }
    return (conditions, values)
  }
}

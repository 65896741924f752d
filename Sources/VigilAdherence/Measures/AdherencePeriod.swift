public import VigilModel

/// Days over which adherence is measured.
///
/// ```swift
/// guard let day = Day("2026-06-15") else { return }
/// print(AdherencePeriod.period(.sevenDays, endingAt: day).days.lowerBound)  // 2026-06-09
/// let month = AdherencePeriod.period(.calendarMonth, endingAt: day).days
/// print(month.lowerBound, month.upperBound)  // 2026-05-01 2026-05-31
/// ```
public struct AdherencePeriod: Hashable, Sendable {
  public var kind: Kind
  public var days: ClosedRange<Day>

  public init(_ kind: Kind, days: ClosedRange<Day>) {
    self.kind = kind
    self.days = days
  }

  /// The first three end on the evaluated day.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    case sevenDays = "7_days"
    case thirtyDays = "30_days"
    case ninetyDays = "90_days"
    /// The last calendar month that is over.
    case calendarMonth = "calendar_month"
  }

  public static func period(_ kind: Kind, endingAt day: Day) -> AdherencePeriod {
    switch kind {
    case .sevenDays: AdherencePeriod(kind, days: (day - 6)...day)
    case .thirtyDays: AdherencePeriod(kind, days: (day - 29)...day)
    case .ninetyDays: AdherencePeriod(kind, days: (day - 89)...day)
    case .calendarMonth: AdherencePeriod(kind, days: lastMonth(overBy: day))
    }
  }

  /// One period of each kind.
  public static func all(endingAt day: Day) -> [AdherencePeriod] {
    Kind.allCases.map { period($0, endingAt: day) }
  }

  /// The month that ends on `day`, or the one before.
  private static func lastMonth(overBy day: Day) -> ClosedRange<Day> {
    let isLastOfMonth = (day + 1).components.day == 1
    let last = isLastOfMonth ? day : day - day.components.day
    return (last - (last.components.day - 1))...last
  }
}

public import VigilModel

/// A day to evaluate, the instant of evaluation, and the periods to measure.
///
/// ```swift
/// guard let day = Day("2026-06-30"), let now = Timestamp("2026-07-01T01:00:00Z") else { return }
/// let window = AdherenceWindow(day: day, evaluatedAt: now)
/// print(window.periods.count, window.days.lowerBound)  // 4 2026-04-02
/// ```
public struct AdherenceWindow: Hashable, Sendable {
  /// The last day.
  public var day: Day { evaluated.upperBound }
  /// Days that are evaluated: each has its insights.
  public let evaluated: ClosedRange<Day>
  /// The start of the run; a dose without a record is pending or missed as of then.
  public let evaluatedAt: Timestamp
  public let periods: [AdherencePeriod]
  /// All days whose doses are needed: those of the periods, the 90 of the insights, and `daily`.
  public let days: ClosedRange<Day>

  /// - Parameters:
  ///   - day: The evaluated day.
  ///   - evaluatedAt: When the run began.
  ///   - periods: By default one of each kind.
  ///   - daily: Days that need adherence day by day, besides those of the periods.
  public init(
    day: Day, evaluatedAt: Timestamp, periods: [AdherencePeriod]? = nil,
    daily: ClosedRange<Day>? = nil
  ) {
    self.init(
      evaluated: day...day, evaluatedAt: evaluatedAt,
      periods: periods ?? AdherencePeriod.all(endingAt: day), daily: daily)
  }

  /// Several days at once.
  ///
  /// - Parameters:
  ///   - days: The evaluated days.
  ///   - evaluatedAt: When the run began.
  ///   - periods: By default those of each day, and no period twice.
  ///   - daily: Days that need adherence day by day, besides those of the periods.
  public init(
    evaluating days: ClosedRange<Day>, evaluatedAt: Timestamp, periods: [AdherencePeriod]? = nil,
    daily: ClosedRange<Day>? = nil
  ) {
    self.init(
      evaluated: days, evaluatedAt: evaluatedAt, periods: periods ?? Self.periods(endingIn: days),
      daily: daily)
  }

  /// The periods of each day; of those, only a month is that of several days, which follow each other.
  private static func periods(endingIn days: ClosedRange<Day>) -> [AdherencePeriod] {
    var periods: [AdherencePeriod] = []
    periods.reserveCapacity(
      (days.upperBound - days.lowerBound + 1) * AdherencePeriod.Kind.allCases.count)
    var month: AdherencePeriod?
    for day in days {
      for period in AdherencePeriod.all(endingAt: day) where period != month {
        periods.append(period)
        if period.kind == .calendarMonth { month = period }
      }
    }
    return periods
  }

  private init(
    evaluated: ClosedRange<Day>, evaluatedAt: Timestamp, periods: [AdherencePeriod],
    daily: ClosedRange<Day>?
  ) {
    self.evaluated = evaluated
    self.evaluatedAt = evaluatedAt
    self.periods = periods
    let day = evaluated.upperBound
    var first = min(evaluated.lowerBound - (MissedStreak.days - 1), daily?.lowerBound ?? day)
    var last = max(day, daily?.upperBound ?? day)
    for period in self.periods {
      first = min(first, period.days.lowerBound)
      last = max(last, period.days.upperBound)
    }
    days = first...last
  }

  /// The scheduled or actual times of dose records that can affect the window: those of 28 days
  /// around its doses (specification, adherence.md section 2, influence), which are at most 14 hours
  /// before and 50 hours after the beginning of their own day.
  public var recordTimes: ClosedRange<Timestamp> {
    func midnight(_ day: Day) -> Timestamp {
      Timestamp(microseconds: Int64(day.ordinal) * ZoneRules.microsecondsPerDay)
    }
    return midnight(days.lowerBound - 29)...midnight(days.upperBound + 31)
  }

  /// The indices of `days` in the window.
  func indices(of days: ClosedRange<Day>) -> Range<Int> {
    (days.lowerBound - self.days.lowerBound)..<(days.upperBound - self.days.lowerBound + 1)
  }
}

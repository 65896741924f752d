public import VigilModel

/// What to evaluate: a day, the instant at which that is done, and the periods that matter.
public struct AdherenceWindow: Hashable, Sendable {
  /// The last day.
  public let day: Day
  /// The start of the run; a dose without a record is pending or missed as of then.
  public let evaluatedAt: Timestamp
  public let periods: [AdherencePeriod]
  /// All days that are looked at: those of the periods, the 90 of the insights, and `daily`.
  public let days: ClosedRange<Day>

  /// - Parameters:
  ///   - periods: By default one of each kind.
  ///   - daily: Days whose adherence is wanted day by day, besides those of the periods.
  public init(
    day: Day, evaluatedAt: Timestamp, periods: [AdherencePeriod]? = nil,
    daily: ClosedRange<Day>? = nil
  ) {
    self.day = day
    self.evaluatedAt = evaluatedAt
    self.periods = periods ?? AdherencePeriod.all(endingAt: day)
    var first = min(day - (MissedStreak.days - 1), daily?.lowerBound ?? day)
    var last = max(day, daily?.upperBound ?? day)
    for period in self.periods {
      first = min(first, period.days.lowerBound)
      last = max(last, period.days.upperBound)
    }
    days = first...last
  }

  /// Dose records with a scheduled or actual time in here can bear on the window: a dose moves two
  /// days at most from its own, and a record half a day from its dose.
  public var recordTimes: ClosedRange<Timestamp> {
    func midnight(_ day: Day) -> Timestamp {
      Timestamp(microseconds: Int64(day.ordinal) * ZoneRules.microsecondsPerDay)
    }
    return midnight(days.lowerBound - 4)...midnight(days.upperBound + 5)
  }

  /// The places of `days` in the window.
  func indices(of days: ClosedRange<Day>) -> Range<Int> {
    (days.lowerBound - self.days.lowerBound)..<(days.upperBound - self.days.lowerBound + 1)
  }
}

public import VigilAdherence
public import VigilModel

/// The days on which something was found about a medication, such as a refill that is due, as episodes
/// (specification, adherence.md section 5).
public enum FoundDays {
  /// The days on which something was found about medications, by the series of their alerts; in any order.
  ///
  /// - Parameters:
  ///   - streaks: Days of missed doses in a row.
  ///   - supplies: Refills are due by them.
  ///   - expiries: New packages are due by them.
  ///   - profile: Whether a streak is an alert by itself.
  public static func bySeries(
    _ streaks: [MissedStreak], _ supplies: [SupplyForecast], _ expiries: [MedicationExpiry],
    under profile: ProfilePlan
  ) -> [SeriesKey: [Day]] {
    var days: [SeriesKey: [Day]] = [:]
    for streak in streaks where profile.findsStreaks {
      days[SeriesKey(streak), default: []].append(streak.day)
    }
    for refill in supplies.flatMap(\.due) {
      days[SeriesKey(refill), default: []].append(refill.day)
    }
    for expiry in expiries { days[SeriesKey(expiry), default: []] += expiry.days }
    return days
  }

  /// The runs of days without a gap, in order.
  ///
  /// - Parameter parts: Days in any order, none twice.
  public static func runs(of parts: [ClosedRange<Day>]) -> [ClosedRange<Day>] {
    var runs: [ClosedRange<Day>] = []
    for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = runs.last, part.lowerBound <= last.upperBound + 1 {
        runs[runs.count - 1] = last.lowerBound...max(last.upperBound, part.upperBound)
      } else {
        runs.append(part)
      }
    }
    return runs
  }

  /// The episodes of days in any order; one that reaches the last evaluated day is active.
  ///
  /// - Parameters:
  ///   - days: The days on which the finding was made.
  ///   - last: The last evaluated day.
  public static func episodes(on days: some Sequence<Day>, evaluatedThrough last: Day) -> [Episode]
  {
    runs(of: Set(days).map { $0...$0 }).map { run in
      Episode(
        foundOn: run,
        resolution: run.upperBound >= last
          ? nil : Episode.Resolution(day: run.upperBound + 1, reason: .recovered))
    }
  }
}

extension Episode {
  /// An episode of days on which something was found about a medication: usual is that nothing is.
  ///
  /// - Parameters:
  ///   - days: The days on which it was found.
  ///   - resolution: Its end; nil while it is active.
  public init(foundOn days: ClosedRange<Day>, resolution: Resolution?) {
    let (first, count) = (days.lowerBound, days.upperBound - days.lowerBound + 1)
    self.init(
      activeSince: first, lastEvaluated: resolution?.day ?? days.upperBound, duration: count,
      level: PatternType.medication.level(afterDays: count),
      figures: EpisodeFigures(
        baseline: .init(value: 0, start: first - 1, end: first - 1, count: 1),
        recent: .init(value: Double(count), start: first, end: days.upperBound, count: count),
        deviation: nil),
      resolution: resolution)
  }
}

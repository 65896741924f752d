public import VigilModel

/// The check-ins of a person by their local days, and the days on which one is overdue (specification, silence.md
/// section 7).
///
/// ```swift
/// guard let morning = Timestamp("2026-06-01T09:00:00Z") else { return }
/// let plan = CheckInPlan(intervalMinutes: 24 * 60, graceMinutes: 120, startsAt: morning)
/// let history = CheckInHistory(
///   CheckIns(times: [morning], plan: plan), zone: ZoneRules(offsetSeconds: 0))
/// guard let first = history.days.first else { return }
/// history.forEachOverdueDay(in: first...(first + 2)) { day, start in print(day, start) }
/// // 2026-06-02 2026-06-02
/// // 2026-06-03 2026-06-02
/// ```
public struct CheckInHistory: Sendable {
  private let checkIns: CheckIns
  private let zone: ZoneRules
  /// The local day of each check-in, ascending.
  public let days: [Day]

  /// - Parameters:
  ///   - checkIns: In order; those of the days in question, and the newest one before them.
  ///   - zone: The rules of the person's time zone.
  public init(_ checkIns: CheckIns, zone: ZoneRules) {
    self.checkIns = checkIns
    self.zone = zone
    days = checkIns.times.map { Day(ordinal: zone.day(of: $0.microseconds)) }
  }

  /// Calls `body` with each of `judged` on which a check-in is overdue, and the first day of that.
  ///
  /// A day with a check-in is not overdue. The first day is that of the deadline, or the day after the check-in where
  /// the deadline is on the same day.
  ///
  /// - Parameters:
  ///   - judged: The days.
  ///   - instant: The time now: a deadline after it has not passed, even if the day is over elsewhere. Nil where every
  ///     deadline has passed.
  ///   - body: Gets the day and the first day of the same delay.
  /// - Complexity: O(days + check-ins).
  public func forEachOverdueDay(
    in judged: ClosedRange<Day>, asOf instant: Timestamp? = nil,
    _ body: (_ day: Day, _ start: Day) -> Void
  ) {
    guard let plan = checkIns.plan else { return }
    var next = 0
    for day in judged {
      while next < days.count, days[next] <= day { next += 1 }
      if next > 0, days[next - 1] == day { continue }
      let deadline = plan.deadline(after: next > 0 ? checkIns.times[next - 1] : nil)
      if let instant, deadline > instant { continue }
      var start = Day(ordinal: zone.day(of: deadline.microseconds))
      if next > 0 { start = max(start, days[next - 1] + 1) }
      if start <= day { body(day, start) }
    }
  }
}

public import VigilModel

/// Slow twin of overdue check-ins: the rules of silence.md section 7, each day on its own, with a walk back over the
/// overdue days before it.
public struct ReferenceCheckIns {
  private let checkIns: CheckIns
  private let zone: ZoneRules
  private let instant: Timestamp?

  public init(_ checkIns: CheckIns, zone: ZoneRules, asOf instant: Timestamp?) {
    self.checkIns = checkIns
    self.zone = zone
    self.instant = instant
  }

  private func localDay(_ time: Timestamp) -> Day { Day(ordinal: zone.day(of: time.microseconds)) }

  /// Whether a check-in is overdue on `day`.
  public func isOverdue(on day: Day) -> Bool {
    guard let plan = checkIns.plan, !checkIns.times.contains(where: { localDay($0) == day }) else {
      return false
    }
    let last = checkIns.times.filter { localDay($0) < day }.max()
    let begin = last.map { max($0, plan.startsAt) } ?? plan.startsAt
    let deadline = begin.adding(
      seconds: 60 * Int64(plan.intervalMinutes) + 60 * Int64(plan.graceMinutes))
    return localDay(deadline) <= day && instant.map { deadline <= $0 } ?? true
  }

  /// The first of the overdue days in a row up to `day`; nil where `day` is none.
  public func start(on day: Day) -> Day? {
    guard isOverdue(on: day) else { return nil }
    var first = day
    while isOverdue(on: first - 1) { first = first - 1 }
    return first
  }
}

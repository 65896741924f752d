public import VigilModel

/// The hours of a week in which a recipient is not disturbed besides the quiet hours, by their local time
/// (specification, notifications.md section 3).
///
/// Hours may overlap, touch, and go on past midnight and past the end of the week.
public struct DoNotDisturb: Hashable, Sendable {
  public let zone: ZoneRules
  /// Minutes since Sunday began: in order, and with a gap between each two.
  private let intervals: [Range<Int>]

  private static let minutesPerWeek = 7 * 24 * 60

  /// Nil where there are no hours.
  ///
  /// - Parameters:
  ///   - hours: In any order; a weekday outside of 0 to 6 counts as no hours.
  ///   - zone: The rules of the clock that they follow.
  public init?(_ hours: [WeeklyHours], zone: ZoneRules) {
    self.zone = zone
    intervals = Self.union(of: hours)
    if intervals.isEmpty { return nil }
  }

  /// Whether `instant` is in one of the hours.
  public func contains(_ instant: Timestamp) -> Bool {
    minutesLeft(at: instant) > 0
  }

  /// Returns the first instant from `instant` on that is in none of the hours; nil where they cover the whole week.
  ///
  /// Clocks that are set forward or back end and begin them as they do quiet hours.
  ///
  /// - Complexity: O(hours), and one look into the rules of the zone for each change of its clocks in between.
  public func firstInstantOutside(from instant: Timestamp) -> Timestamp? {
    if intervals == [0..<Self.minutesPerWeek] { return nil }
    var now = instant
    while true {
      let left = minutesLeft(at: now)
      guard left > 0 else { return now }
      let end = zone.startOfMinute(at: now).adding(seconds: Int64(left) * 60)
      guard let change = zone.nextClockChange(after: now), change <= end else { return end }
      now = change
    }
  }

  /// Minutes of local time until the hours end; 0 outside of them.
  private func minutesLeft(at instant: Timestamp) -> Int {
    let minute = zone.weekday(at: instant) * 24 * 60 + zone.minuteOfDay(at: instant)
    guard let own = intervals.first(where: { $0.contains(minute) }) else { return 0 }
    // They may go on when the week begins anew.
    let beyond =
      own.upperBound == Self.minutesPerWeek && intervals[0].lowerBound == 0
      ? intervals[0].upperBound : 0
    return own.upperBound + beyond - minute
  }

  private static func union(of hours: [WeeklyHours]) -> [Range<Int>] {
    let parts = hours.filter { (0...6).contains($0.weekday) }.flatMap { hours in
      let start = hours.weekday * 24 * 60 + hours.start.minutes
      let end = start + hours.minutes
      return end <= minutesPerWeek
        ? [start..<end] : [start..<minutesPerWeek, 0..<(end - minutesPerWeek)]
    }
    var union: [Range<Int>] = []
    for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = union.last, part.lowerBound <= last.upperBound {
        union[union.count - 1] = last.lowerBound..<max(last.upperBound, part.upperBound)
      } else {
        union.append(part)
      }
    }
    return union
  }
}

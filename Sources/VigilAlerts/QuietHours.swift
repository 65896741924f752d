public import VigilModel

/// The hours in which a recipient is not disturbed, by their local time
/// (specification, notifications.md section 3).
public struct QuietHours: Hashable, Sendable {
  /// The first quiet minute.
  public var start: TimeOfDay
  /// The first minute that is not quiet any more; before `start` where midnight is between the two.
  public var end: TimeOfDay
  public var zone: ZoneRules

  /// Nil where `start` is `end`, which means no quiet hours.
  public init?(start: TimeOfDay, end: TimeOfDay, zone: ZoneRules) {
    guard start != end else { return nil }
    self.start = start
    self.end = end
    self.zone = zone
  }

  /// Whether `instant` is in a quiet minute of local time.
  public func contains(_ instant: Timestamp) -> Bool {
    isQuiet(zone.minuteOfDay(at: instant))
  }

  /// The first instant from `instant` on that is not quiet; `instant` itself where it is not.
  ///
  /// A clock that is set forward past the end of the quiet hours ends them; a clock that is set
  /// back into them begins them anew.
  ///
  /// - Complexity: O(1); one look into the rules of the zone for each change of its clocks in
  ///   between.
  public func firstInstantOutside(from instant: Timestamp) -> Timestamp {
    var now = instant
    while true {
      let minute = zone.minuteOfDay(at: now)
      guard isQuiet(minute) else { return now }
      let left = (end.minutes - minute + Self.minutesPerDay) % Self.minutesPerDay
      let end = zone.startOfMinute(at: now).adding(seconds: Int64(left) * 60)
      guard let change = zone.nextClockChange(after: now), change <= end else { return end }
      now = change
    }
  }

  private static let minutesPerDay = 24 * 60

  private func isQuiet(_ minute: Int) -> Bool {
    start < end
      ? (start.minutes..<end.minutes).contains(minute)
      : minute >= start.minutes || minute < end.minutes
  }
}

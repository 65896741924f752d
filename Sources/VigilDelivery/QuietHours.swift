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
    isQuiet(wallMinute(instant, offset: offset(at: instant)))
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
      let offset = offset(at: now)
      let minute = wallMinute(now, offset: offset)
      guard isQuiet(minute) else { return now }
      let left = (end.minutes - minute + Self.minutesPerDay) % Self.minutesPerDay
      let end = startOfMinute(now, offset: offset).adding(seconds: Int64(left) * 60)
      guard let change = nextChange(after: now), change <= end else { return end }
      now = change
    }
  }

  private static let minutesPerDay = 24 * 60
  /// In microseconds.
  private static let minute: Int64 = 60_000_000

  private func isQuiet(_ minute: Int) -> Bool {
    start < end
      ? (start.minutes..<end.minutes).contains(minute)
      : minute >= start.minutes || minute < end.minutes
  }

  // MARK: Local time

  /// Microseconds that local time is ahead of UTC.
  private func offset(at instant: Timestamp) -> Int64 {
    zone.offsets[zone.period(at: instant.microseconds)]
  }

  private func wallMinute(_ instant: Timestamp, offset: Int64) -> Int {
    let wall = instant.microseconds + offset
    return Int(floorDivided(wall, Self.minute)) - Int(ZoneRules.day(wall)) * Self.minutesPerDay
  }

  /// The instant at which the current minute of local time began.
  private func startOfMinute(_ instant: Timestamp, offset: Int64) -> Timestamp {
    let wall = instant.microseconds + offset
    return Timestamp(microseconds: floorDivided(wall, Self.minute) * Self.minute - offset)
  }

  /// The next change of the clock.
  private func nextChange(after instant: Timestamp) -> Timestamp? {
    zone.nextChange(after: instant.microseconds).map(Timestamp.init(microseconds:))
  }

  private func floorDivided(_ value: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

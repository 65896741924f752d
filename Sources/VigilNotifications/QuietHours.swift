public import Foundation
public import VigilModel

/// The hours in which somebody is left alone, by the clock on their wall
/// (specification, notifications.md section 3).
public struct QuietHours: Hashable, Sendable {
  /// The first quiet minute.
  public var start: TimeOfDay
  /// The first minute that is not quiet any more; before `start` where midnight lies between.
  public var end: TimeOfDay
  public var timeZone: TimeZone

  /// Nil where `start` is `end`, which means no quiet hours.
  public init?(start: TimeOfDay, end: TimeOfDay, timeZone: TimeZone) {
    guard start != end else { return nil }
    self.start = start
    self.end = end
    self.timeZone = timeZone
  }

  /// Whether the clock on the wall shows a quiet minute.
  public func contains(_ instant: Timestamp) -> Bool {
    isQuiet(wallMinute(instant, offset: offset(at: instant)))
  }

  /// The first instant from `instant` on that is not quiet; `instant` itself where it is not.
  ///
  /// Clocks that are set forward over the end of the quiet hours end them; clocks that are set back
  /// into them begin them anew.
  ///
  /// - Complexity: O(1); one look into the rules of the zone for each change of its clocks in between.
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

  private func isQuiet(_ minute: Int) -> Bool {
    start < end
      ? (start.minutes..<end.minutes).contains(minute)
      : minute >= start.minutes || minute < end.minutes
  }

  // MARK: The clock on the wall

  /// Seconds that the wall is ahead of UTC.
  private func offset(at instant: Timestamp) -> Int64 {
    Int64(timeZone.secondsFromGMT(for: Date(instant)))
  }

  private func wallMinute(_ instant: Timestamp, offset: Int64) -> Int {
    let seconds = floorDivided(instant.microseconds, 1_000_000) + offset
    return Int(floorDivided(seconds - floorDivided(seconds, 86_400) * 86_400, 60))
  }

  /// When the wall began to show the minute that it shows.
  private func startOfMinute(_ instant: Timestamp, offset: Int64) -> Timestamp {
    let wall = instant.microseconds + offset * 1_000_000
    return Timestamp(
      microseconds: floorDivided(wall, 60_000_000) * 60_000_000 - offset * 1_000_000)
  }

  /// When the clocks are set next.
  private func nextChange(after instant: Timestamp) -> Timestamp? {
    timeZone.nextDaylightSavingTimeTransition(after: Date(instant)).map { change in
      Timestamp(microseconds: Int64((change.timeIntervalSince1970 * 1_000_000).rounded()))
    }
  }

  private func floorDivided(_ value: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

extension Date {
  fileprivate init(_ instant: Timestamp) {
    self.init(timeIntervalSince1970: Double(instant.microseconds) / 1_000_000)
  }
}

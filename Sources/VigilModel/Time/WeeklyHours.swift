/// Hours of a week by the clock of a person: one row of `caregiver_availability` or of `do_not_disturb`.
///
/// ```swift
/// guard let start = TimeOfDay("22:00"), let end = TimeOfDay("06:30") else { return }
/// let night = WeeklyHours(weekday: 5, start: start, end: end)
/// print(night.minutes)  // 510
/// ```
public struct WeeklyHours: Hashable, Sendable {
  /// The day on which they begin; 0 is Sunday.
  public var weekday: Int
  public var start: TimeOfDay
  /// The first minute after them; of the next day where it is not after `start`.
  public var end: TimeOfDay

  public init(weekday: Int, start: TimeOfDay, end: TimeOfDay) {
    self.weekday = weekday
    self.start = start
    self.end = end
  }

  /// Their length by the clock, from 1 to 1,440.
  public var minutes: Int {
    let minutes = end.minutes - start.minutes
    return minutes > 0 ? minutes : minutes + 24 * 60
  }

  /// Whether an instant is within these hours, by the clock of a zone.
  public func contain(_ instant: Timestamp, in zone: ZoneRules) -> Bool {
    let local = instant.microseconds + zone.offsets[zone.period(at: instant.microseconds)]
    let ordinal = ZoneRules.day(local)
    let sinceMidnight = local - Int64(ordinal) * 86_400_000_000
    let minute = Int(sinceMidnight / 60_000_000)
    let today = Day(ordinal: Int32(ordinal)).weekday
    if start < end {
      return today == weekday && (start.minutes..<end.minutes).contains(minute)
    }
    // They go on past midnight.
    return today == weekday && minute >= start.minutes
      || (today + 6) % 7 == weekday && minute < end.minutes
  }
}

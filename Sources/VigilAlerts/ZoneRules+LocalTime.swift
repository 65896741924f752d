import VigilModel

extension ZoneRules {
  /// Minutes since midnight of local time.
  func minuteOfDay(at instant: Timestamp) -> Int {
    let wall = wall(at: instant)
    return Int(wall.dividedByMinute) - Int(ZoneRules.day(wall)) * 24 * 60
  }

  /// The weekday of local time, from 0, which is Sunday.
  func weekday(at instant: Timestamp) -> Int {
    Day(ordinal: Int32(ZoneRules.day(wall(at: instant)))).weekday
  }

  /// The instant at which the current minute of local time began.
  func startOfMinute(at instant: Timestamp) -> Timestamp {
    let wall = wall(at: instant)
    return Timestamp(
      microseconds: wall.dividedByMinute * 60_000_000 - (wall - instant.microseconds))
  }

  func nextClockChange(after instant: Timestamp) -> Timestamp? {
    nextChange(after: instant.microseconds).map(Timestamp.init(microseconds:))
  }

  /// Microseconds of local time.
  private func wall(at instant: Timestamp) -> Int64 {
    instant.microseconds + offsets[period(at: instant.microseconds)]
  }
}

extension Int64 {
  /// Whole minutes of these microseconds, rounded down.
  fileprivate var dividedByMinute: Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: 60_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

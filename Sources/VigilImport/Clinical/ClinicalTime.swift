import VigilModel

/// A date, or an instant with the offset of the clock that was looked at.
enum ClinicalTime: Hashable {
  case day(Day)
  /// - offset: In seconds; nil for UTC, which says nothing about the clock of the person.
  case instant(microseconds: Int64, offset: Int?)

  /// Reads `2026-06-01`, `2026-06-01T23:10:00+02:00` and `2026-06-01T21:10:00.5Z`.
  init?(_ text: String) {
    if text.utf8.count == 10, let day = Day(text) {
      self = .day(day)
      return
    }
    guard let reading = ClockReading(text), let offset = reading.offset else { return nil }
    self = .instant(
      microseconds: reading.microseconds - Int64(offset) * 1_000_000,
      offset: offset == 0 ? nil : offset)
  }

  static func + (time: Self, seconds: Double) -> Self {
    guard case .instant(let microseconds, let offset) = time, seconds.magnitude < 1e9 else {
      return time
    }
    return .instant(microseconds: microseconds + Int64(seconds * 1e6), offset: offset)
  }

  /// The day on the clock of the person; nil for a time in UTC where `zone` is not known.
  func day(in zone: ZoneRules?) -> Day? {
    switch self {
    case .day(let day): day
    case .instant(let microseconds, let offset?):
      Day(ordinal: ZoneRules.day(microseconds + Int64(offset) * 1_000_000))
    case .instant(let microseconds, nil):
      zone.map { Day(ordinal: $0.day(of: microseconds)) }
    }
  }
}

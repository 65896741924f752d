import ArgumentParser
import VigilModel

extension Day {
  /// Reads the value of an option.
  static func argument(_ text: String) throws -> Day {
    guard let day = Day(text) else {
      throw ValidationError("'\(text)' is no date; write it as YYYY-MM-DD")
    }
    return day
  }

  /// The date that calendars in `zone` show at an instant.
  init(_ time: Timestamp, in zone: ZoneRules) {
    self.init(ordinal: zone.day(of: time.microseconds))
  }
}

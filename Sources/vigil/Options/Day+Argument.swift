import ArgumentParser
import Foundation
import VigilModel

extension Day {
  /// Reads the value of an option.
  static func argument(_ text: String) throws -> Day {
    guard let day = Day(text) else {
      throw ValidationError("'\(text)' is no date; write it as YYYY-MM-DD")
    }
    return day
  }

  /// The date that calendars in `timeZone` show at an instant.
  init(_ time: Timestamp, in timeZone: TimeZone) {
    let seconds = Double(time.microseconds) / 1_000_000
    let offset = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
    self = time.adding(seconds: Int64(offset)).utcDay
  }
}

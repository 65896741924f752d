import ArgumentParser
import VigilModel

/// The least age of rows, as operators write it: hours, days or weeks.
struct Age: Hashable, Sendable {
  let seconds: Int64

  /// Nil for other text than a number from 1 on and `h`, `d` or `w`, and for more than a century.
  init?(_ text: String) {
    guard let match = text.wholeMatch(of: /([0-9]+)([hdw])/), let number = Int64(match.1),
      number > 0
    else { return nil }
    let unit: Int64 =
      switch match.2 {
      case "h": 3600
      case "d": 24 * 3600
      default: 7 * 24 * 3600
      }
    let (seconds, overflows) = number.multipliedReportingOverflow(by: unit)
    guard !overflows, seconds <= 36_500 * 24 * 3600 else { return nil }
    self.seconds = seconds
  }

  /// Reads the value of an option.
  static func argument(_ text: String) throws -> Age {
    guard let age = Age(text) else {
      throw ValidationError(
        "'\(text)' is no age; write a number and h, d or w, such as 12h, 30d or 8w")
    }
    return age
  }

  func before(_ time: Timestamp) -> Timestamp { time.adding(seconds: -seconds) }
}

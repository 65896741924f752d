import ArgumentParser

/// A time to wait, as operators write it: seconds or minutes.
struct WaitingTime: Hashable, Sendable {
  let duration: Duration

  /// Nil for other text than a number and `s` or `m`, and for more than an hour.
  init?(_ text: String) {
    guard let match = text.wholeMatch(of: /([0-9]+)([sm])/), let number = Int64(match.1),
      number <= 3600
    else { return nil }
    let seconds = match.2 == "m" ? number * 60 : number
    guard seconds <= 3600 else { return nil }
    duration = .seconds(seconds)
  }

  /// Reads the value of an option.
  static func argument(_ text: String) throws -> WaitingTime {
    guard let time = WaitingTime(text) else {
      throw ValidationError(
        "'\(text)' is no time to wait; write a number and s or m, such as 30s or 2m, at most an hour"
      )
    }
    return time
  }
}

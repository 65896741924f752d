/// The times of further attempts: pauses grow fourfold, with chance in them, so that many rows that failed
/// together do not come back together.
public struct RetrySchedule: Hashable, Sendable {
  /// The longest pause after the first attempt.
  public var firstSeconds: Double
  /// The longest pause after any attempt.
  public var longestSeconds: Double

  public init(firstSeconds: Double = 60, longestSeconds: Double = 3600) {
    self.firstSeconds = firstSeconds
    self.longestSeconds = longestSeconds
  }

  /// A provider that asks for more than a day is asked again after one.
  static let longestAskedPause: Double = 24 * 3600

  /// Returns the pause in seconds: from a half to the whole of `firstSeconds`, times four for each attempt
  /// after the first; never less than the provider has asked for.
  ///
  /// - Parameters:
  ///   - attempts: The attempts that have ended, from 1.
  ///   - asked: Seconds of `Retry-After`; nil for none.
  ///   - chance: A random number from 0 to 1.
  public func pause(
    afterAttempts attempts: Int, asked: Double? = nil, chance: Double
  ) -> Double {
    var whole = min(firstSeconds, longestSeconds)
    var left = attempts - 1
    while left > 0, whole < longestSeconds {
      whole = min(whole * 4, longestSeconds)
      left -= 1
    }
    let own = whole * (0.5 + 0.5 * chance)
    return max(own, min(asked ?? 0, Self.longestAskedPause))
  }
}

public import VigilModel

/// A clock that shows an earlier time than a database has already seen.
///
/// After that, yesterday by this clock may be a day that was evaluated long ago, and the day that is
/// due would be left out without a message.
public struct ClockSetback: Hashable, Sendable, CustomStringConvertible {
  public let now: Timestamp
  /// When the newest run in the database began.
  public let recorded: Timestamp

  /// The difference between the clocks of two machines that is still tolerated, in seconds.
  static let toleratedSeconds: Int64 = 5 * 60

  /// Nil for a clock that can be right.
  ///
  /// - Parameters:
  ///   - now: What the clock shows.
  ///   - recorded: Nil where there was no run yet.
  public init?(now: Timestamp, newestRun recorded: Timestamp?) {
    guard let recorded, now.adding(seconds: Self.toleratedSeconds) < recorded else { return nil }
    self.now = now
    self.recorded = recorded
  }

  /// Both instants, to be followed by what it means.
  public var description: String {
    "the clock shows \(now), but the newest recorded run began at \(recorded)"
  }
}

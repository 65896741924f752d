public import VigilModel
public import VigilStorage

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

  /// Compares a clock with what a database has recorded.
  ///
  /// - Throws: `StorageError`.
  public init?(now: Timestamp, in storage: some DispatchStorage) throws {
    self.init(now: now, newestRun: try storage.newestRunStart())
  }

  /// The remedy where the present itself is what counts.
  public static let remedy = Remedy.advice(
    "set the clock; where it is right, another machine's was wrong: correct started_at of that run in"
      + " batch_runs")

  /// Refuses by such a clock what goes by due times and quiet hours.
  ///
  /// - Parameters:
  ///   - now: What the clock shows.
  ///   - storage: The database with whose newest run it is compared.
  ///   - undone: What is refused, as `"sent"`.
  /// - Throws: `BatchError`.
  public static func requireNone(
    at now: Timestamp, in storage: any Storage, toBe undone: String
  ) throws {
    guard let setback = try ClockSetback(now: now, in: storage) else { return }
    throw BatchError(
      .clockSetBack,
      "\(setback) in \(storage.displayName); nothing was \(undone), as due times and quiet hours by"
        + " this clock may be wrong", remedy: remedy)
  }

  /// Both instants, to be followed by what it means.
  public var description: String {
    "the clock shows \(now), but the newest recorded run began at \(recorded)"
  }
}

public import VigilModel

/// The clock of commands that tests run: it starts at ten in the morning of one day, in UTC.
///
/// Quiet hours, yesterday and the age of rows depend on it, so that a test gives the same result at
/// every hour.
public enum TestClock {
  /// The day after the last one of the sample's data.
  public static var today: Day { start.utcDay }

  /// 2026-07-01T10:00:00Z.
  private static let start = Timestamp(microseconds: 1_782_900_000_000_000)
  private static let begun = ContinuousClock.now

  /// Goes on with the process, as newer runs begin later.
  public static var now: Timestamp {
    let (seconds, attoseconds) = begun.duration(to: .now).components
    return Timestamp(
      microseconds: start.microseconds + seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }
}

import VigilModel

/// Notices that the clock was set: it and the monotonic clock move apart between two looks.
struct ClockWatch {
  private var wall: Timestamp
  private var instant: ContinuousClock.Instant

  /// In seconds; a clock that is brought right bit by bit stays below.
  private static let smallestStep = 60.0

  init(wall: Timestamp, instant: ContinuousClock.Instant) {
    self.wall = wall
    self.instant = instant
  }

  /// Returns the seconds by which the clock was set since the last look, below 0 where it was set back; nil for a
  /// minute or less.
  mutating func step(wall: Timestamp, instant: ContinuousClock.Instant) -> Double? {
    let (shown, passed) = (
      (Double(wall.microseconds) - Double(self.wall.microseconds)) / 1e6,
      (instant - self.instant) / .seconds(1)
    )
    self.wall = wall
    self.instant = instant
    return abs(shown - passed) > Self.smallestStep ? shown - passed : nil
  }
}

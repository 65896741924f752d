/// A change of the device that measures a metric of a person (specification, evidence.md section 7).
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// let change = DeviceChange(recognizedOn: day, since: day - 2, horizons: (day - 100)...(day - 12))
/// print(change.isSeen(from: day - 60), change.isSeen(from: day - 5))  // true false
/// ```
public struct DeviceChange: Hashable, Sendable {
  /// The third day with values of the other device alone.
  public var recognizedOn: Day
  /// The first of these three days.
  public var since: Day
  /// The first days of those horizons that hold enough of the earlier values to recognize it.
  public var horizons: ClosedRange<Day>

  public init(recognizedOn: Day, since: Day, horizons: ClosedRange<Day>) {
    self.recognizedOn = recognizedOn
    self.since = since
    self.horizons = horizons
  }

  /// Whether the values from `first` on are enough to recognize it.
  public func isSeen(from first: Day) -> Bool { horizons.contains(first) }
}

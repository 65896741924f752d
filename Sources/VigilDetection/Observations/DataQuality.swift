public import VigilModel

/// What was left out of the observations of a block, and why.
public struct DataQuality: Sendable {
  public enum Reason: String, Sendable, CaseIterable {
    /// NaN cannot be told from a missing value; this is plus or minus infinity.
    case notFinite = "not_finite"
    /// Outside the profile's plausible range.
    case implausible
    /// A day without any positive value.
    case nonWear = "non_wear"
  }

  /// A value that was treated as missing; the value itself is not kept.
  public struct Rejection: Hashable, Sendable {
    public var person: Int
    public var day: Day
    public var metric: Int
    public var source: Int
    public var reason: Reason
  }

  /// By metric, values rejected for each reason.
  private var counts: [[Reason: Int]]
  public private(set) var nonWearDays = 0
  /// In the order in which they were found.
  public private(set) var rejections: [Rejection] = []

  init(metricCount: Int) {
    counts = Array(repeating: [:], count: metricCount)
  }

  mutating func reject(_ reason: Reason, metric: Int, person: Int, day: Day, source: Int) {
    counts[metric][reason, default: 0] += 1
    rejections.append(
      Rejection(person: person, day: day, metric: metric, source: source, reason: reason))
  }

  mutating func addNonWearDay() {
    nonWearDays += 1
  }

  public func count(metric: Int, reason: Reason) -> Int { counts[metric][reason] ?? 0 }
}

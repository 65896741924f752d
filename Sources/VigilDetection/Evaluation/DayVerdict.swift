/// The verdict of a day, one byte of a `days x series` matrix.
///
/// ```swift
/// let verdict: DayVerdict = [.deviating, .suppressed]
/// print(verdict.isActionable, verdict.isUnknown)  // false false
/// ```
///
/// The empty set is an *unknown* day: no value, a gap in the recent window or too little history.
public struct DayVerdict: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A rule matches; never together with `normal` or `clean`.
  public static let deviating = DayVerdict(rawValue: 1)
  /// No rule matches.
  public static let normal = DayVerdict(rawValue: 2)
  /// Normal, and close enough to the baseline to count towards recovery.
  public static let clean = DayVerdict(rawValue: 4)
  /// A workout day of a metric that workouts disturb; combines with any of the others.
  public static let suppressed = DayVerdict(rawValue: 8)

  /// The first day on which another device is recognized; combines with any of the others.
  public static let recalibrated = DayVerdict(rawValue: 16)

  /// A day after the last one that can have a value; combines with any of the others.
  static let over = DayVerdict(rawValue: 32)

  public static let unknown: DayVerdict = []

  /// Whether the day deviates and may open or extend an episode.
  public var isActionable: Bool { rawValue & 0b1001 == 1 }

  public var isUnknown: Bool { rawValue & 0b0111 == 0 }
}

public import VigilModel

/// The rules by which the course of a pillar is an insight (specification, vitality.md section 2).
public struct TrendSettings: Hashable, Sendable {
  /// The number of days of the window; the evaluated day is the last of them.
  public var windowDays: Int = 21
  /// The number of days with any score in the window that a person needs.
  public var minDays: Int = 7
  /// The number of points in the window that a pillar needs.
  public var minPoints: Int = 5
  /// The number of last points, which are compared with the baseline points.
  public var recentPoints: Int = 3
  /// The largest number of baseline points, which come before the recent ones.
  public var baselinePoints: Int = 7
  /// The age of the last point, in days, up to which there can be an insight.
  public var maxAgeDays: Int = 3
  public var lowStreak: LowStreak = .init()
  public var drop: Change = .init(minBaselinePoints: 5, atLeast: 0.20)
  public var rebound: Change = .init(minBaselinePoints: 5, atLeast: 0.15)
  /// The score on the evaluated day from which on an attention insight is suppressed.
  public var recoveredAt: Double = 85
  /// Nil where no insight comes from the slope.
  public var slope: SlopeSettings?

  public init() {}

  public struct LowStreak: Hashable, Sendable {
    /// The recent points are at most the value at `count / lowestPart` of the sorted points.
    public var lowestPart: Int = 4
    /// Days in a row with a score that the pillar must have somewhere in the window.
    public var consecutiveDays: Int = 3

    public init() {}
  }

  /// A rule about the recent mean relative to the baseline mean.
  public struct Change: Hashable, Sendable {
    public var minBaselinePoints: Int
    /// Fraction of the baseline.
    public var atLeast: Double

    public init(minBaselinePoints: Int, atLeast: Double) {
      self.minBaselinePoints = minBaselinePoints
      self.atLeast = atLeast
    }
  }
}

/// The rules by which the slope of a pillar is an insight.
public struct SlopeSettings: Hashable, Sendable {
  /// The number of days of the regression; the evaluated day is the last of them.
  public var windowDays: Int = 28
  /// The number of points that the regression needs.
  public var minPoints: Int = 21
  /// The confidence level of the interval that must not contain 0.
  public var confidence: Double = 0.95
  /// The lag-1 autocorrelation of the daily values that the interval assumes.
  public var autocorrelation: Double = 0.65
  /// Days over which scores are means; adherence is taken as daily.
  public var smoothingDays: Int = 7
  /// Whether each weekday may have a level of its own.
  public var removesWeekdayEffect: Bool = true
  /// The points that the line must rise or fall over the window, in addition to the interval.
  public var minPointsOfChange: Double = 5

  public init() {}

  /// Days over which the values of a pillar are means.
  public func smoothing(of pillar: Pillar) -> Int { pillar == .adherence ? 1 : smoothingDays }
}

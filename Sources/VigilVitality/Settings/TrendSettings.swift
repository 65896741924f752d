public import VigilModel

/// When the course of a pillar is an insight (specification, vitality.md section 2).
public struct TrendSettings: Hashable, Sendable {
  /// Days of the window, the evaluated day the last of them.
  public var windowDays: Int = 21
  /// Days with any score in the window that a person needs.
  public var minDays: Int = 7
  /// Points of a pillar in the window that it needs.
  public var minPoints: Int = 5
  /// The last points, which are compared.
  public var recentPoints: Int = 3
  /// Points before them at most, which they are compared with.
  public var baselinePoints: Int = 7
  /// A last point longer ago than this gives no insight.
  public var maxAgeDays: Int = 3
  public var lowStreak: LowStreak = .init()
  public var drop: Change = .init(minBaselinePoints: 5, atLeast: 0.20)
  public var rebound: Change = .init(minBaselinePoints: 5, atLeast: 0.15)
  /// A score on the evaluated day from which on an attention insight is suppressed.
  public var recoveredAt: Double = 85
  /// Nil where the slope makes no insight.
  public var slope: SlopeSettings?

  public init() {}

  public struct LowStreak: Hashable, Sendable {
    /// The recent points are at most the value at `count / lowestPart` of the sorted points.
    public var lowestPart: Int = 4
    /// Days in a row that the pillar must have somewhere in the window.
    public var consecutiveDays: Int = 3

    public init() {}
  }

  /// A rule about the recent mean as against the baseline mean.
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

/// When the slope of a pillar is an insight.
public struct SlopeSettings: Hashable, Sendable {
  /// Days of the regression, the evaluated day the last of them.
  public var windowDays: Int = 28
  /// Points in them that it needs.
  public var minPoints: Int = 21
  /// Coverage of the interval that must not contain 0.
  public var confidence: Double = 0.95
  /// Lag-1 autocorrelation of the daily values that the interval allows for.
  public var autocorrelation: Double = 0.65
  /// Days over which scores are means; adherence is taken as daily.
  public var smoothingDays: Int = 7
  /// Whether each weekday may have a level of its own.
  public var removesWeekdayEffect: Bool = true
  /// Points that the line must rise or fall over the window, whatever its interval.
  public var minPointsOfChange: Double = 5

  public init() {}

  /// Days over which the values of a pillar are means.
  public func smoothing(of pillar: Pillar) -> Int { pillar == .adherence ? 1 : smoothingDays }
}

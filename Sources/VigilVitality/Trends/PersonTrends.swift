public import VigilModel

/// The findings of the trend rules about one person on the evaluated day.
public struct PersonTrends: Hashable, Sendable {
  /// Days of the window with any score.
  public var coverage: Int
  /// Days that are missing before there can be an insight.
  public var daysNeeded: Int
  /// The last day of the window with any score; nil without one.
  public var lastScoreDay: Day?
  /// At most one a pillar, in the order of `Pillar.allCases`.
  public var insights: [TrendInsight]

  public init(coverage: Int, daysNeeded: Int, lastScoreDay: Day?, insights: [TrendInsight]) {
    self.coverage = coverage
    self.daysNeeded = daysNeeded
    self.lastScoreDay = lastScoreDay
    self.insights = insights
  }
}

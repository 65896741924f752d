public import Foundation
public import VigilModel

/// One row of `trend_coverage`: whether a person has enough scores for a trend (specification,
/// vitality.md section 2).
///
/// A person has one row, that of the last evaluated day.
public struct TrendCoverage: Hashable, Sendable {
  public var user: UUID
  /// The last evaluated day.
  public var day: Day
  /// Days of the window with any score.
  public var coverage: Int
  /// Days that are missing before there can be an insight; 0 where there are enough.
  public var daysNeeded: Int
  /// The last day of the window with any score; nil without one.
  public var lastScoreDay: Day?
  /// The first day that was ever evaluated.
  public var firstDay: Day
  /// The digest of the window's scores; opaque to storage.
  public var digest: Int

  /// - Parameters:
  ///   - user: The person.
  ///   - day: The last evaluated day.
  ///   - coverage: Days with a score within the window of `day`.
  ///   - daysNeeded: Further days with a score until trends are found.
  ///   - lastScoreDay: The newest day with a score.
  ///   - firstDay: Nil where it is `day`.
  ///   - digest: The digest of the scores in the window.
  public init(
    user: UUID, day: Day, coverage: Int, daysNeeded: Int, lastScoreDay: Day?,
    firstDay: Day? = nil, digest: Int = 0
  ) {
    self.user = user
    self.day = day
    self.coverage = coverage
    self.daysNeeded = daysNeeded
    self.lastScoreDay = lastScoreDay
    self.firstDay = firstDay ?? day
    self.digest = digest
  }

  /// The later of two rows of one person, with the earlier of their first days; this one for the
  /// same day.
  public func joined(with other: TrendCoverage?) -> TrendCoverage {
    guard let other else { return self }
    var joined = other.day > day ? other : self
    joined.firstDay = min(firstDay, other.firstDay)
    return joined
  }
}

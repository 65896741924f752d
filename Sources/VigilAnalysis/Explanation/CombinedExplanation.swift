public import VigilDetection
public import VigilModel

/// The decision about one day of a person's metrics together, with every figure that led to it.
public struct CombinedExplanation: Hashable, Sendable {
  public var day: Day
  /// The value of each metric that has one on the day.
  public var values: [MetricType: Double]
  /// Whether the day is one of a workout.
  public var isWorkoutDay: Bool
  /// The episode that was active at the end of the day before.
  public var before: Episode?
  /// The episode that is active at the end of the day, or else the one that ended on it.
  public var after: Episode?
  /// The episodes of the metrics together up to the day, as they stand at its end, by `activeSince`.
  public var episodes: [Episode]
  public var change: Explanation.Change
  /// Nil where the metrics have no values at all.
  public var figures: CombinedDay.Figures?
  /// The least that would have led to the opposite answer; nil where nothing that was tried would have.
  public var opposite: Opposite?

  /// Whether there is an active episode at the end of the day: the answer that is explained.
  public var isActive: Bool { after?.isActive == true }

  /// The window that decided, or else the one that is closest to what it needs; of those without evidence the
  /// shortest; nil where none was looked at.
  public var telling: CombinedDay.Window? {
    guard case .evidence(let windows)? = figures else { return nil }
    return windows.first(where: \.decides)
      ?? windows.filter { $0.evidence != nil }.max {
        ($0.evidence ?? 0) - $0.threshold < ($1.evidence ?? 0) - $1.threshold
      } ?? windows.first
  }

  /// The least change of the input that would have led to the opposite answer.
  public enum Opposite: Hashable, Sendable {
    /// This metric's value of the day would have to be this one or lower.
    case valueAtMost(MetricType, Double)
    /// This metric's value of the day would have to be this one or higher.
    case valueAtLeast(MetricType, Double)
    /// The day would have to be one without a workout.
    case noWorkout
    /// So many days on which every metric is as in its newest three values must follow until an episode opens.
    case daysLikeRecent(Int)
    /// So many days on which every contributing metric is as usual must follow until the episode ends.
    case usualDays(Int)
  }
}

/// The course of an episode, judged again from the input: facts that its row, which keeps the last
/// counted day, does not hold.
public struct EpisodeCourse: Hashable, Sendable {
  /// The counted deviating day that was furthest from the baseline, the first of several; nil where the
  /// input as it is now has none.
  public var worst: Worst?
  /// Of an alert of several metrics, the same for each contributing one that has such a day.
  public var worstByMetric: [MetricType: Worst] = [:]
  /// The reason why an active episode goes on; nil on a deviating day, and once it is resolved.
  public var wait: Wait?
  /// The last day that counted as deviating, up to the one through which the episode was judged; nil where the
  /// input as it is now has none.
  public var lastDeviating: Day?

  public init(worst: Worst? = nil, wait: Wait? = nil) {
    self.worst = worst
    self.wait = wait
  }

  /// A day and how far from the baseline it was.
  public struct Worst: Hashable, Sendable {
    public var day: Day
    /// A fraction of the baseline, as in `deviation_fraction`.
    public var deviation: Double
    /// The metric of an alert of several; nil for the alert's own.
    public var metric: MetricType?

    public init(day: Day, deviation: Double, metric: MetricType? = nil) {
      self.day = day
      self.deviation = deviation
      self.metric = metric
    }
  }

  /// Why an episode is active although its last evaluated day does not count as deviating.
  public enum Wait: Hashable, Sendable {
    /// Days close to the baseline in a row, of as many as end the episode.
    case clean(days: Int, needed: Int)
    /// No value from this day on.
    case noData(since: Day)
    /// Values, but too few in a row to judge a day, from this day on.
    case gaps(since: Day)
    /// Days that deviate and do not count, as the person was working out, from this day on.
    case workouts(since: Day)
  }
}

/// One episode of one series, in days since the first day of its block.
public struct DetectedEpisode: Hashable, Sendable {
  /// `person * metrics + metric` within its block.
  public var series: Int
  /// The day on which the episode opened, and could first notify.
  public var opened: Int
  /// The day on which it ended; nil while it is active.
  public var resolved: Int?
  /// The highest level that it reached, in days: 3, 7, 14 or 21.
  public var level: Int
  /// The notifications that it caused.
  public var notifications: Int

  public init(series: Int, opened: Int, resolved: Int?, level: Int, notifications: Int) {
    self.series = series
    self.opened = opened
    self.resolved = resolved
    self.level = level
    self.notifications = notifications
  }
}

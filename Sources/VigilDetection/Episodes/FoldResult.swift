public import VigilModel

/// The result of folding a block: one flat list of episodes and one of notifications.
public struct FoldResult: Sendable {
  /// By series, and within a series by `activeSince`.
  public internal(set) var episodes: [FoldedEpisode] = []
  /// By episode, and within an episode by day.
  public internal(set) var notifications: [FoldedNotification] = []
  /// Series with at least one observation in the loaded days.
  public internal(set) var seriesWithData = 0
  /// Series without any observation in the loaded days, although a stored episode shows that there
  /// were some: such episodes can be neither confirmed nor refuted.
  public internal(set) var unjudgedSeries: Set<Int> = []

  /// By series of several metrics together, the figures of the last folded day, where they were asked for.
  public internal(set) var combinedDays: [Int: CombinedDay] = [:]

  public init() {}

  /// Empties the result but keeps its memory.
  public mutating func removeAll() {
    episodes.removeAll(keepingCapacity: true)
    notifications.removeAll(keepingCapacity: true)
    seriesWithData = 0
    unjudgedSeries.removeAll(keepingCapacity: true)
    combinedDays.removeAll(keepingCapacity: true)
  }
}

/// An episode that was active on some folded day.
public struct FoldedEpisode: Hashable, Sendable {
  /// Index of its series in the block.
  public var series: Int
  public var episode: Episode
  /// The level notified so far, inherited and stored levels included.
  public var notifiedLevel: AlertLevel?
  /// The same before this fold planned anything.
  public var notifiedLevelBefore: AlertLevel?
}

/// A notification that is due on `day` unless it was sent before or a member has snoozed or
/// dismissed the alert.
public struct FoldedNotification: Hashable, Sendable {
  /// Index into `FoldResult.episodes`.
  public var episode: Int
  public var day: Day
  public var level: AlertLevel
  /// `consecutive_true_days` up to `day`.
  public var duration: Int
  /// The figures of the last deviating day up to `day`, with evidence those of the opening; nil where no metric
  /// is compared with what is usual.
  public var figures: EpisodeFigures?
  /// The reason why it is withheld; its level then does not count as notified.
  public var withheld: PlannedNotification.StatusReason?

  public init(
    episode: Int, day: Day, level: AlertLevel, duration: Int, figures: EpisodeFigures? = nil,
    withheld: PlannedNotification.StatusReason? = nil
  ) {
    self.episode = episode
    self.day = day
    self.level = level
    self.duration = duration
    self.figures = figures
    self.withheld = withheld
  }
}

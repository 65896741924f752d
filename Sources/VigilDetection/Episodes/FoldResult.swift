public import VigilModel

/// The result of folding a block: one flat list of episodes and one of their levels.
public struct FoldResult: Sendable {
  /// By series, and within a series by `activeSince`.
  public internal(set) var episodes: [FoldedEpisode] = []
  /// The levels of episodes on days that notify, by episode, and within an episode by day.
  ///
  /// An episode has its level on the first day that notifies, and then each rise.
  public internal(set) var levels: [FoldedLevel] = []
  /// Series with at least one observation in the loaded days.
  public internal(set) var seriesWithData = 0
  /// Series without any observation in the loaded days, although a stored episode shows that there
  /// were some: such episodes can be neither confirmed nor refuted.
  public internal(set) var unjudgedSeries: Set<Int> = []

  /// By series of several metrics together, the figures of the last folded day, where they were asked for.
  public internal(set) var combinedDays: [Int: CombinedDay] = [:]

  public init() {}

  /// The levels without those that an episode had reached before that theirs continues.
  public var newLevels: [FoldedLevel] {
    levels.filter { level in episodes[level.episode].earlierLevel.map { $0 < level.level } ?? true }
  }

  /// Empties the result but keeps its memory.
  public mutating func removeAll() {
    episodes.removeAll(keepingCapacity: true)
    levels.removeAll(keepingCapacity: true)
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
  /// Whether the deviation of the episode before it in the series goes on in it: what members were notified of then
  /// is nothing new.
  public var continuesEarlier: Bool
  /// The highest level in `FoldResult.levels` of it and of the episodes that it continues, one after the other.
  public var reachedLevel: AlertLevel?
  /// That of the episodes that it continues alone.
  public var earlierLevel: AlertLevel?
}

/// A level that an episode has reached, on the first day that notifies with it.
public struct FoldedLevel: Hashable, Sendable {
  /// Index into `FoldResult.episodes`.
  public var episode: Int
  public var day: Day
  public var level: AlertLevel
  /// `consecutive_true_days` up to `day`; where a run moves the level to the day on which a snooze ends, with the days
  /// between.
  public var duration: Int
  /// The figures of the last deviating day up to `day`, with evidence those of the opening; nil where no metric is
  /// compared with what is usual.
  ///
  /// Where a run moves the level to the day on which a snooze ends, they are still those of the day on which it was
  /// reached.
  public var figures: EpisodeFigures?
  /// Whether another alert stood for it on that day.
  public var isCovered: Bool

  public init(
    episode: Int, day: Day, level: AlertLevel, duration: Int, figures: EpisodeFigures? = nil,
    isCovered: Bool = false
  ) {
    self.episode = episode
    self.day = day
    self.level = level
    self.duration = duration
    self.figures = figures
    self.isCovered = isCovered
  }
}

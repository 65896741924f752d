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

  /// The levels without those that a superseded episode had reached before.
  public var newLevels: [FoldedLevel] { levels.filter(\.isNew) }

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
  /// The highest level in `FoldResult.levels` of it and of the episodes that it supersedes, one after the other.
  public var reachedLevel: AlertLevel?
  /// That of the episodes that it supersedes alone.
  public var earlierLevel: AlertLevel?
}

/// A level that an episode has reached.
public struct FoldedLevel: Hashable, Sendable {
  /// Index into `FoldResult.episodes`.
  public var episode: Int
  public var day: Day
  public var level: AlertLevel
  /// `consecutive_true_days` up to `day`.
  public var duration: Int
  /// The figures of the last deviating day up to `day`, with evidence those of the opening; nil where no metric
  /// is compared with what is usual.
  public var figures: EpisodeFigures?
  /// Whether the episodes that its episode supersedes have not reached it.
  public var isNew: Bool
  /// Whether another alert stood for it on that day.
  public var isCovered: Bool

  public init(
    episode: Int, day: Day, level: AlertLevel, duration: Int, figures: EpisodeFigures? = nil,
    isNew: Bool = true, isCovered: Bool = false
  ) {
    self.episode = episode
    self.day = day
    self.level = level
    self.duration = duration
    self.figures = figures
    self.isNew = isNew
    self.isCovered = isCovered
  }
}

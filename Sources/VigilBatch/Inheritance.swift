import VigilModel

/// What the episodes of one series need not tell, because it was told of the same days under another
/// key: late data may shift the first day of a deviation, and the family knows of it all the same.
struct Inheritance {
  private let retracted: [(days: ClosedRange<Day>, levels: NotifiedLevels)]
  /// The episode asked about last and what it inherited, which one that supersedes it inherits in turn.
  private var last: (resolution: Episode.Resolution?, levels: NotifiedLevels)?

  /// - Parameter retracted: Rows of the series that are or become retracted.
  init(from retracted: [PatternAlertState]) {
    self.retracted = retracted.map { (Self.days(of: $0.episode), NotifiedLevels(of: $0)) }
  }

  /// What `episode` inherits; to be asked for the episodes of the series in their order.
  mutating func levels(of episode: Episode) -> NotifiedLevels {
    var levels = NotifiedLevels()
    let days = Self.days(of: episode)
    for row in retracted where row.days.overlaps(days) { levels.raise(to: row.levels) }
    if let last, last.resolution?.reason == .superseded { levels.raise(to: last.levels) }
    last = (episode.resolution, levels)
    return levels
  }

  /// The days on which an episode deviated: what was told was told of them, not of those on which it
  /// only waited for its end.
  private static func days(of episode: Episode) -> ClosedRange<Day> {
    episode.activeSince...max(episode.activeSince, episode.lastDeviating)
  }
}

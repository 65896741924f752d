import VigilModel

/// What the episodes of one series need not tell, because it was told of the same days under another
/// key: late data may shift the first day of a deviation, and the family knows of it all the same.
struct Inheritance {
  private let end: Day
  private let retracted: [(days: ClosedRange<Day>, levels: NotifiedLevels)]
  /// The episode asked about last and what it inherited, which one that supersedes it inherits in turn.
  private var last: (resolution: Episode.Resolution?, levels: NotifiedLevels)?

  /// - Parameters:
  ///   - retracted: Rows of the series that are or become retracted.
  ///   - end: Where episodes end that go on.
  init(from retracted: [PatternAlertState], upTo end: Day) {
    self.end = end
    self.retracted = retracted.map { row in
      (Self.days(of: row.episode, upTo: end), NotifiedLevels(of: row))
    }
  }

  /// What `episode` inherits; to be asked for the episodes of the series in their order.
  mutating func levels(of episode: Episode) -> NotifiedLevels {
    var levels = NotifiedLevels()
    let days = Self.days(of: episode, upTo: end)
    for row in retracted where row.days.overlaps(days) { levels.raise(to: row.levels) }
    if let last, last.resolution?.reason == .superseded { levels.raise(to: last.levels) }
    last = (episode.resolution, levels)
    return levels
  }

  /// The days of an episode; of one that was retracted earlier, which has lost its end, those up to
  /// its last deviating day.
  private static func days(of episode: Episode, upTo end: Day) -> ClosedRange<Day> {
    let last =
      switch episode.resolution {
      case nil: end
      case let resolution? where resolution.reason == .retracted: episode.lastDeviating
      case let resolution?: resolution.day
      }
    return episode.activeSince...max(episode.activeSince, last)
  }
}

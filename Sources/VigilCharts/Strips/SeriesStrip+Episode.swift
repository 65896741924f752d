public import VigilModel

extension SeriesStrip.Span {
  /// The span of an episode: its levels on the days on which the duration reaches them, and the
  /// baseline that it was found with.
  ///
  /// - Parameters:
  ///   - episode: The episode.
  ///   - pattern: The direction of its series.
  ///   - band: The usual range of single days, in the metric's unit; nil where there is none.
  public init(_ episode: Episode, _ pattern: PatternType, band: ClosedRange<Double>? = nil) {
    let opened = episode.openedOn
    let first = episode.limit?.level ?? .day3
    let levels = AlertLevel.allCases.filter { $0 <= episode.level }.map { level in
      SeriesStrip.LevelStep(
        level,
        on: level <= first
          ? opened : max(opened, episode.activeSince + (level.rawValue - 1)))
    }
    // Levels that the opening skipped have the day of the one that it reached.
    let steps = levels.indices.filter { index in
      index + 1 >= levels.count || levels[index + 1].day > levels[index].day
    }.map { levels[$0] }
    self.init(
      activeSince: episode.activeSince, openedOn: opened, resolvedOn: episode.resolution?.day,
      pattern: pattern, levels: steps,
      usual: SeriesStrip.Usual(value: episode.figures.baseline.value, band: band))
  }

  /// The span of an alert of several metrics in the strip of one of them.
  public init(_ episode: Episode, _ contribution: CombinedEvidence.Contribution) {
    let (usual, recent) = (contribution.baseline.value, contribution.recent.value)
    self.init(episode, recent < usual ? .drop : .rise)
    self.usual = SeriesStrip.Usual(value: usual, band: nil)
  }

  /// The level on a day of the episode; nil before it opened and after it ended.
  public func level(on day: Day) -> AlertLevel? {
    guard day >= openedOn, resolvedOn.map({ day < $0 }) ?? true else { return nil }
    return levels.last { $0.day <= day }?.level
  }
}

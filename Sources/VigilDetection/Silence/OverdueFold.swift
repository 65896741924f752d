import VigilModel

/// Follows the overdue check-ins of one person (specification, silence.md section 7).
struct OverdueFold: EpisodeFold {
  var frame: FoldFrame
  let settings: OverdueSettings
  let person: Int
  /// The overdue days of the folded ones.
  let overdue: OverdueDays

  /// The day on which the last episode ended.
  private var lastResolved: Day?

  init(
    _ settings: OverdueSettings, person: Int, overdue: OverdueDays, window: FoldWindow,
    stored: [Episode], seriesIndex: Int
  ) {
    frame = FoldFrame(.silence, over: window, stored: stored, series: seriesIndex)
    self.settings = settings
    self.person = person
    self.overdue = overdue
  }

  mutating func open(from day: Int, through last: Int) -> (day: Int, runStart: Day)? {
    for index in day...last {
      if let first = opening(on: frame.date(index)) { return (index, first) }
    }
    return nil
  }

  /// The first day of the episode that `day` opens; nil where it opens none.
  ///
  /// An episode never reaches back past the end of an episode.
  private func opening(on day: Day) -> Day? {
    guard let start = overdue.start(person: person, day: day),
      settings.opens(afterOverdueDays: day - start + 1)
    else { return nil }
    guard let lastResolved, lastResolved >= start else { return start }
    let first = lastResolved + 1
    return settings.opens(afterOverdueDays: day - first + 1) ? first : nil
  }

  func verdict(on day: Int) -> (day: DayVerdict, rolling: DayVerdict) {
    let isOverdue = overdue.start(person: person, day: frame.date(day)) != nil
    return (isOverdue ? .deviating : [.normal, .clean], .normal)
  }

  func row(
    of episode: EpisodeMachine.ActiveEpisode, resolution: Episode.Resolution?
  ) -> Episode {
    Episode(
      episode, figures: EpisodeFigures(silentFor: episode.duration, from: episode.activeSince),
      resolution: resolution)
  }

  mutating func close(
    from activeSince: Int, on day: Int, _ reason: Episode.Resolution.Reason
  ) {
    lastResolved = max(lastResolved ?? frame.date(day), frame.date(day))
  }

  mutating func resume() -> EpisodeMachine.ActiveEpisode? {
    closeEnded()
    let eve = frame.eve
    let active = frame.stored.first { known in
      guard !known.isRetracted,
        known.activeSince + (settings.openAfterDays - 1) <= eve
      else { return false }
      return known.resolution.map { $0.day > eve } ?? true
    }
    return active.map { .init(silentSince: $0.activeSince, through: eve) }
  }
}

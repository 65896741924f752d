import VigilModel

/// Follows the overdue check-ins of one person (specification, silence.md section 7).
struct OverdueFold {
  let settings: OverdueSettings
  let window: FoldWindow
  /// The episodes of the series that the database holds, in order of `activeSince`.
  let stored: [Episode]
  /// Index of the series in the result.
  let seriesIndex: Int

  /// The levels of the active episode.
  private var levels = FollowedLevels()
  /// The day on which the last episode ended.
  private var lastResolved: Day?

  init(
    _ settings: OverdueSettings, window: FoldWindow, stored: [Episode], seriesIndex: Int
  ) {
    self.settings = settings
    self.window = window
    self.stored = stored
    self.seriesIndex = seriesIndex
  }

  /// - Parameter start: Gives the first of the overdue days in a row up to a folded day; nil for other days.
  mutating func run(start: (Day) -> Day?, into result: inout FoldResult) {
    var machine = resumedMachine()
    for day in window.folded {
      let start = start(day)
      switch machine.state {
      case .idle:
        guard let first = opening(on: day, overdueSince: start) else { continue }
        _ = machine.step(day, verdict: .deviating, rolling: .normal, runStart: first)
      case .active:
        let action = machine.step(
          day, verdict: start == nil ? [.normal, .clean] : .deviating, rolling: .normal,
          runStart: day)
        if case .resolved(let ended, let reason) = action {
          emit(ended, resolution: .init(day: day, reason: reason), into: &result)
          lastResolved = day
        }
      }
      if case .active(let episode) = machine.state {
        note(episode, on: day, into: &result)
      }
    }
    if case .active(let episode) = machine.state { emit(episode, resolution: nil, into: &result) }
  }

  /// The first day of the episode that `day` opens; nil where it opens none.
  ///
  /// An episode never reaches back past the end of an episode.
  private func opening(on day: Day, overdueSince start: Day?) -> Day? {
    guard let start, settings.opens(afterOverdueDays: day - start + 1) else { return nil }
    guard let lastResolved, lastResolved >= start else { return start }
    let first = lastResolved + 1
    return settings.opens(afterOverdueDays: day - first + 1) ? first : nil
  }

  private mutating func note(
    _ episode: EpisodeMachine.ActiveEpisode, on day: Day, into result: inout FoldResult
  ) {
    guard day >= window.notifying.lowerBound else { return }
    levels.reach(
      episode.level, on: day, duration: episode.duration, figures: nil, into: &result)
  }

  private mutating func emit(
    _ episode: EpisodeMachine.ActiveEpisode, resolution: Episode.Resolution?,
    into result: inout FoldResult
  ) {
    let figures = EpisodeFigures(silentFor: episode.duration, from: episode.activeSince)
    levels.add(
      Episode(episode, figures: figures, resolution: resolution), ofSeries: seriesIndex,
      to: &result)
    levels = FollowedLevels()
  }

  /// The machine as it stood before the first folded day.
  private mutating func resumedMachine() -> EpisodeMachine {
    let eve = window.folded.lowerBound - 1
    lastResolved = stored.ended(by: eve).map(\.resolution.day).max()
    let active = stored.first { known in
      guard !known.isRetracted,
        known.activeSince + (settings.openAfterDays - 1) <= eve
      else { return false }
      return known.resolution.map { $0.day > eve } ?? true
    }
    guard let active else { return EpisodeMachine(settings: .silence) }
    let since = active.activeSince
    return EpisodeMachine(
      settings: .silence,
      resuming: .init(
        activeSince: since, lastDeviating: eve, level: AlertLevel(duration: eve - since + 1),
        lastNotClean: eve, lastKnown: eve, deviatingSince: since))
  }
}

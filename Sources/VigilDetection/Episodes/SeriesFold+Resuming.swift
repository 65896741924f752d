import VigilModel

extension SeriesFold {
  mutating func resume() -> EpisodeMachine.ActiveEpisode? {
    closeEnded()
    // Episodes of a series follow one another: if the first that reaches past the eve had not been
    // opened by then, no later one had.
    guard let known = frame.stored.firstIndex(where: reachesPastEve),
      let opened = openingDay(of: frame.stored[known])
    else { return nil }
    let episode = frame.stored[known]
    current = Current(
      anchor: context.isAnchored ? episode.figures.baseline : nil, stored: known)
    let lastDeviating = lastDeviatingDay(of: episode, openedOn: opened)
    // Days after the eve may have raised the level, and are about to be judged again.
    let level =
      lastDeviating == episode.lastDeviating
      ? episode.level
      : min(episode.level, AlertLevel(duration: lastDeviating - episode.activeSince + 1))
    return EpisodeMachine.ActiveEpisode(
      activeSince: episode.activeSince, lastDeviating: lastDeviating, level: level,
      lastNotClean: lastDay(from: lastDeviating, to: frame.eve) { !$0.contains(.clean) },
      lastKnown: lastDay(from: lastDeviating, to: frame.eve) { !$0.isUnknown },
      deviatingSince: opened == frame.eve
        ? runStart(of: episode) : deviatingSinceOnEve(of: episode, lastDeviating: lastDeviating))
  }

  /// Whether a stored episode, as far as the fold trusts it, goes on after the eve or begins there.
  private func reachesPastEve(_ known: Episode) -> Bool {
    guard let resolution = known.resolution else { return true }
    return !known.isRetracted && resolution.day > frame.eve
  }

  /// The last loaded day after `first` and up to `last` that matches; `first` if none does.
  private mutating func lastDay(
    from first: Day, to last: Day, where matches: (DayVerdict) -> Bool
  ) -> Day {
    var day = last
    while day > first, day >= frame.window.loaded.lowerBound, !matches(verdict(on: day)) {
      day = day - 1
    }
    return day
  }

  /// The last day up to the eve that deviated and was not suppressed.
  ///
  /// The stored day may be after the eve, in the days that are about to be folded again. The day on which the episode
  /// opened deviated from its own baseline, and may be as usual against the one of the run's first day.
  private mutating func lastDeviatingDay(of episode: Episode, openedOn opened: Day) -> Day {
    if episode.lastDeviating <= frame.eve { return episode.lastDeviating }
    // Where interruptions restart, all days up to a later deviating day belonged to one run.
    let isOneRun = context.machineSettings.onInterruption == .restart
    var day = frame.eve
    while day > opened, day >= frame.window.loaded.lowerBound {
      if isOneRun ? !rollingVerdict(on: day).contains(.suppressed) : verdict(on: day).isActionable {
        return day
      }
      day = day - 1
    }
    return opened
  }

  /// First day of the run that goes on at the end of the eve; nil where that day did not deviate.
  private mutating func deviatingSinceOnEve(of episode: Episode, lastDeviating: Day) -> Day? {
    guard verdict(on: frame.eve).contains(.deviating) else { return nil }
    if episode.lastDeviating > frame.eve, context.machineSettings.onInterruption == .restart {
      return runStart(of: episode)
    }
    if context.isAnchored {
      let before = lastDay(from: lastDeviating, to: frame.eve) { !$0.contains(.deviating) }
      return before == lastDeviating ? runStart(of: episode) : before + 1
    }
    let start = believedRunStart(runStart(of: frame.eve))
    // A run that reaches back to the episode's last deviating day is the one that opened it, which
    // may have been before the loaded days.
    return start <= lastDeviating ? runStart(of: episode) : start
  }

  /// The start of the run of an episode that began among suppressed days before the fold.
  ///
  /// Where days cannot be judged again, the start that was stored with an episode waiting to open
  /// on the eve of the fold takes precedence.
  func believedRunStart(_ start: Day) -> Day {
    guard start <= firstJudgedDay else { return start }
    let waiting = frame.stored.last { known in
      reachesPastEve(known) && runStart(of: known) <= frame.eve && openingDay(of: known) == nil
    }
    return waiting.map { runStart(of: $0) } ?? start
  }

  private func runStart(of episode: Episode) -> Day {
    episode.activeSince + (context.machineSettings.recentDays - 1)
  }

  /// The day on which a stored episode opened; nil where that was after the eve.
  ///
  /// It is stored with the run's first day: the first day of the run that is not suppressed. So the answer is known even
  /// for days that cannot be judged again. Where the run began before the loaded days, it is that first day.
  private func openingDay(of episode: Episode) -> Day? {
    var day = runStart(of: episode)
    if day < frame.window.loaded.lowerBound { return day }
    while day <= frame.eve {
      if !rollingVerdict(on: day).contains(.suppressed) { return day }
      day = day + 1
    }
    return nil
  }
}

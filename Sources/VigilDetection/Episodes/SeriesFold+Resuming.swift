import VigilModel

extension SeriesFold {
  /// The machine as it stood before the first folded day, from what is stored.
  mutating func resumedMachine() -> EpisodeMachine {
    let eve = window.folded.lowerBound - 1
    for known in stored {
      // A resolution before the fold stands, and runs stop at it; the day on which one episode
      // supersedes another belongs to the run of the other.
      guard let resolution = known.episode.resolution, resolution.reason != .superseded,
        resolution.day <= eve
      else { continue }
      runLimit = max(runLimit, resolution.day + 1)
    }
    guard let known = stored.lastIndex(where: { wasActive($0.episode, on: eve) }) else {
      return EpisodeMachine(settings: context.machineSettings)
    }
    let episode = stored[known].episode
    current = Current(
      anchor: context.isAnchored ? episode.figures.baseline : nil,
      notifiedLevel: stored[known].notifiedLevel, stored: known)
    let lastDeviating = lastDeviatingDay(of: episode, upTo: eve)
    return EpisodeMachine(
      settings: context.machineSettings,
      resuming: EpisodeMachine.ActiveEpisode(
        activeSince: episode.activeSince, lastDeviating: lastDeviating,
        level: min(episode.level, AlertLevel(duration: eve - episode.activeSince + 1)),
        lastNotClean: lastDay(from: lastDeviating, to: eve) { !$0.contains(.clean) },
        lastKnown: lastDay(from: lastDeviating, to: eve) { !$0.isUnknown },
        deviatingSince: deviatingSince(eve, of: episode, lastDeviating: lastDeviating)))
  }

  /// The last loaded day after `first` and up to `last` that matches; `first` if none does.
  private mutating func lastDay(
    from first: Day, to last: Day, where matches: (DayVerdict) -> Bool
  ) -> Day {
    var day = last
    while day > first, day >= window.loaded.lowerBound, !matches(verdict(on: day)) { day = day - 1 }
    return day
  }

  /// The last day up to `eve` that deviated and was not suppressed.
  ///
  /// The stored one may lie after `eve`, in the days that are about to be folded again.
  private mutating func lastDeviatingDay(of episode: Episode, upTo eve: Day) -> Day {
    if episode.lastDeviating <= eve { return episode.lastDeviating }
    var day = eve
    while day > runStart(of: episode), day >= window.loaded.lowerBound {
      if verdict(on: day).isActionable { return day }
      day = day - 1
    }
    return runStart(of: episode)
  }

  /// First day of the run that goes on at the end of `eve`; nil where that day did not deviate.
  private mutating func deviatingSince(_ eve: Day, of episode: Episode, lastDeviating: Day) -> Day?
  {
    guard verdict(on: eve).contains(.deviating) else { return nil }
    let start = runStart(of: eve)
    // A run that reaches back to the episode's last deviating day is the one that opened it, which
    // may have been before the loaded days.
    return start <= lastDeviating ? runStart(of: episode) : start
  }

  /// The start of a run that opens an episode, which began among suppressed days before the fold.
  ///
  /// Where it was found among days that cannot be judged again, a stored episode that was waiting to
  /// open on the eve of the fold knows better.
  func believedRunStart(_ start: Day) -> Day {
    guard start <= firstJudgedDay else { return start }
    let eve = window.folded.lowerBound - 1
    let waiting = stored.last { known in
      runStart(of: known.episode) <= eve && (known.episode.resolution.map { $0.day > eve } ?? true)
        && !wasActive(known.episode, on: eve)
    }
    return waiting.map { runStart(of: $0.episode) } ?? start
  }

  private func runStart(of episode: Episode) -> Day {
    episode.activeSince + (context.machineSettings.recentDays - 1)
  }

  /// Whether a stored episode had been opened, and not yet resolved, at the end of `eve`.
  ///
  /// A run of suppressed days opens its episode only on the first day that is not suppressed.
  private func wasActive(_ episode: Episode, on eve: Day) -> Bool {
    if let resolved = episode.resolution?.day, resolved <= eve { return false }
    var day = runStart(of: episode)
    if day < window.loaded.lowerBound { return true }
    while day <= eve, rollingVerdict(on: day).contains(.deviating) {
      if rollingVerdict(on: day).isActionable { return true }
      day = day + 1
    }
    // Days without their whole horizon cannot be judged again: the database is to be believed.
    return day <= eve && day < firstJudgedDay
  }
}

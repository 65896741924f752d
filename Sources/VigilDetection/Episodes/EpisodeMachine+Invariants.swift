import VigilModel

#if VIGIL_CHECK_INVARIANTS
  extension EpisodeMachine {
    /// Stops the process where the dates of an active episode contradict each other or the settings.
    ///
    /// - Parameter day: The day that was fed last.
    func _checkInvariants(after day: Day) {
      guard case .active(let episode) = state else { return }
      precondition(episode.activeSince <= episode.lastDeviating, "an episode ends before it begins")
      precondition(
        episode.lastDeviating <= episode.lastNotClean && episode.lastNotClean <= day,
        "a counted deviating day is not clean, and no day after the last was judged")
      precondition(
        episode.lastDeviating <= episode.lastKnown && episode.lastKnown <= day,
        "a counted deviating day is known, and no day after the last was judged")
      if let since = episode.deviatingSince {
        precondition(
          since >= episode.activeSince && since <= day, "a run lies outside of its episode")
        precondition(
          episode.lastNotClean == day && episode.lastKnown == day,
          "a run goes on, but its last day does not deviate")
      }
      checkLevel(of: episode, after: day)
      precondition(
        day - episode.lastNotClean < settings.cleanDays(at: episode.level),
        "an episode is active after as many clean days as end it")
      if let limit = settings.maxUnknownDays {
        precondition(
          day - episode.lastKnown < limit,
          "an episode is active after as many unknown days as end it")
      }
    }

    /// A level follows from the duration on the days that change it.
    private func checkLevel(of episode: ActiveEpisode, after day: Day) {
      guard episode.lastDeviating == day else { return }
      precondition(
        episode.duration >= settings.recentDays,
        "an episode is shorter than its first recent window")
      let level = AlertLevel(duration: episode.duration)
      precondition(
        settings.levelMayFall ? episode.level == level : episode.level >= level,
        "a level is not that of the duration")
    }
  }
#else
  extension EpisodeMachine {
    @inline(__always)
    func _checkInvariants(after day: Day) {}
  }
#endif

import VigilModel

#if VIGIL_CHECK_INVARIANTS
  extension FoldResult {
    /// Stops the process where episodes or levels are not in order, or contradict each other.
    func _checkInvariants() {
      for (one, next) in zip(episodes, episodes.dropFirst()) {
        precondition(
          (one.series, one.episode.activeSince) < (next.series, next.episode.activeSince),
          "episodes are not in order, or two have one key")
        precondition(
          one.series != next.series || !one.episode.isActive,
          "an episode is active while a later one of its series exists")
        precondition(
          !next.continuesEarlier
            || one.series == next.series && one.episode.resolution?.reason == .superseded,
          "an episode continues one that has not gone over into it")
        precondition(
          next.earlierLevel == (next.continuesEarlier ? one.reachedLevel : nil),
          "the earlier level is not that of the episode before")
      }
      for folded in episodes { folded.episode.checkDates() }
      checkLevels()
    }

    private func checkLevels() {
      for (one, next) in zip(levels, levels.dropFirst()) {
        precondition(
          (one.episode, one.day) < (next.episode, next.day),
          "levels are not in order, or two are of one day")
      }
      var rest = levels[...]
      for (index, folded) in episodes.enumerated() {
        let own = rest.prefix { $0.episode == index }
        rest = rest.dropFirst(own.count)
        let episode = folded.episode
        for level in own {
          // An active one may have its level on a day after its last deviating one.
          precondition(
            level.day >= episode.activeSince
              && episode.resolution.map { level.day < $0.day } ?? true,
            "a level lies outside of its episode")
        }
        precondition(
          zip(own, own.dropFirst()).allSatisfy { $0.level < $1.level }, "a level is there twice")
        precondition(
          folded.reachedLevel == .highest(folded.earlierLevel, own.last?.level),
          "the level reached is not that of the last level")
      }
      precondition(rest.isEmpty, "a level is of no episode")
    }
  }

  extension Episode {
    fileprivate func checkDates() {
      precondition(duration >= 1, "an episode without a day")
      guard let resolution else {
        return precondition(
          lastEvaluated == lastDeviating, "an active episode has another last day")
      }
      precondition(resolution.day > lastDeviating, "an episode is resolved before its last day")
      precondition(
        lastEvaluated == (resolution.reason == .superseded ? lastDeviating : resolution.day),
        "a resolved episode has another last day")
    }
  }
#else
  extension FoldResult {
    @inline(__always)
    func _checkInvariants() {}
  }
#endif

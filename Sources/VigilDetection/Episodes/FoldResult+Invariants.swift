import VigilModel

#if VIGIL_CHECK_INVARIANTS
  extension FoldResult {
    /// Stops the process where episodes or notifications are not in order, or contradict each other.
    func _checkInvariants() {
      for (one, next) in zip(episodes, episodes.dropFirst()) {
        precondition(
          (one.series, one.episode.activeSince) < (next.series, next.episode.activeSince),
          "episodes are not in order, or two have one key")
        precondition(
          one.series != next.series || !one.episode.isActive,
          "an episode is active while a later one of its series exists")
      }
      for folded in episodes { folded.episode.checkDates() }
      checkNotifications()
    }

    private func checkNotifications() {
      for (one, next) in zip(notifications, notifications.dropFirst()) {
        precondition(
          (one.episode, one.day) < (next.episode, next.day),
          "notifications are not in order, or two are of one day")
      }
      var rest = notifications[...]
      for (index, folded) in episodes.enumerated() {
        let own = rest.prefix { $0.episode == index }
        rest = rest.dropFirst(own.count)
        let episode = folded.episode
        for note in own {
          // An active one may be notified after its last deviating day: when it is no longer snoozed.
          precondition(
            note.day >= episode.activeSince && episode.resolution.map { note.day < $0.day } ?? true,
            "a notification lies outside of its episode")
        }
        let sent = own.filter { $0.withheld == nil }.map(\.level)
        let withheld = own.filter { $0.withheld != nil }.map(\.level)
        for levels in [folded.notifiedLevelBefore.map { [$0] + sent } ?? sent, withheld] {
          precondition(
            zip(levels, levels.dropFirst()).allSatisfy(<), "a level is notified a second time")
        }
        precondition(
          folded.notifiedLevel == sent.last ?? folded.notifiedLevelBefore,
          "the notified level is not that of the last notification")
      }
      precondition(rest.isEmpty, "a notification is of no episode")
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

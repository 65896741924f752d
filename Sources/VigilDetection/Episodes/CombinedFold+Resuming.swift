import VigilModel

extension CombinedFold {
  /// The machine as it stood before the first folded day: as for one metric (see `EvidenceFold`).
  mutating func resumedMachine() -> EpisodeMachine {
    let eve = window.folded.lowerBound - 1
    for (activeSince, resolution) in stored.ended(by: eve) {
      close(from: index(of: activeSince), on: index(of: resolution.day), resolution.reason)
    }
    guard let active = stored.active(onEndOf: eve), let evidence = active.episode.combined else {
      return EpisodeMachine(settings: machineSettings)
    }
    follow(evidence, stored: active)
    var state = EpisodeMachine.ActiveEpisode(
      opening: active.episode.activeSince, on: evidence.openedOn)
    for day in index(of: evidence.openedOn) + 1..<index(of: window.folded.lowerBound) {
      let values = values(on: day, of: current?.members ?? [])
      if values.isEmpty { continue }
      current?.course.take(values, on: Int32(day))
      let counts = current?.course.isEasing == false && !isSuppressed(on: day)
      state.follow(date(day), counts: counts)
    }
    return EpisodeMachine(settings: machineSettings, resuming: state)
  }

  /// Whether an episode that was active before the first folded day names a metric that the block lacks: then
  /// nothing can be said of it.
  var namesAnAbsentMetric: Bool {
    let active = stored.active(onEndOf: window.folded.lowerBound - 1)
    return active?.episode.combined?.contributions.contains { contribution in
      !judge.members.contains { $0.metric == contribution.metric }
    } ?? false
  }
}

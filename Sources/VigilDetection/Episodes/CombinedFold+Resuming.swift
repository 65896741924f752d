import VigilModel

extension CombinedFold {
  /// The machine as it stood before the first folded day: as for one metric (see `EvidenceFold`).
  mutating func resumedMachine() -> EpisodeMachine {
    let eve = window.folded.lowerBound - 1
    for (activeSince, resolution) in stored.ended(by: eve) {
      close(from: index(of: activeSince), on: index(of: resolution.day), resolution.reason)
    }
    guard let active = stored.active(onEndOf: eve), let evidence = active.combined else {
      return EpisodeMachine(settings: machineSettings)
    }
    follow(evidence)
    var state = EpisodeMachine.ActiveEpisode(
      opening: active.activeSince, on: evidence.openedOn)
    for day in index(of: evidence.openedOn) + 1..<index(of: window.folded.lowerBound) {
      let values = values(on: day, of: current?.members ?? [])
      if values.isEmpty { continue }
      current?.course.take(values, on: Int32(day))
      let counts = current?.course.isEasing == false && !isSuppressed(on: day)
      state.follow(date(day), counts: counts)
    }
    return EpisodeMachine(settings: machineSettings, resuming: state)
  }

  /// Whether an episode that reaches into the folded days names a metric that the block lacks: without its values
  /// nothing can be said of the series.
  var namesAnAbsentMetric: Bool {
    stored.contains { known in
      let end = known.resolution?.day ?? window.folded.upperBound
      guard !known.isRetracted, end >= window.folded.lowerBound,
        let contributions = known.combined?.contributions
      else { return false }
      return contributions.contains { contribution in
        !judge.members.contains { $0.metric == contribution.metric }
      }
    }
  }
}

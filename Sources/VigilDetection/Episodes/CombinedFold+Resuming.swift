import VigilModel

extension CombinedFold {
  /// As for one metric: an episode that was active on the eve is replayed from its opening.
  mutating func resume() -> EpisodeMachine.ActiveEpisode? {
    closeEnded()
    guard let active = frame.stored.active(onEndOf: frame.eve), let evidence = active.combined
    else { return nil }
    follow(evidence)
    var state = EpisodeMachine.ActiveEpisode(opening: active.activeSince, on: evidence.openedOn)
    for day in frame.index(of: evidence.openedOn) + 1..<frame.index(of: frame.eve) + 1 {
      let values = values(on: day, of: current?.members ?? [])
      if values.isEmpty { continue }
      current?.course.take(values, on: Int32(day))
      let counts = current?.course.isEasing == false && !isSuppressed(on: day)
      state.follow(frame.date(day), counts: counts)
    }
    return state
  }

  /// Whether an episode that reaches into the folded days names a metric that the block lacks: without its values
  /// nothing can be said of the series.
  var namesAnAbsentMetric: Bool {
    frame.stored.contains { known in
      let end = known.resolution?.day ?? frame.window.folded.upperBound
      guard !known.isRetracted, end >= frame.window.folded.lowerBound,
        let contributions = known.combined?.contributions
      else { return false }
      return contributions.contains { contribution in
        !judge.members.contains { $0.metric == contribution.metric }
      }
    }
  }
}

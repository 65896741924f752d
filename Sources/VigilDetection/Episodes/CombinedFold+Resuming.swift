import VigilModel

extension CombinedFold {
  /// The machine as it stood before the first folded day: as for one metric (see `EvidenceFold`).
  mutating func resumedMachine() -> EpisodeMachine {
    let eve = index(of: window.folded.lowerBound) - 1
    for known in stored where !known.isRetracted {
      guard let resolution = known.episode.resolution, index(of: resolution.day) <= eve else {
        continue
      }
      close(
        from: index(of: known.episode.activeSince), on: index(of: resolution.day),
        resolution.reason)
    }
    let active = stored.first { known in
      guard let evidence = known.episode.combined, index(of: evidence.openedOn) <= eve else {
        return false
      }
      guard let resolution = known.episode.resolution else { return true }
      return !known.isRetracted && index(of: resolution.day) > eve
    }
    guard let active, let evidence = active.episode.combined else {
      return EpisodeMachine(settings: machineSettings)
    }
    follow(evidence, stored: active)
    var state = EpisodeMachine.ActiveEpisode(
      opening: active.episode.activeSince, on: evidence.openedOn)
    let opened = index(of: evidence.openedOn)
    if opened < eve {
      for day in opened + 1...eve {
        let values = values(on: day, of: current?.members ?? [])
        if values.isEmpty { continue }
        current?.course.take(values, on: Int32(day))
        let counts = current?.course.isEasing == false && !isSuppressed(on: day)
        state.follow(date(day), counts: counts)
      }
    }
    return EpisodeMachine(settings: machineSettings, resuming: state)
  }
}

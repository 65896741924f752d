import VigilModel

extension Episode {
  /// Whether the data no longer supported the episode when it was stored; only its key still counts.
  var isRetracted: Bool { resolution?.reason == .retracted }
}

/// The past of a series: its episodes as the database holds them, for a fold to resume.
extension [Episode] {
  /// The episodes that had ended by the end of `eve`, which counts for what comes after.
  func ended(by eve: Day) -> [(activeSince: Day, resolution: Episode.Resolution)] {
    compactMap { known in
      guard !known.isRetracted, let resolution = known.resolution, resolution.day <= eve
      else { return nil }
      return (known.activeSince, resolution)
    }
  }

  /// The episode that was active at the end of `eve`; episodes of a series follow one another, so that there is at
  /// most one.
  func active(onEndOf eve: Day) -> Episode? {
    first { known in
      guard known.openedOn <= eve else { return false }
      guard let resolution = known.resolution else { return true }
      return !known.isRetracted && resolution.day > eve
    }
  }
}

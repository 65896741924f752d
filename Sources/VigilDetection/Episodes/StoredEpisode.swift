public import VigilModel

/// An episode as the database holds it, for a fold to resume.
///
/// ```swift
/// guard let start = Day("2026-06-24") else { return }
/// let figures = EpisodeFigures(
///   baseline: .init(value: 8_000, start: start - 21, end: start - 1, count: 21),
///   recent: .init(value: 4_000, start: start + 4, end: start + 6, count: 3))
/// let episode = Episode(
///   activeSince: start, lastEvaluated: start + 6, duration: 7, level: .day7, figures: figures)
/// let stored = StoredEpisode(episode: episode, notifiedLevel: .day3, snoozeUntil: start + 9)
/// print(stored.reasonToWithhold(on: start + 8)?.rawValue ?? "none")  // snoozed
/// print(stored.reasonToWithhold(on: start + 9)?.rawValue ?? "none")  // none
/// ```
public struct StoredEpisode: Hashable, Sendable {
  public var episode: Episode
  /// The level notified so far in the mode that runs now, live or shadow.
  public var notifiedLevel: AlertLevel?
  public var isDismissed: Bool
  public var snoozeUntil: Day?
  /// Whether a member has read the alert or answered it.
  public var isSeen: Bool

  public init(
    episode: Episode, notifiedLevel: AlertLevel?, isDismissed: Bool = false,
    snoozeUntil: Day? = nil, isSeen: Bool = false
  ) {
    self.episode = episode
    self.notifiedLevel = notifiedLevel
    self.isDismissed = isDismissed
    self.snoozeUntil = snoozeUntil
    self.isSeen = isSeen
  }

  /// Whether the data no longer supported the episode when it was stored; only its key and its
  /// notified level still count.
  var isRetracted: Bool { episode.resolution?.reason == .retracted }

  /// The reason to withhold notifications of the episode on `day`; nil where it is neither snoozed
  /// nor dismissed.
  public func reasonToWithhold(on day: Day) -> PlannedNotification.StatusReason? {
    if isDismissed { return .dismissed }
    guard let snoozeUntil, snoozeUntil > day else { return nil }
    return .snoozed
  }
}

/// The past of a series under evidence.
extension [StoredEpisode] {
  /// The episodes that had ended by the end of `eve`, which counts for what comes after.
  func ended(by eve: Day) -> [(activeSince: Day, resolution: Episode.Resolution)] {
    compactMap { known in
      guard !known.isRetracted, let resolution = known.episode.resolution, resolution.day <= eve
      else { return nil }
      return (known.episode.activeSince, resolution)
    }
  }

  /// The episode that was active at the end of `eve`; episodes of a series follow one another, so that there is at
  /// most one.
  func active(onEndOf eve: Day) -> StoredEpisode? {
    first { known in
      guard known.episode.openedOn <= eve else { return false }
      guard let resolution = known.episode.resolution else { return true }
      return !known.isRetracted && resolution.day > eve
    }
  }
}

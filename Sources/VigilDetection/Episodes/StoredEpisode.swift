public import VigilModel

/// An episode as a database knows it, on its way into a fold.
public struct StoredEpisode: Hashable, Sendable {
  public var episode: Episode
  /// The level notified so far in the mode that runs now, live or shadow.
  public var notifiedLevel: AlertLevel?
  public var isDismissed: Bool
  public var snoozeUntil: Day?

  public init(
    episode: Episode, notifiedLevel: AlertLevel?, isDismissed: Bool = false,
    snoozeUntil: Day? = nil
  ) {
    self.episode = episode
    self.notifiedLevel = notifiedLevel
    self.isDismissed = isDismissed
    self.snoozeUntil = snoozeUntil
  }

  /// Whether the data no longer supported the episode when it was stored; only its key and what was
  /// told of it still count.
  var isRetracted: Bool { episode.resolution?.reason == .retracted }

  /// Why nothing is told of the episode on `day`; nil where nobody has set it aside.
  public func reasonToWithhold(on day: Day) -> PlannedNotification.StatusReason? {
    if isDismissed { return .dismissed }
    guard let snoozeUntil, snoozeUntil > day else { return nil }
    return .snoozed
  }
}

import VigilModel

/// The levels of the active episode of a fold that members were, or would have been, notified of.
///
/// Episodes are followed by the million: it holds a few bytes, and no stored row.
struct FollowedEpisode {
  private(set) var notifiedLevel: AlertLevel?
  /// The value of `notifiedLevel` when the fold first met the episode.
  private let notifiedLevelBefore: AlertLevel?
  /// The highest level that is withheld because a member has snoozed or dismissed the alert.
  private var withheldLevel: AlertLevel?

  /// - Parameter notifiedLevel: That of the row with the same key, or of the episode that this one supersedes.
  init(notifiedLevel: AlertLevel?) {
    self.notifiedLevel = notifiedLevel
    notifiedLevelBefore = notifiedLevel
  }

  /// Whether nothing is left to plan for a level.
  @inline(__always)
  func hasNotified(_ level: AlertLevel) -> Bool { notifiedLevel.map { $0 >= level } ?? false }

  /// Plans a notification of a level, or withholds it for a reason, once.
  ///
  /// - Returns: Whether there is one to add.
  mutating func plan(_ level: AlertLevel, withheld: PlannedNotification.StatusReason?) -> Bool {
    if hasNotified(level) { return false }
    if withheld != nil {
      if let withheldLevel, withheldLevel >= level { return false }
      withheldLevel = level
    } else {
      notifiedLevel = level
    }
    return true
  }

  /// Plans a notification of the level of an active episode.
  ///
  /// - Parameters:
  ///   - level: The level at the end of the day.
  ///   - day: The day.
  ///   - stored: The row with the same key.
  ///   - deviation: That of the notification.
  ///   - episode: The index that the episode will have in the result.
  ///   - isCovered: Whether another alert stands for this one.
  /// - Returns: Nil where there is none to add.
  @inline(__always)
  mutating func plannedNotification(
    of level: AlertLevel, on day: Day, for stored: StoredEpisode?, deviation: Double?,
    episode: Int, isCovered: Bool = false
  ) -> FoldedNotification? {
    let withheld = stored?.reasonToWithhold(on: day) ?? (isCovered ? .covered : nil)
    guard plan(level, withheld: withheld) else { return nil }
    return FoldedNotification(
      episode: episode, day: day, level: level, deviation: deviation, withheld: withheld)
  }

  /// Adds the episode to the result, after its notifications.
  func add(_ episode: Episode, ofSeries series: Int, to result: inout FoldResult) {
    result.episodes.append(
      FoldedEpisode(
        series: series, episode: episode, notifiedLevel: notifiedLevel,
        notifiedLevelBefore: notifiedLevelBefore))
  }
}

extension Episode {
  /// The episode that a machine has followed to `resolution`, or to the last folded day.
  init(
    _ followed: EpisodeMachine.ActiveEpisode, figures: EpisodeFigures, resolution: Resolution?
  ) {
    let changed =
      resolution.map { $0.reason == .superseded ? followed.lastDeviating : $0.day }
      ?? followed.lastDeviating
    self.init(
      activeSince: followed.activeSince, lastEvaluated: changed, duration: followed.duration,
      level: followed.level, figures: figures, resolution: resolution)
  }
}

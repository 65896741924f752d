import VigilModel

/// The levels of the active episode of a fold that members were, or would have been, notified of.
struct FollowedEpisode {
  let series: Int
  /// The row with the same key, if the database holds one.
  let stored: StoredEpisode?
  private(set) var notifiedLevel: AlertLevel?
  /// The value of `notifiedLevel` when the fold first met the episode.
  private let notifiedLevelBefore: AlertLevel?
  /// The highest level that is withheld because a member has snoozed or dismissed the alert.
  private var withheldLevel: AlertLevel?

  /// - Parameter inherited: The level of the episode that this one supersedes.
  init(series: Int, stored: StoredEpisode?, inheriting inherited: AlertLevel? = nil) {
    self.series = series
    self.stored = stored
    notifiedLevel = .highest(stored?.notifiedLevel, inherited)
    notifiedLevelBefore = notifiedLevel
  }

  /// Plans a notification of a level that is new.
  mutating func notify(
    _ level: AlertLevel, on day: Day, deviation: () -> Double?, into result: inout FoldResult
  ) {
    if let notifiedLevel, notifiedLevel >= level { return }
    let withheld = stored?.reasonToWithhold(on: day)
    if withheld != nil {
      if let withheldLevel, withheldLevel >= level { return }
      withheldLevel = level
    } else {
      notifiedLevel = level
    }
    result.notifications.append(
      FoldedNotification(
        episode: result.episodes.count, day: day, level: level, deviation: deviation(),
        withheld: withheld))
  }

  /// Adds the episode to the result, after its notifications.
  func add(_ episode: Episode, to result: inout FoldResult) {
    result.episodes.append(
      FoldedEpisode(
        series: series, episode: episode, notifiedLevel: notifiedLevel,
        notifiedLevelBefore: notifiedLevelBefore))
  }
}

extension Episode {
  /// The episode that a machine has followed to `resolution`, or to the last folded day.
  init(
    _ followed: EpisodeMachine.ActiveEpisode, figures: EpisodeFigures,
    evidence: EpisodeEvidence? = nil, resolution: Resolution?
  ) {
    let changed =
      resolution.map { $0.reason == .superseded ? followed.lastDeviating : $0.day }
      ?? followed.lastDeviating
    self.init(
      activeSince: followed.activeSince, lastEvaluated: changed, duration: followed.duration,
      level: followed.level, figures: figures, evidence: evidence, resolution: resolution)
  }
}

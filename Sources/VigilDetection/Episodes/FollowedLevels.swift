import VigilModel

/// The levels that the active episode of a fold has reached on days that notify.
///
/// Episodes are followed by the million: it holds a few bytes, and no stored row.
struct FollowedLevels {
  /// Nil before the first.
  private var reached: AlertLevel?
  /// The highest level of the episodes that this one continues, one after the other.
  private let earlier: AlertLevel?
  private let continuesEarlier: Bool

  /// - Parameter superseded: The levels of the episode that it continues; nil where it continues none.
  init(after superseded: FollowedLevels? = nil) {
    earlier = superseded.flatMap { .highest($0.reached, $0.earlier) }
    continuesEarlier = superseded != nil
  }

  /// Whether the level, or a higher one, is in the result.
  @inline(__always)
  func hasReached(_ level: AlertLevel) -> Bool { reached.map { $0 >= level } ?? false }

  /// Adds a level to the result, where it is not there yet; its episode follows.
  @inline(__always)
  mutating func reach(
    _ level: AlertLevel, on day: Day, duration: Int, figures: EpisodeFigures?,
    isCovered: Bool = false, into result: inout FoldResult
  ) {
    if hasReached(level) { return }
    reached = level
    result.levels.append(
      FoldedLevel(
        episode: result.episodes.count, day: day, level: level, duration: duration,
        figures: figures, isCovered: isCovered))
  }

  /// Adds the episode to the result, after its levels.
  func add(_ episode: Episode, ofSeries series: Int, to result: inout FoldResult) {
    result.episodes.append(
      FoldedEpisode(
        series: series, episode: episode, continuesEarlier: continuesEarlier,
        reachedLevel: .highest(reached, earlier), earlierLevel: earlier))
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

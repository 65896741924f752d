public import VigilModel

extension PatternAlertState {
  /// The alert as it stood at the end of a day: without its later end, and with the duration and the level
  /// that it had by then; nil where it had not opened.
  ///
  /// The duration counts up to the day; `PageContent.shortenPastAlerts()` corrects it where the last days did not deviate.
  ///
  /// The figures stay those of its last counted day, as earlier ones are not kept.
  public func standing(on day: Day) -> PatternAlertState? {
    guard openedOn <= day else { return nil }
    guard episode.lastEvaluated > day || episode.resolution.map({ $0.day > day }) ?? false
    else { return self }
    var past = lasting(to: day)
    past.episode.lastEvaluated = min(episode.lastEvaluated, day)
    if let end = episode.resolution?.day, end > day { past.episode.resolution = nil }
    // What a member did later than the morning after the day was not yet done.
    if let instant = dismissedAt, instant >= (day + 2).midnight { past.dismissedAt = nil }
    return past
  }

  /// The alert with a duration up to that day at most, and the level of that duration.
  func lasting(to day: Day) -> PatternAlertState {
    var past = self
    let duration = min(episode.duration, day - episode.activeSince + 1)
    past.episode.duration = duration
    past.episode.level = min(
      episode.level,
      episode.doses == nil
        ? series.pattern.level(afterDays: duration) : AlertLevel(duration: duration))
    return past
  }

  /// The first day on which the alert was known: of a medication, where no evidence was needed, the first of the
  /// days that it names.
  private var openedOn: Day {
    series.medication == nil || episode.doses != nil
      ? episode.openedOn : episode.figures.recent.start
  }
}

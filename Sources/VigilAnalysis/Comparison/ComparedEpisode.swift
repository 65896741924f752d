public import VigilModel

/// An episode, as far as the comparison of two profiles needs it.
public struct ComparedEpisode: Hashable, Sendable {
  public var series: SeriesKey
  /// From `active_since` to the day on which it was resolved, or to the last compared day.
  public var days: ClosedRange<Day>
  /// The first day on which it was known.
  public var openedOn: Day
  /// The level that it had last.
  public var level: AlertLevel
  /// Why it ended; nil while it is active.
  public var resolution: Episode.Resolution.Reason?
  /// The event that it belongs to: episodes of a person that began together share one; nil for one of its own.
  public var event: UUID?

  public init(
    series: SeriesKey, days: ClosedRange<Day>, openedOn: Day, level: AlertLevel,
    resolution: Episode.Resolution.Reason?, event: UUID? = nil
  ) {
    self.series = series
    self.days = days
    self.openedOn = openedOn
    self.level = level
    self.resolution = resolution
    self.event = event
  }

  /// The episode of a series.
  ///
  /// - Parameters:
  ///   - episode: The episode.
  ///   - series: Its series.
  ///   - event: The event that it belongs to; nil for one of its own.
  ///   - lastDay: The last compared day, on which an active episode counts as ending.
  public init(
    _ episode: Episode, of series: SeriesKey, event: UUID? = nil, comparedThrough lastDay: Day
  ) {
    let end = episode.resolution?.day ?? lastDay
    self.init(
      series: series, days: episode.activeSince...max(episode.activeSince, end),
      openedOn: episode.openedOn, level: episode.level, resolution: episode.resolution?.reason,
      event: event)
  }
}

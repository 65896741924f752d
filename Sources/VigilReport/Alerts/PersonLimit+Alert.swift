public import VigilModel

extension PersonLimit {
  /// Whether it is the limit that the newest value of an alert is beyond.
  public func decided(_ alert: PatternAlertState) -> Bool {
    alert.series.pattern == limit.direction.pattern && alert.series.metric == limit.metric
      && alert.episode.figures.baseline.value == limit.value
      && days.contains(alert.episode.figures.recent.end)
  }
}

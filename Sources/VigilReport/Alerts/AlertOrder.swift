import VigilModel

/// The order of a list of alerts.
public enum AlertOrder: String, CaseIterable, Sendable {
  /// Active ones first, then the highest level, then the newest.
  case attention
  /// By the first day of the episode, the newest first.
  case newest
  /// By the days that the episode lasts, the longest first.
  case longest
  /// By the deviation from the baseline, whatever its direction, the largest first.
  case change
  case metric
  /// By the person's original id, or else by id.
  case person

  /// Whether one alert comes before another one; equal ones are in order of person, metric and first day.
  func puts(
    _ left: PatternAlertState, before right: PatternAlertState, named name: (SeriesKey) -> String
  ) -> Bool {
    let keys = (key(left), key(right))
    if keys.0 != keys.1 { return keys.0.lexicographicallyPrecedes(keys.1) }
    let texts = (text(left, name), text(right, name))
    if texts.0 != texts.1 { return texts.0 < texts.1 }
    return (left.series, left.episode.activeSince, left.profile.id)
      < (right.series, right.episode.activeSince, right.profile.id)
  }

  private func key(_ alert: PatternAlertState) -> [Double] {
    let episode = alert.episode
    let newest = -Double(episode.activeSince.ordinal)
    switch self {
    case .attention:
      return [episode.isActive ? 0 : 1, -Double(episode.level.rawValue), newest]
    case .newest: return [newest]
    case .longest: return [-Double(episode.duration)]
    case .change: return [-abs(episode.figures.deviation ?? 0)]
    case .metric, .person: return []
    }
  }

  private func text(_ alert: PatternAlertState, _ name: (SeriesKey) -> String) -> String {
    switch self {
    case .attention, .newest, .longest, .change: ""
    case .metric: alert.series.metric.rawValue
    case .person: name(alert.series)
    }
  }
}

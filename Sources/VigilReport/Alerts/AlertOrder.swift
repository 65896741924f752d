import Foundation
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
  /// By the name of the metric.
  case metric
  /// By the person's original id, or else by id.
  case person

  /// Whether one alert comes before another one; equal ones are in order of person, metric and first day.
  func puts(
    _ left: PatternAlertState, before right: PatternAlertState, named name: (UUID) -> String
  ) -> Bool {
    let keys = (key(left), key(right))
    if keys.0 != keys.1 { return keys.0.lexicographicallyPrecedes(keys.1) }
    let texts = (text(left, name), text(right, name))
    if texts.0 != texts.1 { return texts.0 < texts.1 }
    return left.precedes(right)
  }

  private func key(_ alert: PatternAlertState) -> [Double] {
    let newest = -Double(alert.episode.activeSince.ordinal)
    switch self {
    case .attention:
      return [alert.episode.isActive ? 0 : 1, -Double(alert.episode.level.rawValue), newest]
    case .newest: return [newest]
    case .longest: return [-Double(alert.episode.duration)]
    case .change: return [-abs(alert.episode.figures.deviation ?? 0)]
    case .metric, .person: return []
    }
  }

  private func text(_ alert: PatternAlertState, _ name: (UUID) -> String) -> String {
    switch self {
    case .attention, .newest, .longest, .change: ""
    case .metric: alert.series.metric.rawValue
    case .person: name(alert.series.user)
    }
  }
}

extension PatternAlertState {
  /// Whether it comes before an alert that is equal otherwise: by person, metric, first day, then the rest.
  fileprivate func precedes(_ other: PatternAlertState) -> Bool {
    let (own, others) = (
      (series.user, series.metric, episode.activeSince),
      (other.series.user, other.series.metric, other.episode.activeSince)
    )
    return own != others ? own < others : rest < other.rest
  }

  /// The rest of what identifies it.
  private var rest: String {
    "\(series.medication?.lowercased ?? "") \(series.pattern.rawValue) \(profile.id)"
  }
}

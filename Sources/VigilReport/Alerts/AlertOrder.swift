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
  /// By the name of the metric, or the kind of an alert about a medication.
  case metric
  /// By the person's original id, or else by id.
  case person

  /// Whether one alert comes before another one; equal ones are in order of person, metric and first day.
  func puts(
    _ left: ListedAlert, before right: ListedAlert, named name: (UUID) -> String
  ) -> Bool {
    let keys = (key(left), key(right))
    if keys.0 != keys.1 { return keys.0.lexicographicallyPrecedes(keys.1) }
    let texts = (text(left, name), text(right, name))
    if texts.0 != texts.1 { return texts.0 < texts.1 }
    return left.isBefore(right)
  }

  private func key(_ alert: ListedAlert) -> [Double] {
    let newest = -Double(alert.activeSince.ordinal)
    switch self {
    case .attention:
      return [alert.isActive ? 0 : 1, -Double(alert.level.rawValue), newest]
    case .newest: return [newest]
    case .longest: return [-Double(alert.duration)]
    case .change: return [-abs(alert.change ?? 0)]
    case .metric, .person: return []
    }
  }

  private func text(_ alert: ListedAlert, _ name: (UUID) -> String) -> String {
    switch self {
    case .attention, .newest, .longest, .change: ""
    case .metric: alert.metricName
    case .person: name(alert.user)
    }
  }
}

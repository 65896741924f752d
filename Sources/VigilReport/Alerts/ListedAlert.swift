import Foundation
import VigilModel

/// An alert of either kind, as a list orders it.
enum ListedAlert {
  case metric(PatternAlertState)
  case medication(MedicationAlert)

  var id: UUID {
    switch self {
    case .metric(let alert): alert.id
    case .medication(let alert): alert.id
    }
  }

  /// An alert about a medication is an event of its own.
  var eventID: UUID {
    switch self {
    case .metric(let alert): alert.eventID
    case .medication(let alert): alert.id
    }
  }

  var user: UUID {
    switch self {
    case .metric(let alert): alert.series.user
    case .medication(let alert): alert.user
    }
  }

  /// The name of the metric, or the kind of an alert about a medication.
  var metricName: String {
    switch self {
    case .metric(let alert): alert.series.metric.rawValue
    case .medication(let alert): alert.kind.rawValue
    }
  }

  var isActive: Bool {
    switch self {
    case .metric(let alert): alert.episode.isActive
    case .medication(let alert): alert.isActive
    }
  }

  var level: AlertLevel {
    switch self {
    case .metric(let alert): alert.episode.level
    case .medication(let alert): alert.level
    }
  }

  var severity: Severity {
    switch self {
    case .metric(let alert): alert.severity
    case .medication(let alert): alert.severity
    }
  }

  var activeSince: Day {
    switch self {
    case .metric(let alert): alert.episode.activeSince
    case .medication(let alert): alert.activeSince
    }
  }

  /// The days that it lasts.
  var duration: Int {
    switch self {
    case .metric(let alert): alert.episode.duration
    case .medication(let alert): alert.lastFound - alert.activeSince + 1
    }
  }

  /// The deviation from the baseline; nil where there is none.
  var change: Double? {
    switch self {
    case .metric(let alert): alert.episode.figures.deviation
    case .medication: nil
    }
  }

  /// Whether several metrics together are one alert.
  var isCombined: Bool {
    if case .metric(let alert) = self { alert.series.metric == .combined } else { false }
  }

  /// Whether it comes before an alert that is equal otherwise: by person, metric, first day, then the rest.
  func isBefore(_ other: ListedAlert) -> Bool {
    let (own, others) = (
      (user, metricName, activeSince), (other.user, other.metricName, other.activeSince)
    )
    return own != others ? own < others : rest < other.rest
  }

  /// The rest of what identifies it.
  private var rest: String {
    switch self {
    case .metric(let alert): "\(alert.series.pattern.rawValue) \(alert.profile.id)"
    case .medication(let alert): alert.medication.lowercased
    }
  }
}

extension [ListedAlert] {
  /// The alerts of each event one after another, several metrics together first; otherwise in their order.
  var byEvent: [ListedAlert] {
    var places: [UUID: Int] = [:]
    for alert in self where places[alert.eventID] == nil { places[alert.eventID] = places.count }
    func key(_ index: Int) -> [Int] {
      [places[self[index].eventID] ?? 0, self[index].isCombined ? 0 : 1, index]
    }
    return indices.sorted { key($0).lexicographicallyPrecedes(key($1)) }.map { self[$0] }
  }
}

import Foundation
import VigilAlerts
import VigilModel
import VigilWords

/// The part of a payload that messages name (specification, notifications.md section 4).
enum MessagePayload: Hashable {
  /// Says nothing about health.
  case reference
  /// One alert, or those of a group, the gravest first.
  case standard([Alert])
  struct Alert: Hashable, Decodable {
    var metric: MetricType
    var pattern: String
    var level: Int
    var activeSince: Day?
    var severity: String
    /// As a fraction.
    var deviation: Double?
    var direction: AlertPayload.Standard.Direction?
    var belowLimit: Double?
    var durationDays: Int
    var evaluatedEndDate: Day
    var openedOn: Day?
    var windowDays: Int?
    var metrics: [MetricType]?
    var doses: AlertPayload.Doses?

    private enum CodingKeys: String, CodingKey {
      case metric = "metric_type"
      case pattern = "pattern_type"
      case level
      case activeSince = "active_since"
      case severity
      case deviation
      case direction
      case belowLimit = "below_limit"
      case durationDays = "duration_days"
      case evaluatedEndDate = "evaluated_end_date"
      case openedOn = "opened_on"
      case windowDays = "window_days"
      case metrics
      case doses
    }

    /// The content of a sentence about it, without a value.
    var summary: AlertSummary {
      AlertSummary(metric: metric, days: durationDays, change: change)
    }

    private var change: AlertSummary.Change {
      if pattern == PatternType.medication.rawValue { return .medication }
      if pattern == PatternType.silence.rawValue { return .silence }
      if let limit = PatternType(rawValue: pattern).flatMap(AlertSummary.Limit.init) {
        return .limit(limit)
      }
      if let metrics { return .together(metrics) }
      if let doses {
        var counts: (missed: Int, expected: Int)?
        if let missed = doses.missed, let expected = doses.expected { counts = (missed, expected) }
        return .doses(
          AlertSummary.Doses(counts: counts, usual: doses.usual, isRecorded: doses.isRecorded))
      }
      let change: ValueChange =
        switch direction {
        case .lower: .lower
        case .higher: .higher
        case nil: belowLimit.map(ValueChange.below) ?? .unclear
        }
      return .value(change, .init(deviation: deviation, window: window))
    }

    /// The values that the deviation is of.
    private var window: AlertSummary.Window {
      guard let windowDays else { return .newest }
      return openedOn == evaluatedEndDate ? .days(windowDays) : .atFirst
    }
  }

  /// Nil for a payload of another form.
  init?(text: String) {
    struct Head: Decodable {
      var detail: String?
      var alerts: [Alert]?
    }
    struct Detail: Decodable { var detail: String }
    let data = Data(text.utf8)
    guard let detail = try? JSONDecoder().decode(Detail.self, from: data).detail else { return nil }
    switch detail {
    case "reference": self = .reference
    case "standard":
      if let alerts = (try? JSONDecoder().decode(Head.self, from: data))?.alerts {
        self = .standard(alerts)
      } else if let alert = try? JSONDecoder().decode(Alert.self, from: data) {
        self = .standard([alert])
      } else {
        return nil
      }
    default: return nil
    }
  }
}

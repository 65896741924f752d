import Foundation
import VigilDelivery
import VigilModel

/// The part of a payload that messages name (specification, notifications.md section 4).
enum MessagePayload: Hashable {
  /// Says nothing about health.
  case reference
  /// One alert, or those of a group, the gravest first.
  case standard([Alert])
  struct Alert: Hashable, Decodable {
    var metric: String
    var pattern: String
    var level: Int
    var activeSince: Day?
    var severity: String
    /// As a fraction.
    var deviation: Double?
    var windowDays: Int?
    var metrics: [String]?
    var doses: AlertPayload.Doses?

    private enum CodingKeys: String, CodingKey {
      case metric = "metric_type"
      case pattern = "pattern_type"
      case level
      case activeSince = "active_since"
      case severity
      case deviation
      case windowDays = "window_days"
      case metrics
      case doses
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

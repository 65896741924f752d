import Foundation
import VigilModel
import VigilStorage

extension QueuedNotification {
  /// The subject, such as `sleep, level 7`; the template's id where this version does not know it.
  ///
  /// A payload that is a reference names no metric, and the subject is the level alone.
  var subjectText: String {
    guard isOfAlert,
      let content = try? JSONDecoder().decode(Content.self, from: Data(payload.utf8))
    else { return eventText }
    if let alerts = content.alerts { return NumberText.count(alerts.count, "alert") }
    if let first = content.metrics?.first, let count = content.metrics?.count {
      return "\(MetricType(first).words) +\(count - 1), \(eventText)"
    }
    return content.metric.map { "\(MetricType($0).words), \(eventText)" } ?? eventText
  }

  /// The event alone, such as `level 7`, where the alert is known; a medication's alert keeps its name.
  var eventText: String {
    for metric in MetricType.ofMedications where templateID.hasPrefix(metric.rawValue + ".") {
      let level = templateID.dropFirst(metric.rawValue.count + 1).replacing("_", with: " ")
      return "\(metric.words), \(level)"
    }
    guard isOfAlert else { return templateID }
    return String(templateID.dropFirst(Self.alertPrefix.count)).replacing("_", with: " ")
  }

  private static let alertPrefix = "pattern_alert."

  private var isOfAlert: Bool { templateID.hasPrefix(Self.alertPrefix) }

  /// The part of a payload that a list names.
  private struct Content: Decodable {
    struct Member: Decodable {}
    var alerts: [Member]?
    var metric: String?
    var metrics: [String]?

    private enum CodingKeys: String, CodingKey {
      case alerts
      case metrics
      case metric = "metric_type"
    }
  }

  /// `skipped (snoozed)`, `failed (http_503)`, `sent (read)`.
  func statusText(in list: NotificationList) -> String {
    let word = status.word(in: list)
    if status == .sent, readAt != nil { return "\(word) (read)" }
    let reason = statusReason?.rawValue.replacing("_", with: " ")
    guard let why = reason ?? (status == .failed ? lastError : nil) else { return word }
    return "\(word) (\(why))"
  }
}

extension PlannedNotification.Status {
  /// No sender takes held rows, so the word for them is not `pending`.
  func word(in list: NotificationList) -> String {
    self == .pending && list == .held ? "held" : rawValue
  }
}

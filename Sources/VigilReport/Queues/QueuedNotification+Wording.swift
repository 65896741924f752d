import VigilModel
import VigilStorage

extension QueuedNotification {
  /// The subject in words, such as `level 7`; the template's id where this version does not know
  /// it.
  var subjectText: String {
    for metric in MetricType.ofMedications where templateID.hasPrefix(metric.rawValue + ".") {
      let level = templateID.dropFirst(metric.rawValue.count + 1).replacing("_", with: " ")
      return "\(metric.words), \(level)"
    }
    let prefix = "pattern_alert."
    guard templateID.hasPrefix(prefix) else { return templateID }
    return String(templateID.dropFirst(prefix.count)).replacing("_", with: " ")
  }

  /// `skipped (snoozed)`.
  func statusText(in list: NotificationList) -> String {
    let word = status.word(in: list)
    guard let statusReason else { return word }
    return "\(word) (\(statusReason.rawValue.replacing("_", with: " ")))"
  }
}

extension PlannedNotification.Status {
  /// No sender takes held rows, so the word for them is not `pending`.
  func word(in list: NotificationList) -> String {
    self == .pending && list == .held ? "held" : rawValue
  }
}

extension PlannedNotification.Channel {
  var words: String {
    switch self {
    case .push: "push"
    case .whatsapp: "WhatsApp"
    case .sms: "SMS"
    case .email: "e-mail"
    case .inApp: "in the app"
    }
  }
}

public import Foundation
public import VigilModel
public import VigilStorage

/// The output of `vigil alerts show` for an alert about a medication: the alert, the actions of members, and its
/// notifications with their outcomes.
public struct MedicationAlertReport: Sendable {
  public let alert: MedicationAlert
  /// In order of time.
  public let actions: [AlertAction]
  /// The notifications of the live queue.
  public let notifications: [QueuedNotification]
  /// The notifications that shadow nights would have sent.
  public let shadowNotifications: [QueuedNotification]
  let externalIDs: [UUID: String]
  /// The calls about it, by level and step.
  public var calls: [EscalationRecord] = []

  /// - Parameters:
  ///   - alert: The alert.
  ///   - actions: What persons did with it, oldest first.
  ///   - notifications: Its rows in the queue.
  ///   - shadowNotifications: Its rows in the shadow queue.
  ///   - externalIDs: The ids of persons in the system their data come from.
  public init(
    alert: MedicationAlert, actions: [AlertAction], notifications: [QueuedNotification],
    shadowNotifications: [QueuedNotification], externalIDs: [UUID: String] = [:]
  ) {
    self.alert = alert
    self.actions = actions
    self.notifications = notifications
    self.shadowNotifications = shadowNotifications
    self.externalIDs = externalIDs
  }
}

extension MedicationAlertReport: Report {
  public func text(style: TextStyle) -> String {
    var text = TextTable(pairs: pairs, indent: "").render(style) + history.text(style)
    text += EscalationCalls(records: calls, externalIDs: externalIDs).text(style)
    if notifications.isEmpty, shadowNotifications.isEmpty {
      text += "\nNo queue has a notification of this alert.\n"
    }
    return text
  }

  private var history: AlertHistory {
    AlertHistory(
      actions: actions, notifications: notifications, shadowNotifications: shadowNotifications,
      externalIDs: externalIDs)
  }

  private var pairs: [(String, String)] {
    let days = NumberText.count(alert.lastFound - alert.activeSince + 1, "day")
    let state =
      alert.resolution.map { "resolved \($0.day), \($0.reason.words)" } ?? "active"
    return [
      ("Alert", alert.id.lowercased),
      ("Person", PersonText.full(alert.user, externalIDs)),
      ("About", alert.kind.words),
      ("Medication", alert.medication.lowercased),
      ("Level", "\(alert.level.rawValue), \(alert.severity.rawValue)"),
      ("Since", "\(alert.activeSince), \(days), found up to \(alert.lastFound)"),
      ("State", state),
      ("Snoozed", alert.snoozeUntil.map { "until \($0)" } ?? "–"),
      ("Dismissed", alert.dismissedAt?.minuteText ?? "–"),
      ("Acknowledged", history.acknowledged(alert.acknowledgedAt, by: alert.acknowledgedBy)),
      ("Notified", AlertHistory.notified(alert.lastNotifiedLevel, alert.lastNotifiedAt)),
      ("Shadow notified", AlertHistory.notified(alert.shadowNotifiedLevel, nil)),
    ]
  }

  private struct Document: Encodable {
    var medicationAlert: MedicationAlertDocument
    var actions: [AlertActionDocument]
    var notifications: [NotificationDocument]
    var shadowNotifications: [NotificationDocument]
    var calls: [EscalationCallDocument]?
  }

  public func encode(to encoder: any Encoder) throws {
    let externalIDs = externalIDs
    try Document(
      medicationAlert: MedicationAlertDocument(alert, externalID: externalIDs[alert.user]),
      actions: actions.map { AlertActionDocument($0, externalIDs) },
      notifications: notifications.map { NotificationDocument($0, externalIDs) },
      shadowNotifications: shadowNotifications.map { NotificationDocument($0, externalIDs) },
      calls: EscalationCalls(records: calls, externalIDs: externalIDs).documents
    ).encode(to: encoder)
  }
}

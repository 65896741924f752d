public import Foundation
public import VigilModel

/// A level of an alert about a medication to notify of, before it becomes queue rows.
///
/// It joins no group: a family sees at once that it is about a medication.
public struct MedicationAlertNotification: NotificationForRecipients, Hashable {
  /// The alert; what members have set about it plays no part.
  public var alert: MedicationAlert
  /// The level that the alert has reached.
  public var level: AlertLevel
  /// The evaluation day on which the alert reached this level.
  public var evaluatedDay: Day
  /// The reason why it is withheld: a member has snoozed or dismissed the alert.
  public var withheld: PlannedNotification.StatusReason?

  public init(
    _ alert: MedicationAlert, level: AlertLevel, evaluatedDay: Day,
    withheld: PlannedNotification.StatusReason? = nil
  ) {
    self.alert = alert
    self.level = level
    self.evaluatedDay = evaluatedDay
    self.withheld = withheld
  }

  public var member: UUID { alert.user }

  public func planned(
    for recipient: UUID, preferring preferences: DeliveryPreferences,
    by policy: NotificationPolicy = NotificationPolicy(), at now: Timestamp
  ) -> [PlannedNotification] {
    NotificationDraft(
      kind: kind, member: member, alert: alert.id, level: level,
      payload: payload(policy.payloadDetail).text, priority: .init(severity), withheld: withheld
    ).planned(for: recipient, preferring: preferences, at: now)
  }

  private var kind: PlannedNotification.Kind {
    switch alert.kind {
    case .missedStreak: .missedStreak
    case .refillDue: .refillDue
    }
  }

  private var severity: Severity { MedicationAlert.severity(of: level) }

  /// Returns the payload of its queue rows.
  public func payload(_ detail: PayloadDetail) -> MedicationAlertPayload {
    switch detail {
    case .reference:
      .reference(.init(alert: alert.id, level: level, template: kind.templateID(level)))
    case .standard:
      .standard(
        .init(
          activeSince: alert.activeSince, evaluatedEndDate: evaluatedDay,
          kind: kind.notificationType, level: level, alert: alert.id, medication: alert.medication,
          member: member, severity: severity))
    }
  }
}

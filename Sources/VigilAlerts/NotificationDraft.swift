import Foundation
import VigilModel

/// The values that the rows of all recipients and channels share.
struct NotificationDraft {
  var kind: PlannedNotification.Kind
  var member: UUID
  var alert: UUID
  /// Nil where the text does not depend on it.
  var metric: MetricType?
  var level: AlertLevel
  var payload: String
  var priority: PlannedNotification.Priority
  var occasion: PatternAlertNotification.Occasion
  /// The facts about the alert.
  var facts: DeliveryFacts
  /// The night whose group the rows may join; nil for rows that are sent by themselves.
  var groupNight: Day?

  func planned(
    for recipient: UUID, preferring preferences: DeliveryPreferences, at now: Timestamp
  ) -> [PlannedNotification] {
    let channels = preferences.channels(for: priority)
    let isReachable = !channels.isEmpty
    let rows = (isReachable ? channels : [.inApp]).map { channel in
      let due = preferences.dueTime(on: channel, priority: priority, readyAt: now)
      var circumstances = DeliveryCircumstances(at: .planning, facts)
      if !isReachable { circumstances.facts.insert(.isOff) }
      if due > now { circumstances.quietUntil = due }
      return PlannedNotification(
        kind: kind, recipient: recipient, member: member, alertStateID: alert, metric: metric,
        level: level, channel: channel, payload: payload, priority: priority, scheduledFor: due,
        expiresAt: preferences.expiry(on: channel, dueAt: due),
        statusReason: DeliveryRules.outcome(of: occasion, in: circumstances).reason,
        groupNight: groupNight)
    }
    rows._checkInvariants(readyAt: now)
    return rows
  }
}

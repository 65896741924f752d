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
  /// The reason why it is withheld: a member has snoozed or dismissed the alert.
  var withheld: PlannedNotification.StatusReason?
  /// The night whose group the rows may join; nil for rows that are sent by themselves.
  var groupNight: Day?

  func planned(
    for recipient: UUID, preferring preferences: DeliveryPreferences, at now: Timestamp
  ) -> [PlannedNotification] {
    let isReachable = !preferences.channels.isEmpty
    let rows = (isReachable ? preferences.channels : [.inApp]).map { channel in
      let due = preferences.dueTime(on: channel, priority: priority, readyAt: now)
      let reason: PlannedNotification.StatusReason? =
        // A withheld alert may be restored before its row is sent, but still on no channel that is
        // off.
        if !isReachable {
          .preferenceOff
        } else if let withheld {
          withheld
        } else {
          due == now ? nil : .quietHours
        }
      return PlannedNotification(
        kind: kind, recipient: recipient, member: member, alertStateID: alert, metric: metric,
        level: level, channel: channel, payload: payload, priority: priority, scheduledFor: due,
        expiresAt: due.adding(seconds: PlannedNotification.lifetimeSeconds), statusReason: reason,
        groupNight: groupNight)
    }
    rows._checkInvariants(readyAt: now)
    return rows
  }
}

public import Foundation
public import VigilModel

/// A notification before it becomes queue rows of its recipients.
public protocol NotificationForRecipients: Sendable {
  /// The person that the notification is about.
  var member: UUID { get }

  /// The queue rows for one recipient, one a channel.
  ///
  /// A recipient who has switched every channel off gets a skipped row for the app, so that the
  /// queue shows why they were not notified.
  ///
  /// - Parameters:
  ///   - recipient: The person who is notified.
  ///   - preferences: The channels and quiet hours of the recipient.
  ///   - policy: The channels and times of all notifications.
  ///   - now: When the rows are ready; they are due when the recipient may be notified.
  func planned(
    for recipient: UUID, preferring preferences: DeliveryPreferences, by policy: NotificationPolicy,
    at now: Timestamp
  ) -> [PlannedNotification]
}

/// The values that the rows of all recipients and channels share.
struct NotificationDraft {
  var kind: PlannedNotification.Kind
  var member: UUID
  var alert: UUID
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
        kind: kind, recipient: recipient, member: member, alertStateID: alert, level: level,
        channel: channel, payload: payload, priority: priority, scheduledFor: due,
        expiresAt: due.adding(seconds: PlannedNotification.lifetimeSeconds), statusReason: reason,
        groupNight: groupNight)
    }
    rows._checkInvariants(readyAt: now)
    return rows
  }
}

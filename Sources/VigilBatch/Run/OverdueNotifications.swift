import Foundation
import VigilAlerts
import VigilModel
import VigilStorage

/// Notifications of a run that were due before their release: they are due now, or when the recipient's quiet
/// hours end.
struct OverdueNotifications {
  private let run: UUID
  private let notifications: [OverdueNotification]
  private let profiles: [UUID: UserProfile]
  private let zones: ZoneCatalog

  /// - Parameters:
  ///   - shard: The shard that has planned them; nil for all of them.
  ///   - before: What was due before this instant is overdue.
  init(
    of run: UUID, shard: Int? = nil, before: Timestamp, in storage: any Storage, zones: ZoneCatalog
  ) throws {
    self.run = run
    self.zones = zones
    notifications = try storage.withRuns {
      try $0.overdue(of: run, shard: shard, at: before)
    }
    profiles =
      notifications.isEmpty
      ? [:] : try storage.makeReader().profiles(of: Array(Set(notifications.map(\.recipient))))
  }

  func reschedule(in runs: some RunTransaction, at now: Timestamp) throws {
    for notification in notifications {
      let preferences = DeliveryPreferences(profiles[notification.recipient], zones: zones)
      let due = preferences.dueTime(
        on: notification.channel, priority: notification.priority, readyAt: now)
      try runs.reschedule(
        notification, of: run, for: due,
        until: preferences.expiry(on: notification.channel, dueAt: due),
        because: Self.reason(of: notification, isLater: due != now))
    }
    try zones.requireNoFault()
  }

  /// Quiet hours are the reason exactly of what is due later; the other reasons stay.
  private static func reason(
    of notification: OverdueNotification, isLater: Bool
  ) -> PlannedNotification.StatusReason? {
    switch notification.statusReason {
    case nil, .quietHours: isLater ? .quietHours : nil
    case let reason?: reason
    }
  }
}

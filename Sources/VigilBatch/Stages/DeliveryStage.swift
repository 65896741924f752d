import Foundation
import VigilAlerts
import VigilDetection
import VigilModel

/// The last stage: makes queue rows for the recipients of notifications.
struct DeliveryStage {
  private let policy: NotificationPolicy
  private let startedAt: Timestamp
  private let zones: ZoneCatalog

  /// - Parameters:
  ///   - startedAt: When this process began; notifications are ready then.
  ///   - zones: The rules of the recipients' quiet hours.
  init(_ settings: NotifySettings, startedAt: Timestamp, zones: ZoneCatalog) {
    policy = NotificationPolicy(settings)
    self.startedAt = startedAt
    self.zones = zones
  }

  /// Returns one row for each recipient and channel; no two have the same key.
  func plan(
    _ notifications: [PatternAlertNotification], for audience: LoadedAudience
  ) -> [PlannedNotification] {
    let preferences = Dictionary(
      uniqueKeysWithValues: Set(audience.recipients.values.joined()).map {
        ($0, DeliveryPreferences(audience.profiles[$0], zones: zones))
      })
    let planned = notifications.flatMap { notification in
      let recipients = (audience.recipients[notification.member] ?? []).map {
        (id: $0, preferences: preferences[$0] ?? DeliveryPreferences(nil, zones: zones))
      }
      return notification.planned(for: recipients, by: policy, at: startedAt)
    }
    return Self.latest(of: planned)
  }

  /// A notification that is withheld on one day may be planned again on a later one: the later one counts.
  private static func latest(of planned: [PlannedNotification]) -> [PlannedNotification] {
    guard planned.contains(where: { $0.status == .skipped }) else { return planned }
    var keys: Set<String> = []
    return planned.reversed().filter { keys.insert($0.dedupeKey).inserted }.reversed()
  }
}

extension NotificationPolicy {
  init(_ settings: NotifySettings) {
    self.init(
      payloadDetail: settings.payloadDetail, groupsByRecipient: settings.groupsByRecipient)
  }
}

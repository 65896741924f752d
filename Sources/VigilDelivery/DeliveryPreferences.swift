public import VigilModel

/// The channels and times for notifying a recipient (specification, notifications.md section 3).
public struct DeliveryPreferences: Hashable, Sendable {
  /// The channels that are on, in the order of `PlannedNotification.Channel`.
  public var channels: [PlannedNotification.Channel]
  /// Nil where every hour is allowed.
  public var quietHours: QuietHours?
  public var quietHoursApplyToCritical: Bool

  /// Reads the preferences of a profile; recipients without one are notified in the app and by
  /// push.
  ///
  /// A time zone that is none counts as UTC.
  public init(_ profile: UserProfile?, zones: ZoneCatalog) {
    let isOn = Self.switches(of: profile)
    channels = PlannedNotification.Channel.allCases.filter(isOn.contains)
    quietHours = QuietHours(
      start: profile?.quietHoursStart ?? .tenInTheEvening,
      end: profile?.quietHoursEnd ?? .sevenInTheMorning,
      zone: profile?.timeZone.flatMap(zones.rules(of:)) ?? .utc)
    quietHoursApplyToCritical = profile?.quietHoursApplyToCritical ?? false
  }

  private static func switches(of profile: UserProfile?) -> Set<PlannedNotification.Channel> {
    guard let profile else { return [.inApp, .push] }
    var isOn: Set<PlannedNotification.Channel> = []
    if profile.notifyInApp ?? true { isOn.insert(.inApp) }
    if profile.notifyPush ?? false { isOn.insert(.push) }
    if profile.notifyEmail ?? false { isOn.insert(.email) }
    if profile.isChampion ?? false {
      if profile.championNotifyEmail ?? true { isOn.insert(.email) }
      if profile.championNotifySMS ?? false { isOn.insert(.sms) }
    }
    return isOn
  }

  /// Returns when a notification of this priority that is ready at `now` is due.
  public func dueTime(
    on channel: PlannedNotification.Channel, priority: PlannedNotification.Priority,
    readyAt now: Timestamp
  ) -> Timestamp {
    guard let quietHours, channel != .inApp,
      priority != .critical || quietHoursApplyToCritical
    else { return now }
    return quietHours.firstInstantOutside(from: now)
  }
}

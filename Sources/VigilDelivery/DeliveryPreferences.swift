public import VigilModel

/// On which channels somebody is told, and when (specification, notifications.md section 3).
public struct DeliveryPreferences: Hashable, Sendable {
  /// Those that are on, in the order of `PlannedNotification.Channel`.
  public var channels: [PlannedNotification.Channel]
  /// Nil where every hour will do.
  public var quietHours: QuietHours?
  public var quietHoursApplyToCritical: Bool

  /// What a profile comes to; somebody without one is told in the app and by push.
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

  /// When a notification of this priority is due that is ready at `now`.
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

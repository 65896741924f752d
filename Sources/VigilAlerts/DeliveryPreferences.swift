public import VigilModel

/// The channels and times for notifying a recipient (specification, notifications.md section 3).
public struct DeliveryPreferences: Hashable, Sendable {
  /// The channels that are on, in the order of `PlannedNotification.Channel`.
  public var channels: [PlannedNotification.Channel]
  /// Nil where every hour is allowed.
  public var quietHours: QuietHours?
  /// Nil where the recipient has no such hours.
  public var doNotDisturb: DoNotDisturb?
  /// Whether quiet hours, and hours in which the recipient is not disturbed, hold for critical notifications.
  public var quietHoursApplyToCritical: Bool

  /// Reads the preferences of a profile; recipients without one are notified in the app and by
  /// push.
  ///
  /// A time zone that is none counts as UTC.
  public init(_ profile: UserProfile?, zones: ZoneCatalog) {
    let isOn = Self.switches(of: profile)
    channels = PlannedNotification.Channel.allCases.filter(isOn.contains)
    let zone = profile?.timeZone.flatMap(zones.rules(of:)) ?? .utc
    quietHours = QuietHours(
      start: profile?.quietHoursStart ?? .tenInTheEvening,
      end: profile?.quietHoursEnd ?? .sevenInTheMorning, zone: zone)
    doNotDisturb = DoNotDisturb(profile?.doNotDisturb ?? [], zone: zone)
    quietHoursApplyToCritical = profile?.quietHoursApplyToCritical ?? false
  }

  /// The channels on which a notification of this priority is sent: some are for what cannot wait alone.
  public func channels(for priority: PlannedNotification.Priority) -> [PlannedNotification.Channel]
  {
    channels.filter { priority == .critical || !$0.isForUrgentOnly }
  }

  private static func switches(of profile: UserProfile?) -> Set<PlannedNotification.Channel> {
    guard let profile else { return [.inApp, .push] }
    var isOn: Set<PlannedNotification.Channel> = []
    for one in ChannelSwitch.allCases where !one.isOfChampions || profile.isChampion ?? false {
      if profile.switches[one] ?? one.isOnByDefault { isOn.insert(one.channel) }
    }
    return isOn
  }

  /// Returns when a notification of this priority that is ready at `now` is due.
  ///
  /// Where quiet hours and do-not-disturb leave no time at all, it is due after the time in which a notification
  /// expires: it waits so long for the recipient to change them.
  public func dueTime(
    on channel: PlannedNotification.Channel, priority: PlannedNotification.Priority,
    readyAt now: Timestamp
  ) -> Timestamp {
    guard channel != .inApp, priority != .critical || quietHoursApplyToCritical else { return now }
    return firstUndisturbedInstant(from: now)
      ?? now.adding(seconds: PlannedNotification.lifetimeSeconds)
  }

  /// Returns when a notification expires that is due then; nil in the app, where that is the only channel that is on.
  ///
  /// Nothing else reaches such a recipient: the row stays until it is read or has no reason any more.
  public func expiry(
    on channel: PlannedNotification.Channel, dueAt due: Timestamp
  ) -> Timestamp? {
    if channel == .inApp, channels == [.inApp] { return nil }
    return due.adding(seconds: PlannedNotification.lifetimeSeconds)
  }

  /// Nil where there is none within two weeks: weeks are alike but for changes of the clock.
  private func firstUndisturbedInstant(from now: Timestamp) -> Timestamp? {
    let horizon = now.adding(seconds: 15 * 24 * 3600)
    var instant = now
    while instant < horizon {
      let loud = quietHours?.firstInstantOutside(from: instant) ?? instant
      guard let doNotDisturb else { return loud }
      guard let next = doNotDisturb.firstInstantOutside(from: loud) else { return nil }
      if next == instant { return instant }
      instant = next
    }
    return nil
  }
}

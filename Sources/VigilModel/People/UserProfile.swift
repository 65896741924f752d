/// One row of `user_profiles`, with the rows of `do_not_disturb`.
///
/// A property is nil where its column is empty, which means its default (specification, notifications.md
/// section 3).
public struct UserProfile: Hashable, Sendable {
  /// An IANA name.
  public var timeZone: String?
  /// The switches that are not empty.
  public var switches: [ChannelSwitch: Bool]
  public var isChampion: Bool?
  public var quietHoursStart: TimeOfDay?
  public var quietHoursEnd: TimeOfDay?
  public var quietHoursApplyToCritical: Bool?
  /// Hours in which the person is not disturbed, besides the quiet hours, by the clock of `timeZone`.
  public var doNotDisturb: [WeeklyHours]

  public init(
    timeZone: String? = nil, switches: [ChannelSwitch: Bool] = [:], isChampion: Bool? = nil,
    quietHoursStart: TimeOfDay? = nil, quietHoursEnd: TimeOfDay? = nil,
    quietHoursApplyToCritical: Bool? = nil, doNotDisturb: [WeeklyHours] = []
  ) {
    self.timeZone = timeZone
    self.switches = switches
    self.isChampion = isChampion
    self.quietHoursStart = quietHoursStart
    self.quietHoursEnd = quietHoursEnd
    self.quietHoursApplyToCritical = quietHoursApplyToCritical
    self.doNotDisturb = doNotDisturb
  }

  /// The profile of a person without a row of `user_profiles`: in the app and by push.
  public static let withoutRow = UserProfile(switches: [.push: true])
}

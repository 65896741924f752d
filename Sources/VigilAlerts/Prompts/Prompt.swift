public import Foundation
public import VigilModel

/// A reason to notify that no night finds: a person has done something, or is about to miss something (specification,
/// notifications.md section 8).
public struct Prompt: Hashable, Sendable {
  public var kind: Kind
  /// The raised alert or the ping; of a reminder, an id made of the person and the interval; of a quota, one made of
  /// the person and the month.
  public var id: UUID
  /// The person that it is about.
  public var person: UUID
  /// When it is of no use any more; nil for the time in which other notifications expire.
  public var expiresAt: Timestamp?
  /// Of a reminder, when the interval of the check-in plan began; of a quota, when its month did; nil for others.
  public var intervalStart: Timestamp?
  /// The profile of the person; nil where they have none.
  public var profile: UserProfile?
  /// The other accepted members of the families in which the person has accepted, one for each family.
  public var members: [Member]

  public init(
    _ kind: Kind, id: UUID, about person: UUID, expiresAt: Timestamp? = nil,
    intervalStart: Timestamp? = nil, profile: UserProfile? = nil, members: [Member] = []
  ) {
    self.kind = kind
    self.id = id
    self.person = person
    self.expiresAt = expiresAt
    self.intervalStart = intervalStart
    self.profile = profile
    self.members = members
  }

  /// Makes the reminder of a check-in that has not come; nil where it is too early or too late for one.
  ///
  /// - Parameters:
  ///   - plan: The plan of the person, whose present interval begins at `startsAt`.
  ///   - person: The person.
  ///   - now: The present instant.
  public init?(remindingOf plan: CheckInPlan, _ person: UUID, at now: Timestamp) {
    let deadline = plan.deadline(after: nil)
    guard let reminder = plan.reminder(after: nil), reminder <= now, deadline > now else {
      return nil
    }
    self.init(
      .checkInReminder,
      id: UUID(name: "check_in_reminders:\(person.lowercased):\(plan.startsAt)"), about: person,
      expiresAt: deadline, intervalStart: plan.startsAt)
  }

  /// Makes the notification of a person who has had most of their text messages of a month.
  ///
  /// - Parameters:
  ///   - person: The person.
  ///   - month: Its first day, in UTC.
  public init(warningOfQuotaOf person: UUID, in month: Day) {
    self.init(
      .quotaWarning, id: UUID(name: "sms_quota_warnings:\(person.lowercased):\(month)"),
      about: person, expiresAt: month.firstOfNextMonth.midnight, intervalStart: month.midnight)
  }

  /// A member of a family of the person.
  public struct Member: Hashable, Sendable {
    public var user: UUID
    public var role: FamilyMember.Role
    /// Whether the person does not want this member to be notified.
    public var isExcluded: Bool
    /// Nil where the member has none.
    public var profile: UserProfile?

    public init(
      _ user: UUID, role: FamilyMember.Role, isExcluded: Bool = false, profile: UserProfile? = nil
    ) {
      self.user = user
      self.role = role
      self.isExcluded = isExcluded
      self.profile = profile
    }
  }

  /// The kind of a prompt, by its word in `notification_type` and `template_id`.
  public enum Kind: String, Sendable, CaseIterable {
    /// The person needs help, and asks the responders for it.
    case raisedAlert = "raised_alert"
    /// A member asks the person whether all is well.
    case ping
    /// A check-in of the person is due soon.
    case checkInReminder = "check_in_reminder"
    /// The person has had most of the text messages of a month.
    case quotaWarning = "quota_warning"

    /// Whether it comes with time alone, and no one waits for it: such prompts are looked for once a minute.
    public var isOfTheClock: Bool {
      switch self {
      case .raisedAlert, .ping: false
      case .checkInReminder, .quotaWarning: true
      }
    }

    /// The priority of its notifications; only a critical one may disturb quiet hours.
    public var priority: PlannedNotification.Priority {
      switch self {
      case .raisedAlert: .critical
      case .ping: .high
      case .checkInReminder, .quotaWarning: .normal
      }
    }

    /// Whether it is sent on a channel: who has few text messages left gets none about it.
    func isSent(on channel: PlannedNotification.Channel) -> Bool {
      self != .quotaWarning || !channel.isTelephone
    }
  }

  /// The persons who are notified, ascending by id and without duplicates.
  public var recipients: [(id: UUID, profile: UserProfile?)] {
    switch kind {
    case .ping, .checkInReminder, .quotaWarning: [(person, profile)]
    case .raisedAlert:
      Audience.responders(among: members).map { user in
        (user, members.first { $0.user == user }?.profile)
      }
    }
  }

  /// The rows of the queue: one for each recipient and channel.
  ///
  /// A recipient who has every channel off gets a skipped row for the app, so that the queue shows why they were not
  /// notified. A person whose raised alert reaches no one is notified of that: they must not wait for help.
  ///
  /// - Parameters:
  ///   - zones: The rules of the recipients' quiet hours.
  ///   - now: The present instant.
  public func notices(zones: ZoneCatalog, at now: Timestamp) -> [PromptNotice] {
    let notices = recipients.flatMap { self.notices(to: $0.id, $0.profile, zones: zones, at: now) }
    guard kind == .raisedAlert, !notices.contains(where: { $0.status == .pending }) else {
      return notices
    }
    return notices + self.notices(to: person, profile, zones: zones, at: now)
  }

  private func notices(
    to recipient: UUID, _ profile: UserProfile?, zones: ZoneCatalog, at now: Timestamp
  ) -> [PromptNotice] {
    let preferences = DeliveryPreferences(profile, zones: zones)
    let channels = preferences.channels(for: kind.priority).filter(kind.isSent)
    let isReachable = !channels.isEmpty
    return (isReachable ? channels : [.inApp]).map { channel in
      let due = preferences.dueTime(on: channel, priority: kind.priority, readyAt: now)
      var circumstances = DeliveryCircumstances(at: .planning)
      if !isReachable { circumstances.facts.insert(.isOff) }
      if due > now { circumstances.quietUntil = due }
      circumstances.expiresAt = expiresAt
      let outcome = DeliveryRules.outcome(of: .level, in: circumstances)
      return PromptNotice(
        of: self, to: recipient, on: channel, scheduledFor: due,
        expiresAt: expiresAt.map { max(due, $0) } ?? preferences.expiry(on: channel, dueAt: due),
        because: outcome.reason)
    }
  }
}

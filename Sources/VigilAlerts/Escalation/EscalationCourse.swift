public import Foundation
public import VigilModel

/// The calls about a level of an alert so far, and all that decides about the next one.
public struct EscalationCourse: Hashable, Sendable {
  public var subject: EscalationSubject
  /// The id of the alert.
  public var alert: UUID
  /// The person that the alert is about.
  public var person: UUID
  public var level: AlertLevel
  /// The choice of the person for the level; nil where the sender's settings hold.
  public var chosen: EscalationChoice?
  /// A reason such as `missed_dose`, which all calls of an alert share.
  public var type: String
  /// The calls about this level; those of step 0 are of a night.
  public var calls: [EscalationCall]
  /// The highest level with a call.
  public var highestLevel: AlertLevel
  public var state: AlertState
  /// Members that can be called upon, in any order; neither the person nor whom they have excluded.
  public var caregivers: [Caregiver]
  /// Contacts that the person has agreed to, in any order.
  public var contacts: [Contact]

  public init(
    subject: EscalationSubject, alert: UUID, person: UUID, level: AlertLevel, type: String,
    calls: [EscalationCall], highestLevel: AlertLevel? = nil, state: AlertState = AlertState(),
    caregivers: [Caregiver] = [], contacts: [Contact] = []
  ) {
    self.subject = subject
    self.alert = alert
    self.person = person
    self.level = level
    self.type = type
    self.calls = calls
    self.highestLevel = highestLevel ?? level
    self.state = state
    self.caregivers = caregivers
    self.contacts = contacts
  }

  /// The alert, as members and nights have left it.
  public struct AlertState: Hashable, Sendable {
    /// Whether it has ended or is gone.
    public var hasEnded: Bool
    public var isDismissed: Bool
    public var snoozedUntil: Day?
    public var acknowledgedAt: Timestamp?

    public init(
      hasEnded: Bool = false, isDismissed: Bool = false, snoozedUntil: Day? = nil,
      acknowledgedAt: Timestamp? = nil
    ) {
      self.hasEnded = hasEnded
      self.isDismissed = isDismissed
      self.snoozedUntil = snoozedUntil
      self.acknowledgedAt = acknowledgedAt
    }
  }

  public struct Caregiver: Hashable, Sendable {
    public var user: UUID
    /// Nil comes after every number.
    public var priority: Int?
    /// Nil where the caregiver has none.
    public var profile: UserProfile?
    /// Empty where the caregiver can always be called upon.
    public var hours: [WeeklyHours]

    public init(
      _ user: UUID, priority: Int? = nil, profile: UserProfile? = nil, hours: [WeeklyHours] = []
    ) {
      self.user = user
      self.priority = priority
      self.profile = profile
      self.hours = hours
    }
  }

  /// A row of `emergency_contacts`, without its address.
  public struct Contact: Hashable, Sendable {
    public var id: UUID
    public var priority: Int
    public var channel: PlannedNotification.Channel

    public init(_ id: UUID, priority: Int, channel: PlannedNotification.Channel) {
      self.id = id
      self.priority = priority
      self.channel = channel
    }
  }
}

/// One row of `escalation_log` about an alert.
public struct EscalationCall: Hashable, Sendable {
  public var recipient: Recipient
  public var step: Int
  public var status: Status
  public var triggeredAt: Timestamp
  /// Until when an answer counts.
  public var expiresAt: Timestamp

  public init(
    _ recipient: Recipient, step: Int = 0, status: Status = .pending, triggeredAt: Timestamp,
    expiresAt: Timestamp
  ) {
    self.recipient = recipient
    self.step = step
    self.status = status
    self.triggeredAt = triggeredAt
    self.expiresAt = expiresAt
  }

  /// An answer counts for this long after the last channel of a call is due.
  public static let lifetimeSeconds: Int64 = 4 * 3600

  /// When the last of its channels was due.
  public var dueAt: Timestamp { expiresAt.adding(seconds: -Self.lifetimeSeconds) }

  public enum Recipient: Hashable, Sendable {
    /// A member of the family; of step 0 also the person.
    case member(UUID)
    case contact(UUID)
  }

  /// The state of a call.
  public enum Status: String, Sendable, CaseIterable {
    /// The call is enqueued and has not been sent by any channel.
    case pending
    /// A sender has reached the recipient by at least one channel; the window runs.
    case notified
    /// A member has acknowledged the alert; the action closes all its open calls, or a sender does later.
    case acknowledged
    /// The alert has ended or was dismissed before an answer came; a run, the action or a sender closes the call.
    case resolved
    /// No answer came: a run closes what is past `expiresAt`, and a sender what it has followed by a next step.
    case expired
  }
}

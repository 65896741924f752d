public import VigilModel

/// The stored facts that decide about a row when it is about to be sent.
public struct ClaimCircumstances: Hashable, Sendable {
  /// Nil where the recipient has none.
  public var profile: UserProfile?
  /// Whether the person has excluded the recipient.
  public var isExcluded: Bool
  /// Whether the recipient is the person, or an administrator of a family of theirs; both have accepted.
  public var isRecipient: Bool
  /// The alert, or those of a group, the gravest first; empty for another subject.
  public var alerts: [AlertSettings]
  /// Deliveries to the recipient in the counted time that were not critical, and those that other senders are
  /// making.
  public var deliveries: Int
  /// Of these, the time of the first that was made; nil for none.
  public var firstDelivery: Timestamp?

  public init(
    profile: UserProfile? = nil, isExcluded: Bool = false, isRecipient: Bool = true,
    alerts: [AlertSettings] = [], deliveries: Int = 0, firstDelivery: Timestamp? = nil
  ) {
    self.profile = profile
    self.isExcluded = isExcluded
    self.isRecipient = isRecipient
    self.alerts = alerts
    self.deliveries = deliveries
    self.firstDelivery = firstDelivery
  }

  /// The present state of an alert, as members and nights have left it.
  public struct AlertSettings: Hashable, Sendable {
    public var isDismissed: Bool
    public var snoozedUntil: Day?
    /// Whether all alerts of its event have ended.
    public var hasEnded: Bool

    public init(isDismissed: Bool = false, snoozedUntil: Day? = nil, hasEnded: Bool = false) {
      self.isDismissed = isDismissed
      self.snoozedUntil = snoozedUntil
      self.hasEnded = hasEnded
    }
  }
}

/// A place at which a recipient is reached.
public struct DeliveryAddress: Hashable, Sendable {
  /// An e-mail address, a telephone number or a push token.
  public var address: String
  /// `apns` or `fcm`; nil for what is no push token.
  public var platform: String?
  /// Nil where the recipient has not chosen one.
  public var language: String?

  public init(_ address: String, platform: String? = nil, language: String? = nil) {
    self.address = address
    self.platform = platform
    self.language = language
  }
}

/// The rows that wait for a sender.
public struct DispatchBacklog: Hashable, Sendable {
  /// The number of due rows, up to a limit.
  public var due: Int
  /// Since when the oldest is due; nil where none is.
  public var oldestDue: Timestamp?

  public init(due: Int = 0, oldestDue: Timestamp? = nil) {
    self.due = due
    self.oldestDue = oldestDue
  }
}

/// One row of `notification_queue` or `shadow_notification_queue`, before delivery begins.
public struct PlannedNotification: Hashable, Sendable {
  public var kind: Kind
  public var recipient: UUID
  /// The person that the alert is about.
  public var member: UUID
  /// The alert; for a group, its gravest alert.
  public var alertStateID: UUID
  /// The metric of the alert; nil where its text does not depend on it.
  public var metric: MetricType?
  /// The level to notify of, or the level that the alert had when it ended.
  public var level: AlertLevel
  public var channel: Channel
  /// JSON that follows the schema of notifications.md section 4.
  public var payload: String
  public var priority: Priority
  public var scheduledFor: Timestamp
  /// When it is too late to send; nil for a row of the app alone, which stays until it is read or has no reason any more.
  public var expiresAt: Timestamp?
  public var maxAttempts: Int
  /// The reason why it is not sent, or not at once.
  public var statusReason: StatusReason?
  /// The night whose group it may join; nil for a notification that is sent by itself.
  public var groupNight: Day?

  public init(
    kind: Kind = .patternAlert, recipient: UUID, member: UUID, alertStateID: UUID,
    metric: MetricType? = nil, level: AlertLevel, channel: Channel, payload: String,
    priority: Priority,
    scheduledFor: Timestamp, expiresAt: Timestamp?, maxAttempts: Int = 3,
    statusReason: StatusReason? = nil, groupNight: Day? = nil
  ) {
    self.kind = kind
    self.recipient = recipient
    self.member = member
    self.alertStateID = alertStateID
    self.metric = metric
    self.level = level
    self.channel = channel
    self.payload = payload
    self.priority = priority
    self.scheduledFor = scheduledFor
    self.expiresAt = expiresAt
    self.maxAttempts = maxAttempts
    self.statusReason = statusReason
    self.groupNight = groupNight
  }

  /// Queue rows expire this long after they are due.
  public static let lifetimeSeconds: Int64 = 24 * 3600

  /// The key of which one row at most is sent: alert, recipient, channel and level.
  ///
  /// The member leads, so that a run, which goes from person to person, appends to the index of
  /// the keys instead of touching all of it.
  public var dedupeKey: String {
    let alert = "\(member.lowercased):\(alertStateID.lowercased)"
    let address = "\(recipient.lowercased):\(channel.rawValue)"
    return switch kind {
    case .patternAlert: "\(alert):\(address):\(level.rawValue)"
    case .patternRecovery: "\(alert):\(address):recovered"
    case .patternAlertGroup(let night, let members):
      "group:\(address):\(night):\(members.lowercased)"
    }
  }

  /// UUIDv5 of the dedupe key, the same in shadow and live.
  public var id: UUID { UUID(name: "notification_queue:\(dedupeKey)") }

  /// The id of its row of `escalation_log`, which is one for an alert, level and recipient on all
  /// channels; nil for a recovery and a group.
  public var escalationID: UUID? {
    guard kind == .patternAlert else { return nil }
    return UUID(
      name: "escalation_log:\(alertStateID.lowercased):\(recipient.lowercased):\(level.rawValue)")
  }

  /// The id of the text that the app shows; the app has the texts.
  public var templateID: String { kind.templateID(level, of: metric) }

  /// The status of the row when it is enqueued.
  public var status: Status { Status(enqueuedBecauseOf: statusReason) }

  public enum Kind: Hashable, Sendable {
    /// An alert has reached a level.
    case patternAlert
    /// An alert that was notified has ended because the person is back at their baseline.
    case patternRecovery
    /// Several alerts of one night for one recipient.
    ///
    /// - members: UUIDv5 of the keys of the notifications that it replaces.
    case patternAlertGroup(night: Day, members: UUID)

    public var notificationType: String {
      switch self {
      case .patternAlert: "pattern_alert"
      case .patternRecovery: "pattern_recovery"
      case .patternAlertGroup: "pattern_alert_group"
      }
    }

    /// The id of the text that the app shows for an alert.
    ///
    /// An alert about a medication deviates from nothing: its texts are named after its metric.
    public func templateID(_ level: AlertLevel, of metric: MetricType? = nil) -> String {
      switch self {
      case .patternAlert:
        (metric.flatMap { MetricType.ofMedications.contains($0) ? $0.rawValue : nil }
          ?? "pattern_alert") + ".level_\(level.rawValue)"
      case .patternRecovery: "pattern_alert.recovered"
      case .patternAlertGroup: "pattern_alert.group"
      }
    }
  }

  public enum Priority: String, Sendable, Codable, CaseIterable {
    case low
    case normal
    case high
    case critical
  }

  /// The state of a row.
  public enum Status: String, Sendable, Codable, CaseIterable {
    /// A run enqueues it so, and a sender puts it back for another try.
    case pending
    /// A sender has taken it and holds it until its lease ends.
    case processing
    /// A sender has got the provider's acceptance.
    case sent
    /// A sender has given up: the provider refused it for good, or its tries are used up.
    case failed
    /// It was pending, and is no longer to be sent: a run, a sender, a member's action or an operator says so,
    /// with the reason.
    case cancelled
    /// It was never to be sent: a run enqueues it so, with the reason.
    case skipped

    /// The status of a row that is enqueued with a reason, or without one.
    public init(enqueuedBecauseOf reason: StatusReason?) {
      self =
        switch reason {
        case nil, .quietHours: .pending
        case .snoozed, .dismissed, .covered, .excluded, .preferenceOff, .superseded, .resolved,
          .expired, .grouped, .notRecipient, .rateLimited, .monthlyQuota, .operator:
          .skipped
        }
    }
  }

  /// The reason why a row is not sent, or not at once.
  ///
  /// Runs set it when they enqueue a row, and senders when a row is due, both by `DeliveryCircumstances`; what
  /// only one of them or another party sets says so.
  public enum StatusReason: String, Sendable, Codable, CaseIterable {
    /// It is pending, and not due before the recipient's quiet hours end.
    case quietHours = "quiet_hours"
    /// A member has snoozed the alert; later nights notify if its level is still higher than
    /// notified. The member's action sets it on rows that are pending then.
    case snoozed
    /// A member has dismissed the alert. The member's action sets it on rows that are pending then.
    case dismissed
    /// The alert is about a medication of a person of whom an alert about all doses is active.
    case covered
    /// The person has excluded the recipient, after it was planned.
    case excluded
    /// The recipient has switched every channel off.
    case preferenceOff = "preference_off"
    /// A higher level of the same alert, or a lower one that late data have brought about,
    /// has taken its place: the run that plans that one sets it.
    case superseded
    /// The alert had ended.
    case resolved
    /// It was not sent in time.
    case expired
    /// A run has merged it into a group notification.
    case grouped
    /// The recipient is no administrator of a family of the person any more.
    case notRecipient = "not_recipient"
    /// A sender found that the recipient has been notified as often as a day allows.
    case rateLimited = "rate_limited"
    /// A sender found that the recipient has had as many text messages as a month allows.
    case monthlyQuota = "monthly_quota"
    /// An operator has cancelled it (`vigil queue cancel`).
    case `operator`

    /// Whether a row that was skipped gives way to the same one where that goes out later, as the reason may pass.
    public var isReplaceable: Bool {
      switch self {
      case .snoozed, .dismissed, .covered, .preferenceOff, .superseded, .resolved: true
      case .quietHours, .excluded, .expired, .grouped, .notRecipient, .rateLimited, .monthlyQuota,
        .operator:
        false
      }
    }

    /// Whether an operator may have a cancelled row sent after all (`vigil queue retry`).
    ///
    /// A row with another reason has a newer one in its place, is of an alert that has ended, or is not wanted by a member.
    public var isRetriable: Bool {
      switch self {
      case .expired, .rateLimited, .monthlyQuota, .operator: true
      case .quietHours, .snoozed, .dismissed, .covered, .excluded, .preferenceOff, .superseded,
        .resolved, .grouped, .notRecipient:
        false
      }
    }
  }
}

public import Foundation

/// One row of `notification_queue` or `shadow_notification_queue`, before delivery begins.
public struct PlannedNotification: Hashable, Sendable {
  public var kind: Kind
  public var recipient: UUID
  /// Whom the alert is about.
  public var member: UUID
  /// The alert; of a group the gravest of its alerts.
  public var alertStateID: UUID
  /// The level that is told, or that the alert had when it ended.
  public var level: AlertLevel
  public var channel: Channel
  /// JSON, as the schema of notifications.md section 4 has it.
  public var payload: String
  public var priority: Priority
  public var scheduledFor: Timestamp
  public var expiresAt: Timestamp
  public var maxAttempts: Int
  /// Why it does not go out, or not at once.
  public var statusReason: StatusReason?
  /// The night whose group it may join; nil where it goes out by itself.
  public var groupNight: Day?

  public init(
    kind: Kind = .patternAlert, recipient: UUID, member: UUID, alertStateID: UUID,
    level: AlertLevel, channel: Channel, payload: String, priority: Priority,
    scheduledFor: Timestamp, expiresAt: Timestamp, maxAttempts: Int = 3,
    statusReason: StatusReason? = nil, groupNight: Day? = nil
  ) {
    self.kind = kind
    self.recipient = recipient
    self.member = member
    self.alertStateID = alertStateID
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

  /// What can be sent only once: alert, recipient, channel and level.
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

  /// The id of the row of `escalation_log` that goes with it: one an alert, level and caregiver, on
  /// whatever channels; nil where nobody but the person is told.
  public var escalationID: UUID? {
    guard kind == .patternAlert, recipient != member else { return nil }
    return UUID(
      name: "escalation_log:\(alertStateID.lowercased):\(recipient.lowercased):\(level.rawValue)")
  }

  /// Which text the app shows; the texts are the app's.
  public var templateID: String { kind.templateID(level) }

  /// How it lies in its queue to begin with.
  public var status: Status {
    switch statusReason {
    case nil, .quietHours: .pending
    case .snoozed, .dismissed, .excluded, .preferenceOff, .superseded, .resolved, .expired,
      .grouped:
      .skipped
    }
  }

  public enum Kind: Hashable, Sendable {
    /// An alert has reached a level.
    case patternAlert
    /// An alert that was told has ended because the person is back at their baseline.
    case patternRecovery
    /// Several alerts of one night for one recipient.
    ///
    /// - members: UUIDv5 of the keys of what it stands for.
    case patternAlertGroup(night: Day, members: UUID)

    public var notificationType: String {
      switch self {
      case .patternAlert: "pattern_alert"
      case .patternRecovery: "pattern_recovery"
      case .patternAlertGroup: "pattern_alert_group"
      }
    }

    /// Which text the app shows for an alert of `level`.
    public func templateID(_ level: AlertLevel) -> String {
      switch self {
      case .patternAlert: "pattern_alert.level_\(level.rawValue)"
      case .patternRecovery: "pattern_alert.recovered"
      case .patternAlertGroup: "pattern_alert.group"
      }
    }
  }

  public enum Channel: String, Sendable, Codable, CaseIterable {
    case push
    case whatsapp
    case sms
    case email
    case inApp = "in_app"
  }

  public enum Priority: String, Sendable, Codable, CaseIterable {
    case low
    case normal
    case high
    case critical
  }

  /// What becomes of a row; all but `pending`, `skipped` and `cancelled` is the sender's to set.
  public enum Status: String, Sendable, Codable, CaseIterable {
    case pending
    case processing
    case sent
    case failed
    /// It was pending, and is not to be sent any more.
    case cancelled
    /// It was never to be sent.
    case skipped
  }

  /// Why a row is not sent, or not at once.
  public enum StatusReason: String, Sendable, Codable, CaseIterable {
    /// Pending, but not before the recipient's quiet hours end.
    case quietHours = "quiet_hours"
    /// Somebody has snoozed the alert; it is told after that if its level is still higher than told.
    case snoozed
    case dismissed
    /// The person has excluded the recipient, after it was planned.
    case excluded
    /// The recipient has switched every channel off.
    case preferenceOff = "preference_off"
    /// A higher level of the same alert, or a lower one that late data have brought about.
    case superseded
    /// The alert had ended.
    case resolved
    /// Nobody sent it in time.
    case expired
    /// Another row tells it together with others.
    case grouped
  }
}

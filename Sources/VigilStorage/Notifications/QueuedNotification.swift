public import Foundation
public import VigilModel

/// One row of `notification_queue` or `shadow_notification_queue`, with its outcome.
public struct QueuedNotification: Hashable, Sendable {
  public var id: UUID
  public var recipient: UUID
  /// The person that it is about.
  public var member: UUID
  /// The alert; for a group, its gravest alert; nil for a prompt.
  public var alertStateID: UUID?
  /// `PlannedNotification.Kind.notificationType`.
  public var type: String
  public var templateID: String
  public var channel: PlannedNotification.Channel
  /// JSON that follows the schema of notifications.md section 4.
  public var payload: String
  public var priority: PlannedNotification.Priority
  public var scheduledFor: Timestamp
  /// Nil for a row of the app alone.
  public var expiresAt: Timestamp?
  public var status: PlannedNotification.Status
  /// The reason why it is not sent, or not at once.
  public var statusReason: PlannedNotification.StatusReason?
  /// The row of the group that it was merged into.
  public var groupID: UUID?
  /// The night whose group it might join.
  public var groupNight: Day?
  public var attempts: Int
  public var maxAttempts: Int
  public var lastAttemptAt: Timestamp?
  /// The reason why the last attempt failed, as a code such as `http_503`.
  public var lastError: String?
  public var sentAt: Timestamp?
  /// When the app first had a row of its own; nil for other channels.
  public var deliveredAt: Timestamp?
  /// When the recipient first read a row of the app.
  public var readAt: Timestamp?
  public var dedupeKey: String
  /// The run that planned it, the call of an escalation, or the prompt.
  public var runID: UUID
  public var createdAt: Timestamp
  public var updatedAt: Timestamp

  public init(
    id: UUID, recipient: UUID, member: UUID, alertStateID: UUID?, type: String,
    templateID: String, channel: PlannedNotification.Channel,
    payload: String, priority: PlannedNotification.Priority, scheduledFor: Timestamp,
    expiresAt: Timestamp?, status: PlannedNotification.Status,
    statusReason: PlannedNotification.StatusReason? = nil, groupID: UUID? = nil,
    groupNight: Day? = nil, attempts: Int = 0, maxAttempts: Int = 3,
    lastAttemptAt: Timestamp? = nil, lastError: String? = nil, sentAt: Timestamp? = nil,
    deliveredAt: Timestamp? = nil, readAt: Timestamp? = nil, dedupeKey: String, runID: UUID,
    createdAt: Timestamp, updatedAt: Timestamp
  ) {
    self.id = id
    self.recipient = recipient
    self.member = member
    self.alertStateID = alertStateID
    self.type = type
    self.templateID = templateID
    self.channel = channel
    self.payload = payload
    self.priority = priority
    self.scheduledFor = scheduledFor
    self.expiresAt = expiresAt
    self.status = status
    self.statusReason = statusReason
    self.groupID = groupID
    self.groupNight = groupNight
    self.attempts = attempts
    self.maxAttempts = maxAttempts
    self.lastAttemptAt = lastAttemptAt
    self.lastError = lastError
    self.sentAt = sentAt
    self.deliveredAt = deliveredAt
    self.readAt = readAt
    self.dedupeKey = dedupeKey
    self.runID = runID
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

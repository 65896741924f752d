import VigilModel
import VigilStorage

/// The row of a `QueuedNotification` in a queue.
enum NotificationRow {
  /// In the order in which `decode` reads them.
  static let columns = [
    "id", "recipient_user_id", "member_user_id", "alert_state_id", "notification_type",
    "template_id", "channel", "payload", "priority", "scheduled_for", "expires_at", "status",
    "status_reason", "group_id", "group_night", "attempts", "max_attempts", "last_attempt_at",
    "last_error", "sent_at", "delivered_at", "read_at", "dedupe_key", "run_id", "created_at",
    "updated_at",
  ]

  static func decode(_ row: inout some RowReader) throws -> QueuedNotification {
    return try QueuedNotification(
      id: row.uuid(), recipient: row.uuid(), member: row.uuid(), alertStateID: row.uuidIfPresent(),
      type: row.text(), templateID: row.text(), channel: row.word(), payload: row.json(),
      priority: row.word(), scheduledFor: row.timestamp(), expiresAt: row.timestampIfPresent(),
      status: row.word(), statusReason: row.wordIfPresent(), groupID: row.uuidIfPresent(),
      groupNight: row.dayIfPresent(), attempts: row.count(), maxAttempts: row.count(),
      lastAttemptAt: row.timestampIfPresent(), lastError: row.textIfPresent(),
      sentAt: row.timestampIfPresent(), deliveredAt: row.timestampIfPresent(),
      readAt: row.timestampIfPresent(), dedupeKey: row.text(), runID: row.uuid(),
      createdAt: row.timestamp(), updatedAt: row.timestamp())
  }
}

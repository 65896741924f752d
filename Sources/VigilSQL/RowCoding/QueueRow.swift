public import VigilModel
public import VigilStorage

/// The row of a `PlannedNotification` in its queue; `put` goes through the columns in their order.
public enum QueueRow {
  /// The columns that a run fills besides `status` and `group_id`; the others belong to the sender
  /// and have defaults.
  public static let columns = [
    "id", "recipient_user_id", "member_user_id", "alert_state_id", "notification_type",
    "template_id", "level", "channel", "payload", "priority", "scheduled_for", "expires_at",
    "max_attempts", "status_reason", "group_night", "dedupe_key", "run_id", "created_at",
    "updated_at",
  ]

  /// The columns of a row in the queue of shadow runs.
  static let shadowColumns = columns + ["status"]

  /// The columns that change where a notification replaces a row.
  static let updates = (columns + ["status", "group_id"]).filter {
    !["id", "dedupe_key", "created_at"].contains($0)
  }

  /// - Parameters:
  ///   - notification: The values of the row.
  ///   - batch: The batch that the notification is part of.
  ///   - row: Takes the values.
  public static func put(
    _ notification: PlannedNotification, of batch: BatchWrite, into row: some RowWriter
  ) {
    row.put(notification.id)
    row.put(notification.recipient)
    row.put(notification.member)
    row.put(notification.alertStateID)
    row.put(notification.kind.notificationType)
    row.put(notification.templateID)
    row.put(notification.level.rawValue)
    row.put(notification.channel.rawValue)
    row.put(json: notification.payload)
    row.put(notification.priority.rawValue)
    row.put(notification.scheduledFor)
    row.put(notification.expiresAt)
    row.put(notification.maxAttempts)
    row.put(notification.statusReason?.rawValue)
    row.put(notification.groupNight)
    row.put(notification.dedupeKey)
    row.put(batch.runID)
    row.put(batch.writtenAt)
    row.put(batch.writtenAt)
  }
}

public import VigilModel

/// How a `PlannedNotification` lies in its queue: `put` goes through the columns in their order.
public enum QueueRow {
  /// Those that a run fills; the others belong to the sender and have defaults.
  public static let columns = [
    "id", "recipient_user_id", "member_user_id", "alert_state_id", "notification_type",
    "template_id", "channel", "payload", "priority", "scheduled_for", "expires_at",
    "max_attempts", "dedupe_key", "run_id", "created_at", "updated_at",
  ]

  /// - Parameter batch: The batch that the notification is part of.
  public static func put(
    _ notification: PlannedNotification, of batch: BatchWrite, into row: some RowWriter
  ) {
    row.put(notification.id)
    row.put(notification.recipient)
    row.put(notification.member)
    row.put(notification.alertStateID)
    row.put(notification.notificationType)
    row.put(notification.templateID)
    row.put(notification.channel.rawValue)
    row.put(json: notification.payload)
    row.put(notification.priority.rawValue)
    row.put(notification.scheduledFor)
    row.put(notification.expiresAt)
    row.put(notification.maxAttempts)
    row.put(notification.dedupeKey)
    row.put(batch.runID)
    row.put(batch.writtenAt)
    row.put(batch.writtenAt)
  }
}

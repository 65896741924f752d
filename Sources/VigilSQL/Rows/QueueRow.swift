public import VigilModel
public import VigilStorage

/// How a `PlannedNotification` lies in its queue: `put` goes through the columns in their order.
public enum QueueRow {
  /// Those that a run fills besides `status` and `group_id`; the others belong to the sender and have
  /// defaults.
  public static let columns = [
    "id", "recipient_user_id", "member_user_id", "alert_state_id", "notification_type",
    "template_id", "level", "channel", "payload", "priority", "scheduled_for", "expires_at",
    "max_attempts", "status_reason", "group_night", "dedupe_key", "run_id", "created_at",
    "updated_at",
  ]

  /// - Parameter batch: The batch that the notification is part of.
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

  /// Whether a row was skipped for a reason that may pass, as SQL.
  static func canBeReplaced(_ row: String) -> String {
    """
    (\(row).status = 'skipped'
      AND \(row).status_reason IN (
        'snoozed', 'dismissed', 'preference_off', 'superseded', 'resolved'
      ))
    """
  }

  /// What becomes of a row of `queue` whose key comes again, as SQL writes it after `ON CONFLICT`: what
  /// was never to be sent gives way to what is, by itself or in a group.
  static func replacement(in queue: String) -> String {
    let updates = (columns + ["status", "group_id"])
      .filter { !["id", "dedupe_key", "created_at"].contains($0) }
      .map { "\($0) = excluded.\($0)" }
    return """
      DO UPDATE SET \(updates.joined(separator: ", "))
      WHERE \(canBeReplaced(queue))
        AND (excluded.status = 'pending' OR excluded.group_id IS NOT NULL)
      """
  }
}

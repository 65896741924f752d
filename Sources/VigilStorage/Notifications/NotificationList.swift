/// What `vigil queue` lists.
public enum NotificationList: String, Sendable {
  case live = "notification_queue"
  case shadow = "shadow_notification_queue"
  /// What live runs hold until a person decides.
  case held = "held_notifications"

  /// The rows as they stand after `FROM`, with the columns of a queue.
  var rows: String {
    switch self {
    case .live, .shadow: "{{schema}}.\(rawValue)"
    case .held:
      """
      (
        SELECT held.*, 0 AS attempts, NULL AS last_attempt_at, NULL AS last_error, NULL AS sent_at,
          CASE WHEN \(HeldNotifications.wouldBeSent) THEN 'pending' ELSE 'skipped' END AS status
        FROM {{schema}}.\(HeldNotifications.table) AS held
        JOIN {{schema}}.run_shards AS part ON part.run_id = held.run_id AND part.shard = held.shard
        WHERE \(HeldNotifications.isWaiting)
      ) AS waiting
      """
    }
  }
}

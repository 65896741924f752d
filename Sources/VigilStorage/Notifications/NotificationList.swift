/// The rows that `vigil queue` lists.
public enum NotificationList: String, Sendable {
  case live = "notification_queue"
  case shadow = "shadow_notification_queue"
  /// Rows of live runs that wait for an operator's decision.
  case held = "held_notifications"
}

/// The queue that planned notifications go to.
public enum DeliveryQueue: String, Sendable {
  case live = "notification_queue"
  case shadow = "shadow_notification_queue"
}

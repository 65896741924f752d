/// The queues and the escalations.
///
/// The SQL is in `Statements/queue.sql`, `notifications.sql` and `ended.sql`.
public enum QueueStatement: String, StatementName {
  case cancelResolvedNotifications
  case expireNotifications
  case listNotifications
  case countNotifications
  case countReadNotifications
  case listShadowNotifications
  case countShadowNotifications
  case listWaitingNotifications
  case countWaitingNotifications
  case expireEscalations
  case resolveEscalations

  public static let files = StatementFiles([
    PackageResources.queue_sql, PackageResources.notifications_sql, PackageResources.ended_sql,
  ])
}

/// The queues and the escalations.
///
/// The SQL is in `Statements/queue.sql`.
public enum QueueStatement: String, StatementName {
  case cancelResolvedNotifications
  case expireNotifications
  case cancelNotificationsOfAlert
  case listGroupsOfAlert
  case cancelGroup
  case restoreNotificationsOfAlert
  case listNotifications
  case countNotifications
  case listShadowNotifications
  case countShadowNotifications
  case listWaitingNotifications
  case countWaitingNotifications
  case expireEscalations
  case resolveEscalations
  case acknowledgeEscalationsOfAlert
  case resolveEscalationsOfAlert

  public static func files(for dialect: SQLDialect) -> [String] {
    [PackageResources.queue_sql]
  }
}

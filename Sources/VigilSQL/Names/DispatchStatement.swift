/// The queue as a sender sees it.
///
/// The SQL is in `Statements/dispatch.sql`, `dispatch.sqlite.sql`, `dispatch.postgres.sql` and `ended.sql`.
public enum DispatchStatement: String, StatementName {
  case claimNotifications
  case listDueNotifications
  case listRecipientSettings
  case listAlertSettings
  case countDeliveries
  case listContactPoints
  case listPushTokens
  case revokePushToken
  case notePushTokenUsed
  case notePushTokenRefused
  case countMessages
  case lockMessages
  case logMessage
  case settleMessage
  case putMessageAllowance
  case endMessageAllowance
  case holdNotifications
  case renewLeases
  case settleSent
  case settleOther
  case takeBackLeases
  case cancelInApp
  case findBacklog
  case listChannelRests
  case putChannelRest
  case endChannelRest
  case endRestOfNotification
  case countDeadLetters
  case findNewestRun
  case retryNotification
  case cancelNotification
  case findNotificationStatus
  case findSendingState

  public static let files = StatementFiles(
    [PackageResources.dispatch_sql, PackageResources.ended_sql],
    sqlite: PackageResources.dispatch_sqlite_sql, postgres: PackageResources.dispatch_postgres_sql)
}

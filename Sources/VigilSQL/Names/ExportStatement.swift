/// Results that are read batch after batch.
///
/// The SQL is in `Statements/export.sql`, `export.sqlite.sql`, `export.postgres.sql` and `notifications.sql`.
public enum ExportStatement: String, StatementName {
  case listPersonsWithAlerts
  case listPersonsWithInsights
  case listPersonsWithScores
  case listPersonsWithDoseAnalytics
  case listDoseAnalyticsEndingIn
  case listNotificationsAfter
  case listShadowNotificationsAfter
  case listWaitingNotificationsAfter

  public static let files = StatementFiles(
    [PackageResources.export_sql, PackageResources.notifications_sql],
    sqlite: PackageResources.export_sqlite_sql, postgres: PackageResources.export_postgres_sql)
}

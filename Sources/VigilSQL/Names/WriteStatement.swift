/// The rows that a run writes for one batch of persons.
///
/// SQLite writes them one by one; PostgreSQL takes them from the table in which they are staged. The SQL is
/// in `Statements/write.sql`, `write.sqlite.sql` and `write.postgres.sql`.
public enum WriteStatement: String, StatementName {
  case putAlertStates
  case putHeldNotifications
  case putShadowNotifications
  case putScheduleVersions
  case putDoseAnalytics
  case removeOtherDoseAnalytics
  case removeScores
  case putTrendCoverages
  case putInsights
  case retractOtherInsights
  case retractCooccurrences
  case retractOtherCooccurrences

  public static let files = StatementFiles(
    [PackageResources.write_sql],
    sqlite: PackageResources.write_sqlite_sql, postgres: PackageResources.write_postgres_sql)
}

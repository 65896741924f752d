/// Rows to prune.
///
/// The SQL is in `Statements/prune.sql`, `prune.sqlite.sql`, `prune.postgres.sql` and `ended.sql`.
public enum PruneStatement: String, StatementName {
  case listEndedNotifications
  case countEndedNotifications
  case countExpiredNotifications
  case listEndedShadowNotifications
  case countEndedShadowNotifications
  case listRunsToPrune
  case findAbandonedRun
  case countPrunableMessages
  case removeMessages
  case countPrunableMeasures
  case removeMeasures
  case countPrunableCalls
  case listPrunableCalls
  case removeCalls
  case countPrunableHeld
  case countPrunableCheckpoints
  case countPrunableReleased
  case removeHeldNotifications
  case rememberSpentNotifications
  case removeEndedNotifications
  case removeShadowNotifications

  public static let files = StatementFiles(
    [PackageResources.prune_sql, PackageResources.ended_sql],
    sqlite: PackageResources.prune_sqlite_sql, postgres: PackageResources.prune_postgres_sql)
}

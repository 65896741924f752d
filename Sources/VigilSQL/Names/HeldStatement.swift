/// Notifications of live runs that wait for a decision, and groups of them.
///
/// The SQL is in `Statements/held.sql`, `held.sqlite.sql` and `held.postgres.sql`.
public enum HeldStatement: String, StatementName {
  case countHeldAndReleased
  case countReleased
  case countPersonsReleased
  case decideHeldNotifications
  case enqueueDecidedNotifications
  case supersedeLowerLevels
  case markDecidedAsNotified
  case supersedeNotifiedLevels
  case listOverdueNotifications
  case rescheduleNotification
  case countDiscardedNotifications
  case listRunsWaitingForDecision
  case listReleasedToGroup
  case listShadowToGroup
  case insertReleasedGroup
  case insertShadowGroup
  case joinReleasedGroup
  case joinShadowGroup
  case logEscalations

  public static let files = StatementFiles(
    [PackageResources.held_sql],
    sqlite: PackageResources.held_sqlite_sql, postgres: PackageResources.held_postgres_sql)
}

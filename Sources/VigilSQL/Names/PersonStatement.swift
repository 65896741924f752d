/// Evaluations of single persons: provisional alerts, their notifications, and the outbox.
///
/// The SQL is in `Statements/persons.sql`, `persons.sqlite.sql` and `persons.postgres.sql`.
public enum PersonStatement: String, StatementName {
  case listProvisionalAlerts
  case listProvisionalAlertIDs
  case listPersonsWithProvisionalAlerts
  case markProvisionalAlert
  case markLiveNotifications
  case countOthersNotified
  case markShadowNotifications
  case withdrawNotifications
  case withdrawShadowNotifications
  case restoreSupersededNotifications
  case withdrawEscalations
  case resetNotifiedLevels
  case removeNotificationMarks
  case removeAlertMark
  case removeMarksOfOtherProfiles
  case removeNotificationMarksOfOtherProfiles
  case leaveToHoldingRuns
  case leaveToNight
  case removeHeldOfEvaluation
  case putEvent
  case putEventsOfNight
  case putEndsOfSwitch
  case listEvents
  case countPrunableEvents
  case removeEvents

  public static let files = StatementFiles(
    [PackageResources.persons_sql],
    sqlite: PackageResources.persons_sqlite_sql, postgres: PackageResources.persons_postgres_sql)
}

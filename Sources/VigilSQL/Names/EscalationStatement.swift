/// Calls upon caregivers and emergency contacts.
///
/// The SQL is in `Statements/escalation.sql`, `escalation.sqlite.sql`, `escalation.postgres.sql` and `ended.sql`.
public enum EscalationStatement: String, StatementName {
  case listChosenWindows
  case listEscalationSettings
  case listUnansweredAlerts
  case listUnansweredStreaks
  case listUnansweredRaisedAlerts
  case listCalls
  case findAlertState
  case findRaisedState
  case listCaregivers
  case listAvailability
  case listEmergencyContacts
  case listContactAddresses
  case insertCall
  case closeCalls
  case insertNotice
  case markNotified

  public static let files = StatementFiles(
    [PackageResources.escalation_sql, PackageResources.ended_sql],
    sqlite: PackageResources.escalation_sqlite_sql,
    postgres: PackageResources.escalation_postgres_sql)
}

/// Calls upon caregivers and emergency contacts.
///
/// The SQL is in `Statements/escalation.sql`, `escalation.sqlite.sql` and `escalation.postgres.sql`.
public enum EscalationStatement: String, StatementName {
  case listUnansweredAlerts
  case listUnansweredStreaks
  case listCalls
  case findAlertState
  case listCaregivers
  case listAvailability
  case listEmergencyContacts
  case listContactAddresses
  case insertCall
  case closeCalls
  case insertNotice
  case markNotified

  public static func files(for dialect: SQLDialect) -> [String] {
    switch dialect {
    case .sqlite: [PackageResources.escalation_sql, PackageResources.escalation_sqlite_sql]
    case .postgres: [PackageResources.escalation_sql, PackageResources.escalation_postgres_sql]
    }
  }
}

/// Statements about actions on alerts, and about the alerts that count as notified.
///
/// The SQL is in `Statements/alerts.sql`.
public enum AlertStatement: String, StatementName {
  case insertAlertAction
  case listAlertActions
  case acknowledgeAlert
  case snoozeAlert
  case dismissAlert
  case restoreAlert
  case markActiveAsNotified
  case countAlertsNeverNotified

  public static func files(for dialect: SQLDialect) -> [[UInt8]] {
    [PackageResources.alerts_sql]
  }
}

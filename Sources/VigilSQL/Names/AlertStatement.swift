/// Statements about actions on alerts, and about the alerts that count as notified.
///
/// The SQL is in `Statements/alerts.sql` and `events.sql`.
public enum AlertStatement: String, StatementName {
  case listAlertsOfEvent
  case listAlertActions
  case markActiveAsNotified
  case countAlertsNeverNotified

  public static let files = StatementFiles(
    [PackageResources.events_sql, PackageResources.alerts_sql])
}

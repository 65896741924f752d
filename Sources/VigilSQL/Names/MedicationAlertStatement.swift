/// Statements about `medication_alerts` and the notifications of them.
///
/// The SQL is in `Statements/medication_alerts.sql`, `medication_alerts.sqlite.sql` and
/// `medication_alerts.postgres.sql`.
public enum MedicationAlertStatement: String, StatementName {
  case insertMedicationAlertAction
  case findMedicationAlerts
  case listMedicationAlertActions
  case acknowledgeMedicationAlert
  case snoozeMedicationAlert
  case dismissMedicationAlert
  case restoreMedicationAlert
  case markActiveMedicationAlertsAsNotified
  case decideHeldMedicationNotifications
  case markDecidedMedicationAlerts
  case supersedeNotifiedMedicationLevels
  case cancelResolvedMedicationNotifications
  case cancelNotificationsOfMedicationAlert
  case restoreNotificationsOfMedicationAlert
  case listMedicationAlerts
  case listMatchingMedicationAlerts
  case listMatchingMedicationAlertsOfPersons
  case putMedicationAlerts

  public static func files(for dialect: SQLDialect) -> [String] {
    switch dialect {
    case .sqlite:
      [PackageResources.medication_alerts_sql, PackageResources.medication_alerts_sqlite_sql]
    case .postgres:
      [PackageResources.medication_alerts_sql, PackageResources.medication_alerts_postgres_sql]
    }
  }
}

/// Rows of the persons of a batch, beside their input.
///
/// The SQL is in `Statements/readers.sqlite.sql` and `readers.postgres.sql`.
public enum ReaderStatement: String, StatementName {
  case listAlertStatesTouchedSince
  case listAlertStatesOfMedications
  case listAlertStatesWithIDs
  case listReadAlerts
  case listFamilyMembers
  case listExclusions
  case listWorkoutDays
  case listBirthDates
  case listDoseTotals
  case listCheckIns
  case listCheckInPlans
  case listSensitivities
  case listLimits

  public static let files = StatementFiles(
    sqlite: PackageResources.readers_sqlite_sql, postgres: PackageResources.readers_postgres_sql)
}

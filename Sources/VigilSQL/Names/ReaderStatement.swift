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

  public static func files(for dialect: SQLDialect) -> [String] {
    switch dialect {
    case .sqlite: [PackageResources.readers_sqlite_sql]
    case .postgres: [PackageResources.readers_postgres_sql]
    }
  }
}

/// The input of runs.
///
/// The SQL is in `Statements/input.sql`, `input.sqlite.sql` and `input.postgres.sql`.
public enum InputStatement: String, StatementName {
  case countSenders
  case findAnyMedication
  case findAnyCheckIn
  case listPersonsWithCheckIns
  case quarantineRow
  case listQuarantinedRows
  case countQuarantinedRows
  case listPersonsBetween
  case insertUser
  case listPersonsAmong
  case listExternalIDs
  case listTimeZones
  case listPersonsByExternalID
  case findAnyMetrics
  case findMetricDays
  case countInputRows
  case findInputRow
  case listDaysOfSource

  public static let files = StatementFiles(
    [PackageResources.input_sql],
    sqlite: PackageResources.input_sqlite_sql, postgres: PackageResources.input_postgres_sql)
}

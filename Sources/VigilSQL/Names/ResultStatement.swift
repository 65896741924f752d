/// Lists of the rows that runs have written.
///
/// The SQL is in `Statements/results.sql`, `results.sqlite.sql` and `results.postgres.sql`.
public enum ResultStatement: String, StatementName {
  case listTrendCoverages
  case listAlertStates
  case listAlertStatesOfPersons
  case listAlertStatesByID
  case listDoseAnalyticsOn
  case listNewestDoseAnalytics
  case listDoseAnalyticsOfPersonsOn
  case listNewestDoseAnalyticsOfPersons
  case listTrendCoveragesOfPersons
  case listScores
  case listScoresOfPersons
  case listInsights
  case listInsightsOfPersons
  case listCooccurrencesOn
  case listCooccurrencesOfPersonsOn

  public static let files = StatementFiles(
    [PackageResources.results_sql],
    sqlite: PackageResources.results_sqlite_sql, postgres: PackageResources.results_postgres_sql)
}

import VigilSQL

/// Temporary tables through which rows go on their way into a table.
///
/// The SQL is in `Statements/staging.sql`.
enum StagingStatement: String, StatementName {
  case createStagingTable
  case fillStagingTable
  case emptyStagingTable
  case putUnguardedAlertStates
  case findInheritingAlert
  case holdShard
  case insertDoseAnalytics
  case updateScores
  case insertScores
  case findAnyInputRow
  case insertInputRows
  case insertTimedInputRows
  case addInputRows
  case putInputRows
  case putTimedInputRows
  case putTimesOfInputRows

  static let files = StatementFiles([PackageResources.staging_sql])
}

import VigilSQL

/// Rows that this driver writes in a way of its own: scores, and imported rows.
///
/// The SQL is in `Statements/writing.sql`.
enum WritingStatement: String, StatementName {
  case putScores
  case addInputRows
  case putInputRows
  case putTimedInputRows
  case putTimesOfInputRows

  static let files = StatementFiles([PackageResources.writing_sql])
}

import VigilSQL

/// Copies of metric rows, and what makes them void.
///
/// The SQL is in `Statements/history.sql`.
enum HistoryStatement: String, StatementName {
  case mayKeepHistory
  case keepHistory
  case takeChanges
  case raiseHistory
  case clearHistory
  case findHistoryState
  case listHistories
  case holdGeneration
  case countGeneration
  case putHistories

  static let files = StatementFiles([PackageResources.history_sql])
}

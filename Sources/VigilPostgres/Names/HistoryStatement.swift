import VigilSQL

/// Copies of rows, and what makes them void.
///
/// The SQL is in `Statements/history.sql`.
enum HistoryStatement: String, StatementName {
  case mayKeepHistory
  case keepHistory
  case takeChanges
  case raiseHistory
  case clearHistory
  case findHistoryState
  case listHistoryBlocks
  case holdGeneration
  case countGeneration
  case removeOldBlocks
  case putHistoryBlocks

  static let files = StatementFiles([PackageResources.history_sql])
}

import VigilSQL

/// Copies of rows, and what makes them void.
///
/// The SQL is in `Statements/history.sql`.
enum HistoryStatement: String, StatementName {
  case findHistoryTriggers
  case raiseHistory
  case clearHistory
  case findGeneration
  case countGeneration
  case findHistoryBlocks
  case removeOldBlocks
  case putHistoryBlock

  static let files = StatementFiles([PackageResources.history_sql])
}

import GRDB
public import VigilModel
import VigilSQL
import VigilStorage

extension SQLiteStorage {
  /// Stores copies of metric rows, unless rows have changed since they were read.
  func writeHistory(of batch: BatchWrite, to db: Database) throws {
    guard let history = batch.history else { return }
    let session = SQLiteSession(db: db, file: file)
    guard try session.count(HistoryStatement.findGeneration) == history.generation else { return }
    if history.clears {
      try session.execute(HistoryStatement.clearHistory)
      try session.execute(HistoryStatement.countGeneration)
    }
    try file.mappingErrors(table: "metric_history") {
      let statement = try RawStatement(HistoryStatement.putHistory, on: db)
      for own in history.histories {
        own.put(into: statement)
        try statement.run()
      }
    }
  }
}

extension SQLiteSession {
  public func prepareHistory(through day: Day) throws -> Bool {
    guard try count(HistoryStatement.findHistoryTriggers) == 1 else {
      try execute(HistoryStatement.clearHistory)
      return false
    }
    try execute(HistoryStatement.raiseHistory, day)
    return true
  }

  public func mayKeepHistory() -> Bool { true }

  /// Triggers remove copies with the change itself.
  public func takeMetricChanges() {}
}

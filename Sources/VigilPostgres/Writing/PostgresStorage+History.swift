public import VigilModel
import VigilSQL
import VigilStorage

extension PostgresStorage {
  /// Stores copies of metric rows, unless changes were taken into account since the rows were read.
  func writeHistory(of batch: BatchWrite, on connection: Connection) throws {
    guard let history = batch.history else { return }
    let session = PostgresSession(connection: connection, database: displayName)
    guard try session.count(HistoryStatement.holdGeneration) == history.generation else { return }
    if history.clears {
      try session.execute(HistoryStatement.clearHistory)
      try session.execute(HistoryStatement.countGeneration)
    }
    let staging = try stage(
      history.histories, of: "metric_history", columns: MetricHistory.columns, on: connection
    ) { $0.put(into: $1) }
    try connection.run(HistoryStatement.putHistories, Parameters(), staging.fillings)
  }
}

extension PostgresSession {
  public func prepareHistory(through day: Day) throws -> Bool {
    let isKept = try rows(HistoryStatement.keepHistory) { try $0.bool() }.first ?? false
    guard isKept else {
      try execute(HistoryStatement.clearHistory)
      return false
    }
    try takeMetricChanges()
    try execute(HistoryStatement.raiseHistory, day)
    return true
  }

  public func takeMetricChanges() throws { try execute(HistoryStatement.takeChanges) }

  public func mayKeepHistory() throws -> Bool { try count(HistoryStatement.mayKeepHistory) == 1 }
}

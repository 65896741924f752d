public import VigilModel
import VigilSQL
import VigilStorage

extension PostgresStorage {
  /// Stores copies of rows, unless changes were taken into account since the rows were read.
  func writeHistory(of batch: BatchWrite, on connection: Connection) throws {
    let session = PostgresSession(connection: connection, database: displayName)
    for history in batch.history {
      let subject = history.subject
      guard
        try session.count(HistoryStatement.holdGeneration, subject.rawValue) == history.generation
      else { continue }
      if history.clears {
        try session.clearHistory(of: subject)
        try session.execute(HistoryStatement.countGeneration, subject.rawValue)
      }
      if !history.owners.isEmpty {
        try session.execute(
          HistoryStatement.removeOldBlocks, filling: subject.fillings, history.owners,
          history.firstDay)
      }
      guard !history.blocks.isEmpty else { continue }
      let staging = try stage(
        history.blocks, of: subject.table, columns: HistoryBlock.columns(of: subject),
        on: connection
      ) { $0.put(layout: history.layout, into: $1) }
      try connection.run(
        HistoryStatement.putHistoryBlocks, Parameters(),
        staging.fillings.merging(subject.fillings) { own, _ in own })
    }
  }
}

extension PostgresSession {
  public func prepareHistory(through day: Day) throws -> Bool {
    let kept = try HistorySubject.allCases.filter { subject in
      try rows(HistoryStatement.keepHistory, subject.rawValue) { try $0.bool() }.first ?? false
    }
    for subject in HistorySubject.allCases where !kept.contains(subject) {
      try clearHistory(of: subject)
    }
    guard !kept.isEmpty else { return false }
    try takeHistoryChanges()
    for subject in kept { try execute(HistoryStatement.raiseHistory, subject.rawValue, day) }
    return true
  }

  func clearHistory(of subject: HistorySubject) throws {
    try execute(HistoryStatement.clearHistory, filling: subject.fillings)
  }

  public func takeHistoryChanges() throws { try execute(HistoryStatement.takeChanges) }

  public func mayKeepHistory() throws -> Bool { try count(HistoryStatement.mayKeepHistory) == 1 }
}

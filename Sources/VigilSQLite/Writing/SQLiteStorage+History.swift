import GRDB
public import VigilModel
import VigilSQL
import VigilStorage

extension SQLiteStorage {
  /// Stores copies of rows, unless rows have changed since they were read.
  func writeHistory(of batch: BatchWrite, to db: Database) throws {
    let session = SQLiteSession(db: db, file: file)
    for history in batch.history {
      let subject = history.subject
      guard
        try session.count(HistoryStatement.findGeneration, subject.rawValue) == history.generation
      else { continue }
      if history.clears {
        try session.clearHistory(of: subject)
        try session.execute(HistoryStatement.countGeneration, subject.rawValue)
      }
      try file.mappingErrors(table: subject.table) {
        let old = try RawStatement(HistoryStatement.removeOldBlocks, subject.fillings, on: db)
        old.bind(history.firstDay, at: 2)
        for owner in history.owners {
          old.bind(owner, at: 1)
          try old.run()
        }
        let new = try RawStatement(HistoryStatement.putHistoryBlock, subject.fillings, on: db)
        for block in history.blocks {
          block.put(layout: history.layout, into: new)
          try new.run()
        }
      }
    }
  }
}

extension SQLiteSession {
  public func prepareHistory(through day: Day) throws -> Bool {
    var hasCopies = false
    for subject in HistorySubject.allCases {
      if try keepsHistory(of: subject) {
        try execute(HistoryStatement.raiseHistory, subject.rawValue, day)
        hasCopies = true
      } else {
        try clearHistory(of: subject)
      }
    }
    return hasCopies
  }

  /// Whether triggers remove the copies of rows that change.
  func keepsHistory(of subject: HistorySubject) throws -> Bool {
    try count(HistoryStatement.findHistoryTriggers, subject.source) == 1
  }

  func clearHistory(of subject: HistorySubject) throws {
    try execute(HistoryStatement.clearHistory, filling: subject.fillings)
  }

  public func mayKeepHistory() -> Bool { true }

  /// Triggers remove copies with the change itself.
  public func takeHistoryChanges() {}
}

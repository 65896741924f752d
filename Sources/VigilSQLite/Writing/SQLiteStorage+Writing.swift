import Foundation
import GRDB
import VigilModel
import VigilSQL
public import VigilStorage

extension SQLiteStorage {
  public func write(_ batch: BatchWrite) throws -> BatchWriteResult {
    do {
      return try withTemporariesInMemory {
        try write { db in
          var batch = batch
          let session = SQLiteSession(db: db, file: file)
          if let enqueued = try session.enqueuedBefore(batch) {
            return BatchWriteResult(enqueued: enqueued)
          }
          try session.beginSettling(&batch)
          try file.mappingErrors(table: AlertStateRow.table) { try writeAlertStates(batch, to: db) }
          let enqueued = try file.mappingErrors(table: batch.notificationTable) {
            try enqueue(batch, in: db)
          }
          try writeAdherence(of: batch, to: db)
          try writeVitality(of: batch, to: db)
          try writeInsights(of: batch, to: db)
          try writeHistory(of: batch, to: db)
          try session.writeCalmDigests(of: batch)
          let result = try session.finishSettling(batch, enqueued: enqueued)
          try session.putEvents(of: batch)
          try session.writeCheckpoint(of: batch, enqueued: enqueued)
          return result
        }
      }
    } catch is BatchOvertaken {
      return BatchWriteResult(enqueued: 0, isOvertaken: true)
    }
  }

  /// Runs `body` while what a statement may have to take back stays in memory.
  ///
  /// It is the pages that the rows of one statement have changed, and would otherwise be written to a file for each.
  private func withTemporariesInMemory<Result>(_ body: () throws -> Result) throws -> Result {
    func keepTemporaries(in place: String) throws {
      try file.mappingErrors {
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA temp_store = \(place)") }
      }
    }
    try keepTemporaries(in: "MEMORY")
    // Whatever else this connection does may need more than there is memory.
    defer { try? keepTemporaries(in: "DEFAULT") }
    return try body()
  }

  /// Ended episodes are written first, so that a series never has two active rows in between.
  private func writeAlertStates(_ batch: BatchWrite, to db: Database) throws {
    let states = batch.alertStates
    let rows = RowsStatement(
      WriteStatement.putAlertStates, columns: AlertStateRow.columns.count, on: db)
    for areActive in [false, true] {
      let own = states.indices.filter { states[$0].episode.isActive == areActive }
      try rows.write(own) { AlertStateRow.put(states[$0], into: $1) }
    }
  }

  private func enqueue(_ batch: BatchWrite, in db: Database) throws -> Int {
    let rows = RowsStatement(
      batch.notificationStatement, columns: batch.notificationColumns.count, on: db)
    var enqueued = 0
    var rest = batch.notifications[...]
    // Rows that wait are counted, those that are never sent are not.
    while let first = rest.first {
      let isWaiting = first.status == .pending
      let next = rest.prefix { ($0.status == .pending) == isWaiting }
      rest = rest.dropFirst(next.count)
      let written = try rows.write(next) { batch.put($0, into: $1) }
      if isWaiting { enqueued += written }
    }
    return enqueued
  }
}

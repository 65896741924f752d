import Foundation
import GRDB
import VigilModel
import VigilSQL
public import VigilStorage

extension SQLiteStorage {
  public func write(_ batch: BatchWrite) throws -> BatchWriteResult {
    do {
      return try write { db in
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
        let result = try session.finishSettling(batch, enqueued: enqueued)
        try session.putEvents(of: batch)
        try session.writeCheckpoint(of: batch, enqueued: enqueued)
        return result
      }
    } catch is BatchOvertaken {
      return BatchWriteResult(enqueued: 0, isOvertaken: true)
    }
  }

  /// Ended episodes are written first, so that a series never has two active rows in between.
  private func writeAlertStates(_ batch: BatchWrite, to db: Database) throws {
    guard !batch.alertStates.isEmpty else { return }
    let upsert = try RawStatement(
      WriteStatement.putAlertStates, columns: AlertStateRow.columns.count, on: db)
    for areActive in [false, true] {
      for state in batch.alertStates where state.episode.isActive == areActive {
        AlertStateRow.put(state, into: upsert)
        try upsert.run()
      }
    }
  }

  private func enqueue(_ batch: BatchWrite, in db: Database) throws -> Int {
    guard !batch.notifications.isEmpty else { return 0 }
    let insert = try RawStatement(
      batch.notificationStatement, columns: batch.notificationColumns.count, on: db)
    var enqueued = 0
    for notification in batch.notifications {
      batch.put(notification, into: insert)
      let written = try insert.run()
      if notification.status == .pending { enqueued += written }
    }
    return enqueued
  }
}

extension RawStatement {
  /// A statement that writes one row, with a parameter for each of its columns.
  convenience init(_ name: some StatementName, columns: Int, on db: Database) throws {
    try self.init(name, ["values": .parameters(1...columns)], on: db)
  }
}

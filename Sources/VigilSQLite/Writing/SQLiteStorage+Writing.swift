import Foundation
import GRDB
import VigilModel
import VigilSQL
public import VigilStorage

extension SQLiteStorage {
  public func write(_ batch: BatchWrite) throws -> BatchWriteResult {
    try write { db in
      let session = SQLiteSession(db: db, file: file)
      if let enqueued = try session.enqueuedBefore(batch) {
        return BatchWriteResult(enqueued: enqueued)
      }
      try file.mappingErrors(table: AlertStateRow.table) { try writeAlertStates(batch, to: db) }
      let enqueued = try file.mappingErrors(table: batch.notificationTable) {
        try enqueue(batch, in: db)
      }
      try writeAdherence(of: batch, to: db)
      try writeVitality(of: batch, to: db)
      try writeInsights(of: batch, to: db)
      try session.writeCheckpoint(of: batch, enqueued: enqueued)
      return BatchWriteResult(enqueued: enqueued)
    }
  }

  /// What has ended goes first, so that a series never has two active rows in between.
  private func writeAlertStates(_ batch: BatchWrite, to db: Database) throws {
    guard !batch.alertStates.isEmpty else { return }
    let upsert = try RawStatement(Self.alertStateUpsert, on: db)
    for areActive in [false, true] {
      for state in batch.alertStates where state.episode.isActive == areActive {
        AlertStateRow.put(state, into: upsert)
        try upsert.run()
      }
    }
  }

  private static let alertStateUpsert = """
    INSERT INTO {{schema}}.\(AlertStateRow.table) (\(AlertStateRow.columns.joined(separator: ", ")))
    VALUES (\(AlertStateRow.columns.map { _ in "?" }.joined(separator: ", ")))
    ON CONFLICT (\(AlertStateRow.key.joined(separator: ", "))) DO UPDATE SET
      \(AlertStateRow.updates)
    """

  private func enqueue(_ batch: BatchWrite, in db: Database) throws -> Int {
    guard !batch.notifications.isEmpty else { return 0 }
    let columns = batch.notificationColumns
    let values = columns.map { "? AS \($0)" }.joined(separator: ", ")
    let condition = batch.notificationCondition(id: "planned.id", dedupeKey: "planned.dedupe_key")
    let insert = try RawStatement(
      """
      INSERT INTO {{schema}}.\(batch.notificationTable) (\(columns.joined(separator: ", ")))
      SELECT * FROM (SELECT \(values)) AS planned WHERE \(condition)
      ON CONFLICT (\(batch.notificationKey.joined(separator: ", "))) \(batch.notificationConflict)
      """, on: db)
    var enqueued = 0
    for notification in batch.notifications {
      batch.put(notification, into: insert)
      let written = try insert.run()
      if notification.status == .pending { enqueued += written }
    }
    return enqueued
  }
}

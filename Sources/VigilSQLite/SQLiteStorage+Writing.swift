import Foundation
import GRDB
import VigilModel
public import VigilStorage

extension SQLiteStorage {
  public func write(_ batch: BatchWrite) throws -> BatchWriteResult {
    try write { db in
      if let enqueued = try enqueuedBefore(batch, in: db) {
        return BatchWriteResult(enqueued: enqueued)
      }
      try file.mappingErrors(table: AlertStateRow.table) { try writeAlertStates(batch, to: db) }
      let enqueued = try file.mappingErrors(table: batch.queue.rawValue) {
        try enqueue(batch, in: db)
      }
      try file.mappingErrors(table: "batch_checkpoints") {
        try writeCheckpoint(of: batch, enqueued: enqueued, to: db)
      }
      return BatchWriteResult(enqueued: enqueued)
    }
  }

  /// What the same batch of the same run enqueued earlier; nil unless it did.
  private func enqueuedBefore(_ batch: BatchWrite, in db: Database) throws -> Int? {
    guard let checkpoint = batch.checkpoint else { return nil }
    let query = try RawStatement(
      """
      SELECT notifications_enqueued FROM batch_checkpoints WHERE run_id = ? AND first_person = ?
      """, on: db)
    query.put(batch.runID)
    query.put(checkpoint.firstPerson)
    var enqueued: Int?
    try query.forEachRow { enqueued = $0.int(0) }
    return enqueued
  }

  private func writeCheckpoint(
    of batch: BatchWrite, enqueued: Int, to db: Database
  ) throws {
    guard let checkpoint = batch.checkpoint else { return }
    let insert = try RawStatement(
      """
      INSERT INTO batch_checkpoints (
        run_id, first_person, last_person, persons, notifications_enqueued, written_at
      ) VALUES (?, ?, ?, ?, ?, ?)
      """, on: db)
    insert.put(batch.runID)
    insert.put(checkpoint.firstPerson)
    insert.put(checkpoint.lastPerson)
    insert.put(checkpoint.persons)
    insert.put(enqueued)
    insert.put(batch.writtenAt)
    try insert.run()
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
    INSERT INTO \(AlertStateRow.table) (\(AlertStateRow.columns.joined(separator: ", ")))
    VALUES (\(AlertStateRow.columns.map { _ in "?" }.joined(separator: ", ")))
    ON CONFLICT (\(AlertStateRow.key.joined(separator: ", "))) DO UPDATE SET
      \(AlertStateRow.updatedColumns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
    """

  private func enqueue(_ batch: BatchWrite, in db: Database) throws -> Int {
    guard !batch.notifications.isEmpty else { return 0 }
    let insert = try RawStatement(
      """
      INSERT INTO \(batch.queue.rawValue) (\(QueueRow.columns.joined(separator: ", ")))
      VALUES (\(QueueRow.columns.map { _ in "?" }.joined(separator: ", ")))
      ON CONFLICT (dedupe_key) DO NOTHING
      """, on: db)
    var enqueued = 0
    for notification in batch.notifications {
      QueueRow.put(notification, of: batch, into: insert)
      enqueued += try insert.run()
    }
    return enqueued
  }
}

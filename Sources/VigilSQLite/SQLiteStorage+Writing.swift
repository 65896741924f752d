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
      let enqueued = try file.mappingErrors(table: batch.notificationTable) {
        try enqueue(batch, in: db)
      }
      try writeAdherence(of: batch, to: db)
      try writeVitality(of: batch, to: db)
      try writeInsights(of: batch, to: db)
      try file.mappingErrors(table: CheckpointRow.table) {
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
      SELECT \(CheckpointRow.columns.joined(separator: ", ")) FROM {{schema}}.\(CheckpointRow.table)
      WHERE run_id = ? AND shard = ? AND first_person = ?
      """, on: db)
    query.put(batch.runID)
    query.put(checkpoint.shard)
    query.put(checkpoint.firstPerson)
    var enqueued: Int?
    try query.forEachRow { row in
      let row = RowDecoder(row, of: CheckpointRow.table, columns: CheckpointRow.columns, in: file)
      enqueued = try CheckpointRow.decode(row).enqueued
    }
    return enqueued
  }

  private func writeCheckpoint(
    of batch: BatchWrite, enqueued: Int, to db: Database
  ) throws {
    guard let checkpoint = batch.checkpoint(enqueued: enqueued) else { return }
    let columns = CheckpointRow.columns + ["run_id", "written_at"]
    let insert = try RawStatement(
      """
      INSERT INTO {{schema}}.\(CheckpointRow.table) (\(columns.joined(separator: ", ")))
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      """, on: db)
    try CheckpointRow.put(checkpoint, into: insert)
    insert.put(batch.runID)
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

public import VigilStorage

extension SQLSession {
  /// The number of notifications that the same batch of the same run enqueued earlier; nil unless it did.
  public func enqueuedBefore(_ batch: BatchWrite) throws -> Int? {
    guard let checkpoint = batch.checkpoint else { return nil }
    return try rows(
      RunStatement.findCheckpoint, batch.runID, checkpoint.shard, checkpoint.firstPerson
    ) { try CheckpointRow.decode(&$0).enqueued }.first
  }

  /// Records that a batch is done.
  public func writeCheckpoint(of batch: BatchWrite, enqueued: Int) throws {
    guard let checkpoint = batch.checkpoint(enqueued: enqueued) else { return }
    try write(RunStatement.insertCheckpoint) { row in
      try CheckpointRow.put(checkpoint, into: row)
      row.put(batch.runID)
      row.put(batch.writtenAt)
    }
  }
}

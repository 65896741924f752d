/// Writes the results of runs.
public protocol BatchStorage: Sendable {
  /// Writes a batch of persons in one transaction: all of it or nothing.
  ///
  /// Alert states are inserted or, where the row exists, updated in the columns that runs own; the
  /// columns that members set (snooze, dismissal, acknowledgement) and `created_at` stay.
  /// Notifications for the shadow queue enter it unless their `dedupeKey` is there already; those
  /// for the live queue are held until their run ends. The checkpoint is part of the transaction;
  /// where the run already has it, the batch is in the database and nothing is written again.
  func write(_ batch: BatchWrite) throws -> BatchWriteResult
}

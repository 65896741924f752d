import Synchronization
import VigilModel
import VigilSQL
public import VigilStorage

extension PostgresStorage {
  public func write(_ batch: BatchWrite) throws -> BatchWriteResult {
    for _ in 1...Self.mostLocksLost {
      do {
        return try writeOnce(batch)
      } catch is BatchOvertaken {
        return BatchWriteResult(enqueued: 0, isOvertaken: true)
      } catch is LockLost {
        try runLock.withLock { $0.lock }?.takeAgain()
      }
    }
    throw StorageError(
      .locked, "the run lock of \(displayName) is lost as soon as it is taken",
      remedy: .checkPooler)
  }

  /// The number of times that one batch takes the lock again.
  private static let mostLocksLost = 5

  /// The session that holds the run's lock is gone, and with it the right to write.
  private struct LockLost: Error {}

  private func writeOnce(_ batch: BatchWrite) throws -> BatchWriteResult {
    let lock = runLock.withLock { $0.lock }
    return try transaction { connection in
      var batch = batch
      try connection.run(script: Connection.searchingByIndex)
      try lockPersons(of: batch, on: connection)
      try holdUpSuccessor(of: batch, on: connection)
      if let lock, batch.settlement?.evaluation == nil, try !lock.isHeld(asking: connection) {
        throw LockLost()
      }
      let session = PostgresSession(connection: connection, database: displayName)
      if let enqueued = try session.enqueuedBefore(batch) {
        return BatchWriteResult(enqueued: enqueued)
      }
      try refuseToSettle(batch, on: connection)
      try session.beginSettling(&batch)
      try writeAlertStates(of: batch, on: connection)
      let enqueued = try enqueue(batch, on: connection)
      try writeAdherence(of: batch, on: connection)
      try writeVitality(of: batch, on: connection)
      try writeInsights(of: batch, on: connection)
      try writeHistory(of: batch, on: connection)
      try session.writeCalmDigests(of: batch)
      let result = try session.finishSettling(batch, enqueued: enqueued)
      // A login that may not notify members announces nothing to apps either.
      if !batch.events.isEmpty, try connection.mayChangeGuardedColumns() {
        try session.putEvents(of: batch)
      }
      try session.writeCheckpoint(of: batch, enqueued: enqueued)
      return result
    }
  }

  /// Ended episodes are written first, so that a series never has two active rows in between.
  private func writeAlertStates(of batch: BatchWrite, on connection: Connection) throws {
    guard !batch.alertStates.isEmpty else { return }
    let staging = try stage(
      batch.alertStates, of: AlertStateRow.table, columns: AlertStateRow.columns, on: connection
    ) { AlertStateRow.put($0, into: $1) }
    let mayChangeAll = try connection.mayChangeGuardedColumns()
    if !mayChangeAll { try refuseToInherit(staging, on: connection) }
    if mayChangeAll {
      try connection.run(WriteStatement.putAlertStates, Parameters(), staging.fillings)
    } else {
      try connection.run(StagingStatement.putUnguardedAlertStates, Parameters(), staging.fillings)
    }
  }

  /// Throws where an alert takes over the actions of members on another, or what they were notified of.
  ///
  /// A retracted one does from the alert in its place, one that comes into another event from that event.
  /// Without them, members would be notified again of what they have dismissed.
  private func refuseToInherit(_ staging: StagingTable, on connection: Connection) throws {
    let inheriting = try connection.run(
      StagingStatement.findInheritingAlert, Parameters(), staging.fillings)
    guard inheriting.rowCount > 0 else { return }
    throw StorageError(
      .permissionDenied,
      "\(displayName): an alert takes over the actions of members on another, or what they were notified"
        + " of, and this login may not write them",
      remedy: "run the same command as a member of vigil_engine")
  }

  private func enqueue(_ batch: BatchWrite, on connection: Connection) throws -> Int {
    guard !batch.notifications.isEmpty else { return 0 }
    let staging = try stage(
      batch.notifications, of: batch.notificationTable, columns: batch.notificationColumns,
      on: connection
    ) { batch.put($0, into: $1) }
    return try connection.rows(
      batch.notificationStatement, Parameters(), staging.fillings, database: displayName
    ) { try $0.int() }.first ?? 0
  }

  /// - Parameter stagedTypes: As `StagingTable.forRows` takes them, where the table may be an app's.
  func stage<Row>(
    _ rows: [Row], of table: String, columns: [String], stagedTypes: [String?]? = nil,
    on connection: Connection, _ put: (Row, BinaryBuffer) -> Void
  ) throws -> StagingTable {
    let staging = try StagingTable.forRows(
      of: table, columns: columns, stagedTypes: stagedTypes, on: connection,
      database: displayName)
    guard !rows.isEmpty else { return staging }
    let copied = CopyRows(columnCount: columns.count)
    for row in rows { copied.append { put(row, $0) } }
    try staging.fill(copied, on: connection)
    return staging
  }

  // MARK: Checkpoints

  /// Makes a process that continues the shard wait until this transaction has ended, and throws
  /// where another process has continued it already, while this one had lost its lock.
  ///
  /// The server may still be committing for a process that is gone, and what it commits then is done.
  private func holdUpSuccessor(of batch: BatchWrite, on connection: Connection) throws {
    guard let checkpoint = batch.checkpoint else { return }
    let shard = Parameters {
      $0.put(batch.runID)
      $0.put(checkpoint.shard)
    }
    let present: (ShardRecord.Status, Timestamp)? = try connection.rows(
      StagingStatement.holdShard, shard, database: displayName
    ) { row in
      let status: ShardRecord.Status = try row.word()
      return (status, try row.timestamp())
    }.first
    guard let present, present != (.running, batch.writtenAt) else { return }
    throw StorageError.takenOver(batch.runID)
  }
}

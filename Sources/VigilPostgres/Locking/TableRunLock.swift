public import Foundation
import Synchronization
import VigilModel
public import VigilStorage

extension PostgresStorage {
  public func acquireRunLock(for run: UUID, shard: RunShard) throws -> any RunLock {
    try withConnection { connection in
      // A lock that a pooler hands on with the session would be held by the next client.
      if try hasPoolerBetween(connection) { try refuseTransactionPooler(connection) }
    }
    let lock = try TableRunLock(of: self, for: run, shard: shard)
    runLock.withLock { $0.lock = lock }
    return lock
  }

  public func runsAtWork() throws -> Set<UUID>? {
    try withConnection { connection in
      // A shard holds the table as well, with the id of the run that it shares.
      Set(try LockTable.runs.holders(asking: connection).compactMap(\.run))
    }
  }

  public func isLocked(_ shard: RunShard) throws -> Bool {
    try withConnection { connection in
      try LockTable.waitingForTheDead {
        if shard.isWhole { return try LockTable.runs.holders(asking: connection).isEmpty }
        return try LockTable.runs.holder(of: shard.description, asking: connection) == nil
      } == false
    }
  }
}

/// The lock of a run, in a session of its own: a run of everybody holds the table of run locks, shards share it,
/// and each has a name to itself.
///
/// The server drops it when the session ends, and ends the session when the process or its machine
/// is gone. The run that holds it stands in the session's `application_name`.
final class TableRunLock: RunLock {
  private let storage: PostgresStorage
  private let shard: RunShard
  private let session: Mutex<Session>

  private struct Session {
    var run: UUID
    var connection: Connection
    /// Its process in the server, according to the server itself: a pooler gives its clients
    /// another number.
    var process: Int
  }

  fileprivate init(of storage: PostgresStorage, for run: UUID, shard: RunShard) throws {
    self.storage = storage
    self.shard = shard
    session = Mutex(try Self.lockedSession(storage, run, shard))
  }

  static let prefix = "vigil run "

  /// Throws `.locked` where another run has it.
  private static func lockedSession(
    _ storage: PostgresStorage, _ run: UUID, _ shard: RunShard
  ) throws -> Session {
    do {
      return try storage.retry.run {
        let connection = try storage.openConnection(purpose: prefix + run.lowercased)
        let process = try connection.run(ConnectionStatement.findServerProcess).int32(0, 0)
        let isHeld = try LockTable.waitingForTheDead {
          try LockTable.runs.lock(isShared: !shard.isWhole, on: connection)
        }
        guard isHeld else { throw try refusal(by: nil, storage) }
        if !shard.isWhole { try take(shard, for: process, storage) }
        return Session(run: run, connection: connection, process: process)
      }
    } catch let error as PostgresError {
      throw StorageError(error, database: storage.displayName).asUnreachable
    }
  }

  private static func take(
    _ shard: RunShard, for process: Int, _ storage: PostgresStorage
  ) throws {
    let name = shard.description
    try storage.pool.withConnection { connection in
      let isTaken = try LockTable.waitingForTheDead {
        try LockTable.runs.take(name, for: process, on: connection)
      }
      guard !isTaken else { return }
      throw try refusal(by: LockTable.runs.holder(of: name, asking: connection), storage)
    }
  }

  /// - Parameter process: The holder's; nil for any that holds the table.
  private static func refusal(
    by process: Int?, _ storage: PostgresStorage
  ) throws -> StorageError {
    let holders = try storage.pool.withConnection { try LockTable.runs.holders(asking: $0) }
    let holder = holders.first { process == nil || $0.process == process }
    return StorageError(
      .locked, "\(storage.displayName) is locked by \(holder?.description ?? "another run")",
      remedy: .waitForRun)
  }

  func sign(_ run: UUID) throws {
    try session.withLock { session in
      session.run = run
      do {
        try session.connection.run(
          ConnectionStatement.nameSession,
          Parameters { $0.put(Self.prefix + run.lowercased) })
      } catch let error as PostgresError where error.isConnectionLost {
        // The process that takes the lock again signs it.
      } catch let error as PostgresError {
        throw StorageError(error, database: storage.displayName)
      }
    }
  }

  // MARK: While it is held

  /// Whether the session that holds the lock is still there, as another session sees it.
  ///
  /// A run whose lock was lost with the server may no longer write: another may have begun.
  func isHeld(asking other: Connection) throws -> Bool {
    let process = session.withLock { $0.process }
    guard shard.isWhole else {
      return try LockTable.runs.holder(of: shard.description, asking: other) == process
    }
    return try LockTable.runs.holders(asking: other).contains { $0.process == process }
  }

  /// Takes the lock anew after its session was lost; throws `.locked` where another run was faster.
  ///
  /// Workers that find the loss together come here one after the other: the first takes the lock, and
  /// the others would find it taken, by their own run.
  func takeAgain() throws {
    try session.withLock { session in
      let isThere = (try? session.connection.run(ConnectionStatement.findServerProcess)) != nil
      if isThere { return }
      session = try Self.lockedSession(storage, session.run, shard)
    }
  }
}

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
    let lock = try AdvisoryLock(of: self, for: run, shard: shard)
    runLock.withLock { $0.lock = lock }
    return lock
  }

  public func runsAtWork() throws -> Set<UUID>? {
    try withConnection { connection in
      // A shard holds the common lock as well, with the id of the run that it shares.
      let holders = try AdvisoryLock.Key(of: .whole, in: schema).holders(asking: connection)
      return Set(holders.compactMap(\.run))
    }
  }

  public func isLocked(_ shard: RunShard) throws -> Bool {
    let key = AdvisoryLock.Key(of: shard, in: schema)
    return try withConnection { connection in
      try AdvisoryLock.waitingForTheDead { try key.holders(asking: connection).isEmpty } == false
    }
  }
}

/// Session-level advisory locks on a connection of their own: of the whole schema for a run of
/// everybody; shards share that one, and each has another to itself.
///
/// The server drops it when the session ends, and ends the session when the process or its machine
/// is gone. Who holds it stands in the session's `application_name`.
final class AdvisoryLock: RunLock {
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
        try take(Key(of: .whole, in: storage.schema), shared: !shard.isWhole, connection, storage)
        if !shard.isWhole {
          try take(Key(of: shard, in: storage.schema), shared: false, connection, storage)
        }
        let process = try connection.run(ConnectionStatement.findServerProcess).int32(0, 0)
        return Session(
          run: run, connection: connection, process: process)
      }
    } catch let error as PostgresError {
      throw StorageError(error, database: storage.displayName).asUnreachable
    }
  }

  private static func take(
    _ key: Key, shared: Bool, _ connection: Connection, _ storage: PostgresStorage
  ) throws {
    let isTaken = try waitingForTheDead {
      try connection.run(shared ? LockStatement.takeSharedLock : .takeLock, key.parameters)
        .isTrue(0, 0)
    }
    if isTaken { return }
    let holder = try key.holders(asking: connection).first?.description ?? "another run"
    throw StorageError(
      .locked, "\(storage.displayName) is locked by \(holder)",
      remedy: .waitForRun)
  }

  /// Asks until the answer is yes, or for a fifth of a second: the server process of a holder that has
  /// just died needs a moment to notice.
  fileprivate static func waitingForTheDead(_ isFree: () throws -> Bool) rethrows -> Bool {
    for attempt in 1...20 {
      if try isFree() { return true }
      if attempt < 20 { usleep(10_000) }
    }
    return false
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
    let parameters = Key(of: shard, in: storage.schema).parameters
    parameters.put(session.withLock { $0.process })
    return try other.run(LockStatement.findHeldLock, parameters).rowCount > 0
  }

  /// Takes the lock anew after its session was lost; throws `.locked` where another run was faster.
  ///
  /// Workers that find the loss together come here one after the other: the first takes the lock, and
  /// the others would find it taken, by their own run.
  func takeAgain() throws {
    try session.withLock { session in
      if (try? session.connection.run(script: "SELECT 1")) != nil { return }
      session = try Self.lockedSession(storage, session.run, shard)
    }
  }
}

extension AdvisoryLock {
  /// The key of an advisory lock, in two halves: Vigil, and the schema with the shard, since one
  /// database may hold several schemas.
  struct Key {
    private let name: Int
    private let space: Int

    private static let runs = 0x7669_676c
    private static let persons = 0x7669_6770

    init(of shard: RunShard, in schema: String) {
      // The same in every version and on every machine.
      var hash = StableHash()
      hash.combine(shard.isWhole ? schema : "\(schema) \(shard)")
      name = Int(Int32(bitPattern: hash.short))
      space = Self.runs
    }

    /// The key of one person; in the rare case that two have the same, one waits for the other.
    init(of person: UUID, in schema: String) {
      var hash = StableHash()
      hash.combine("\(schema) \(person.lowercased)")
      name = Int(Int32(bitPattern: hash.short))
      space = Self.persons
    }

    var parameters: Parameters {
      Parameters {
        $0.put(space)
        $0.put(name)
      }
    }

    /// The sessions that hold the lock; shards share one.
    func holders(asking connection: Connection) throws -> [Holder] {
      let result = try connection.run(LockStatement.listLockHolders, parameters)
      return (0..<result.rowCount).map { row in
        Holder(
          process: result.int32(row, 0),
          name: result.text(row, 1),
          address: result.isNull(row, 2)
            ? nil : result.text(row, 2))
      }
    }
  }

  /// A session that holds a lock, as the server shows it.
  struct Holder: CustomStringConvertible {
    /// Its process in the server.
    var process: Int
    /// Its `application_name`.
    var name: String
    /// The address of the client; nil for a Unix socket, and where the role may not see it.
    var address: String?

    /// The id of the run; nil where another program has taken the same lock.
    var run: UUID? {
      name.hasPrefix(AdvisoryLock.prefix)
        ? UUID(uuidString: String(name.dropFirst(AdvisoryLock.prefix.count))) : nil
    }

    var description: String {
      (run.map { "run \($0.lowercased)" } ?? "another run") + " (server process \(process)"
        + (address.map { " for \($0))" } ?? ")")
    }
  }
}

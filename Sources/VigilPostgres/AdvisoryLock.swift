public import Foundation
import Synchronization
import VigilModel
public import VigilStorage

extension PostgresStorage {
  public func acquireRunLock(for run: UUID) throws -> any RunLock {
    try withConnection { connection in
      // A lock that a pooler hands on with the session would be held by whoever comes next.
      if try hasPoolerBetween(connection) { try refuseTransactionPooler(connection) }
    }
    let lock = try AdvisoryLock(of: self, for: run)
    runLock.withLock { $0.lock = lock }
    return lock
  }
}

/// A session-level advisory lock on a connection of its own.
///
/// The server drops it when the session ends, and ends the session when the process or its machine
/// is gone. Who holds it stands in the session's `application_name`.
final class AdvisoryLock: RunLock {
  private let storage: PostgresStorage
  private let run: UUID
  private let session: Mutex<Session>

  private struct Session {
    var connection: Connection
    /// Its process in the server, as the server itself says: a pooler tells its clients another.
    var process: Int
  }

  /// The two halves of the key: Vigil, and the schema, since one database may hold several.
  private static let space = 0x7669_676c

  private static func key(of schema: String) -> Int {
    // FNV-1a, 32 bits: the same in every version and on every machine.
    let hash = schema.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return Int(Int32(bitPattern: hash))
  }

  private static let prefix = "vigil run "

  fileprivate init(of storage: PostgresStorage, for run: UUID) throws {
    self.storage = storage
    self.run = run
    session = Mutex(try Self.lockedSession(storage, run))
  }

  /// Throws `.locked` where another run has it.
  private static func lockedSession(
    _ storage: PostgresStorage, _ run: UUID
  ) throws -> Session {
    do {
      return try storage.retry.run {
        let connection = try storage.openConnection(purpose: prefix + run.lowercased)
        // The server finds out about a machine that is gone within two minutes, not two hours.
        try connection.run(
          """
          SELECT set_config('tcp_keepalives_idle', '60', false),
            set_config('tcp_keepalives_interval', '10', false),
            set_config('tcp_keepalives_count', '6', false)
          """)
        // A holder that has just died is waited for: its server process needs a moment to notice.
        for attempt in 1...20 {
          let taken = try connection.run(
            "SELECT pg_try_advisory_lock($1::int4, $2::int4), pg_backend_pid()",
            keyParameters(storage.schema))
          if taken.bytes(0, 0).first == 1 {
            let process = Wire.integer(taken.bytes(0, 1), as: Int32.self)
            return Session(connection: connection, process: Int(process))
          }
          if attempt < 20 { usleep(10_000) }
        }
        throw try refusal(connection, storage)
      }
    } catch let error as PostgresError {
      throw StorageError(error, database: storage.displayName).asUnreachable
    }
  }

  private static func refusal(
    _ connection: Connection, _ storage: PostgresStorage
  ) throws -> StorageError {
    let holder = try holder(of: storage.schema, asking: connection) ?? "another run"
    return StorageError(
      .locked, "\(storage.displayName) is locked by \(holder)",
      hint: "try again when that run has ended; the lock ends with its process")
  }

  /// The run that holds the lock of a schema, as its session names itself; nil while nobody does.
  static func holder(of schema: String, asking connection: Connection) throws -> String? {
    let result = try connection.run(
      """
      SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE \(lockCondition) AND granted
      """, keyParameters(schema))
    guard result.rowCount > 0 else { return nil }
    let name = String(decoding: result.bytes(0, 0), as: UTF8.self)
    return name.hasPrefix(prefix) ? String(name.dropFirst("vigil ".count)) : "another run"
  }

  private static let lockCondition = """
    locktype = 'advisory' AND objsubid = 2 AND classid = $1::int4::oid AND objid = $2::int4::oid
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    """

  private static func keyParameters(_ schema: String) -> Parameters {
    Parameters {
      $0.put(space)
      $0.put(key(of: schema))
    }
  }

  // MARK: While it is held

  /// Whether the session that holds the lock is still there, as another session sees it.
  ///
  /// A run whose lock was lost with the server may no longer write: another may have begun.
  func isHeld(asking other: Connection) throws -> Bool {
    let parameters = Self.keyParameters(storage.schema)
    parameters.put(session.withLock { $0.process })
    let result = try other.run(
      """
      SELECT 1 FROM pg_locks WHERE \(Self.lockCondition) AND granted AND pid = $3::int4
      """, parameters)
    return result.rowCount > 0
  }

  /// Takes the lock anew after its session was lost; throws `.locked` where another run was faster.
  ///
  /// Workers that find the loss together come here one after the other: the first takes the lock, and
  /// the others would find it taken, by their own run.
  func takeAgain() throws {
    try session.withLock { session in
      if (try? session.connection.run("SELECT 1")) != nil { return }
      session = try Self.lockedSession(storage, run)
    }
  }
}

public import Foundation

/// Records and locks of runs.
public protocol RunStorage: Sendable {
  /// Takes the lock that lets one run at a time write, or throws `.locked` naming its holder.
  ///
  /// Shards of one count do not exclude each other; `RunTransaction.begin` makes sure that they
  /// belong to one run. The lock ends with the returned object or with the process, whichever is
  /// first.
  func acquireRunLock(for run: UUID, shard: RunShard) throws -> any RunLock

  /// The runs whose processes hold the run lock at present: the others that are recorded as running
  /// have lost theirs. Nil where this role may not see the holders of locks.
  func runsAtWork() throws -> Set<UUID>?

  /// Throws `.permissionDenied` where this login may not do the work of a run in a mode.
  ///
  /// Called before a run takes a lock, so that a run that cannot succeed disturbs no other.
  func requireRights(for mode: RunRecord.Mode) throws

  /// Whether any process holds the lock of this shard of several.
  func isLocked(_ shard: RunShard) throws -> Bool

  /// Runs `body` in one transaction; only one of these runs at a time.
  ///
  /// It commits when `body` returns and rolls back when it throws; `body` may be run again when the
  /// connection was lost.
  func withRuns<Result>(_ body: (any RunTransaction) throws -> Result) throws -> Result

  /// The newest runs first.
  func runs(limit: Int) throws -> [RunRecord]

  func run(id: UUID) throws -> RunRecord?
}

extension RunStorage {
  /// The lock of a run without shards.
  public func acquireRunLock(for run: UUID) throws -> any RunLock {
    try acquireRunLock(for: run, shard: .whole)
  }
}

/// Held while a run writes; releasing the last reference ends it.
public protocol RunLock: AnyObject, Sendable {
  /// Names the run that holds it, where it joined another run than the one that took the lock.
  func sign(_ run: UUID) throws
}

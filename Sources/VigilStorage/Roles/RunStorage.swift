public import Foundation

/// Records and locks of runs.
public protocol RunStorage: Sendable {
  /// Takes the lock that lets one run at a time write, or throws `.locked` naming its holder.
  ///
  /// Shards of one count do not exclude each other; `RunTransaction.begin` sees to it that they belong to one
  /// run. The lock ends with the returned object or with the process, whichever is
  /// first.
  func acquireRunLock(for run: UUID, shard: RunShard) throws -> any RunLock

  /// The runs whose processes hold the run lock at present: the others that are recorded as running have
  /// lost theirs. Nil where this user may not see who holds it.
  func runsAtWork() throws -> Set<UUID>?

  /// Throws `.permissionDenied` where this login may not do what a run in a mode does.
  ///
  /// Asked before a run takes a lock, so that one that cannot end well disturbs no other.
  func requireRights(for mode: RunRecord.Mode) throws

  /// Whether anybody holds the lock of this shard of several.
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

/// Held while a run writes; letting go of the last reference releases it.
public protocol RunLock: AnyObject, Sendable {
  /// Says which run it is held for, where it joined another than the one it was taken for.
  func sign(_ run: UUID) throws
}

public import Foundation
import VigilModel
public import VigilStorage

// MARK: Beginning

extension SQLRunTransaction {
  public func begin(
    _ proposed: RunRecord, shard: RunShard, continuing: Bool, database: String,
    isAlive: (RunShard) throws -> Bool
  ) throws -> RunRecord {
    let joined = try runToJoin(proposed, shard, continuing: continuing)
    if let joined, try !mayChange(joined.id) { throw StorageError.begunByAnother(joined.id) }
    let running = try runningRuns().map { run in
      let isOurs = try mayChange(run.id)
      let isAtWork = try closeAbandonedShards(of: run, but: shard, closing: isOurs, isAlive)
      return (run, isOurs: isOurs, isAtWork: isAtWork)
    }
    let run = joined ?? proposed
    for (earlier, isOurs, isAtWork) in running where earlier.id != run.id {
      if isAtWork {
        throw StorageError(
          .locked,
          "\(database) is locked by shards of run \(earlier.id.lowercased)",
          remedy: "try again when that run has ended")
      }
      if isOurs { try closeAbandonedRun(earlier) }
    }
    if let joined {
      try forgetOvertakenBatches(of: joined, shard)
    } else {
      try session.execute(RunStatement.removeFinishedCheckpoints)
      try put(proposed)
    }
    var own = ShardRecord(
      run: run.id, index: shard.index, status: .running, host: proposed.host,
      startedAt: proposed.startedAt)
    own.carried = try shards(of: run.id).first { $0.index == shard.index }?.carried ?? own.carried
    try put(own)
    return try refresh(run)
  }

  private func runToJoin(
    _ proposed: RunRecord, _ shard: RunShard, continuing: Bool
  ) throws -> RunRecord? {
    guard let newest = try runs(like: proposed).first(where: proposed.isSameWork) else {
      return nil
    }
    guard newest.status != .succeeded else { return nil }
    if continuing { return newest }
    // Shards that begin anew make one run: the first begins it, and the others find it without
    // themselves and with nothing cut off.
    let parts = try shards(of: newest.id)
    let isUndisturbed = parts.allSatisfy { [.running, .succeeded].contains($0.status) }
    return parts.allSatisfy { $0.index != shard.index } && isUndisturbed ? newest : nil
  }

  /// Forgets what the shard did before a run by other rules began, which has written the same rows
  /// since.
  private func forgetOvertakenBatches(of run: RunRecord, _ shard: RunShard) throws {
    guard let own = try shards(of: run.id).first(where: { $0.index == shard.index }),
      try runs(startedAfter: own.startedAt).contains(where: {
        $0.thresholds.digest != run.thresholds.digest || $0.engineVersion != run.engineVersion
          || $0.vitality.map { run.vitality != nil && run.vitality != $0 } ?? false
      })
    else { return }
    try forget(checkpoints(of: run.id).filter { $0.shard == shard.index }, of: run.id)
  }

  /// Whether other shards than this process's own still are at work.
  private func closeAbandonedShards(
    of run: RunRecord, but own: RunShard, closing isOurs: Bool,
    _ isAlive: (RunShard) throws -> Bool
  ) throws -> Bool {
    var isAtWork = false
    for var shard in try shards(of: run.id) where shard.status == .running {
      // Where this process holds the lock, no other does; nor does a run of all persons go on while it
      // holds that of a shard.
      let isOwnLock =
        own.isWhole || run.shards == 1 || (own.count == run.shards && own.index == shard.index)
      if !isOwnLock, let other = RunShard(shard.index, of: run.shards), try isAlive(other) {
        isAtWork = true
        continue
      }
      guard isOurs else { continue }
      shard.status = .interrupted
      shard.error = Self.abandoned
      try put(shard)
    }
    return isAtWork
  }

  /// A run that still is `running` after that has shards that never began.
  private func closeAbandonedRun(_ run: RunRecord) throws {
    var run = try refresh(run)
    guard run.status == .running else { return }
    run.status = .interrupted
    run.error = run.error ?? (run.shards > 1 ? "not all of its shards were run" : Self.abandoned)
    try put(run)
  }

  private static var abandoned: String {
    "its process exited without recording a result; the next run noticed this"
  }
}

extension StorageError {
  fileprivate static func begunByAnother(_ run: UUID) -> StorageError {
    StorageError(
      .permissionDenied,
      "run \(run.lowercased) was to do the same, and this login may not continue it, because another"
        + " login began it",
      remedy: .changeLoginOrRestart)
  }
}

// MARK: Continuing

extension SQLRunTransaction {
  public func forget(_ checkpoints: [BatchCheckpoint], of run: UUID) throws {
    var parts = Dictionary(try shards(of: run).map { ($0.index, $0) }) { first, _ in first }
    for checkpoint in checkpoints {
      parts[checkpoint.shard]?.carried += checkpoint.counts.written
    }
    for part in parts.values { try put(part) }
    try remove(checkpoints, of: run)
  }
}

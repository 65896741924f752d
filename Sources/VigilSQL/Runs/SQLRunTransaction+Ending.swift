public import VigilModel
public import VigilStorage

extension SQLRunTransaction {
  public func end(_ ending: ShardRecord, rateLimit: NotificationRateLimit?, at now: Timestamp)
    throws
    -> RunRecord
  {
    guard let run = try self.run(ending.run) else { throw StorageError.runHasGone }
    guard let begun = try shards(of: run.id).first(where: { $0.index == ending.index }),
      begun.isSameProcess(as: ending), begun.canEnd(as: ending.status)
    else { throw StorageError.takenOver(run.id) }
    var shard = ending
    shard.carried = begun.carried
    try put(shard)
    if let rateLimit, shard.status == .succeeded {
      try release(&shard, of: run, within: rateLimit, at: now)
      try closeQueues(at: now)
    } else if run.mode == .shadow, shard.status == .succeeded {
      shard.carried.notificationsEnqueued -= try groupShadowNotifications(of: run, shard)
      try put(shard)
    }
    let ended = try refresh(run)
    try settleProfile(after: ended)
    return ended
  }

  /// Releases what a shard holds, unless it is more than the rate limit; then the shard is held.
  private func release(
    _ shard: inout ShardRecord, of run: RunRecord, within rateLimit: NotificationRateLimit,
    at now: Timestamp
  ) throws {
    let held = HeldRows(run: run.id, shard: shard.index, decidedAt: now)
    let index = shard.index
    let persons = try checkpoints(of: run.id).filter { $0.shard == index }
      .reduce(0) { $0 + $1.counts.persons }
    let limit = rateLimit.limit(persons: persons)
    do {
      try session.savepoint {
        let before = try session.count(HeldStatement.countPersonsReleased, run.id, index)
        try give(.release, to: held)
        let after = try session.count(HeldStatement.countPersonsReleased, run.id, index)
        guard after <= limit else { throw OverLimit(persons: after - before) }
      }
      try carryOut(.release, held)
    } catch let excess as OverLimit {
      shard.status = .held
      shard.error = NotificationRateLimit.message(persons: excess.persons, limit: limit)
      try put(shard)
    }
  }

  /// Ends what has waited too long, or needs no answer any more.
  private func closeQueues(at now: Timestamp) throws {
    for step in [
      QueueStatement.expireNotifications, .cancelResolvedNotifications, .expireEscalations,
      .resolveEscalations,
    ] {
      try session.execute(step, now)
    }
  }

  /// Brings the run's row in line with its shards, checkpoints and held notifications.
  @discardableResult
  func refresh(_ run: RunRecord) throws -> RunRecord {
    var refreshed = run
    var held: (held: Int, released: Int)?
    if run.mode == .live {
      held = try session.rows(HeldStatement.countHeldAndReleased, run.id) {
        try ($0.int(), $0.int())
      }.first
    }
    refreshed.derive(
      fromShards: try shards(of: run.id), checkpoints: try checkpoints(of: run.id), held: held)
    if refreshed != run { try put(refreshed) }
    return refreshed
  }
}

extension StorageError {
  static var runHasGone: StorageError {
    StorageError(.notFound, "the row of this run in batch_runs has gone")
  }
}

/// Notifications about more persons would go out than the rate limit allows; what was decided is undone.
private struct OverLimit: Error {
  var persons: Int
}

public import Foundation
public import VigilModel

extension RunTransaction {
  /// Records how a shard ended, lets its notifications go where it has evaluated everybody and the
  /// brake allows it, and gives the run as it then is.
  ///
  /// Each shard answers for its own persons: one that is late or lost keeps nobody else's notifications.
  ///
  /// - Parameter brake: Nil for a run that notifies nobody.
  /// - Throws: `StorageError` with `.locked` where another process has taken the shard over, because
  ///   this one had lost its lock; nothing is recorded then.
  public func end(_ ending: ShardRecord, brake: NotificationBrake?, at now: Timestamp) throws
    -> RunRecord
  {
    guard let run = try self.run(ending.run) else { throw StorageError.runHasGone }
    guard let begun = try shards(of: run.id).first(where: { $0.index == ending.index }),
      begun.isSameProcess(as: ending), begun.canEnd(as: ending.status)
    else { throw StorageError.takenOver(run.id) }
    var shard = ending
    shard.carried = begun.carried
    try put(shard)
    if let brake, shard.status == .succeeded {
      let held = HeldNotifications(
        of: run.id, shard: shard.index, decidedAt: now, dialect: dialect)
      let due = try count(held.countDue)
      let told = try count(held.countReleased)
      let persons = try checkpoints(of: run.id).filter { $0.shard == shard.index }
        .reduce(0) { $0 + $1.counts.persons }
      let limit = brake.limit(persons: persons)
      if told + due <= limit {
        try decide(.release, held, at: now)
      } else {
        shard.status = .held
        shard.error = NotificationBrake.message(held: due, limit: limit)
        try put(shard)
      }
      try closeQueues(at: now)
    } else if run.mode == .shadow, shard.status == .succeeded {
      shard.carried.notificationsEnqueued -= try groupShadowNotifications(of: run, shard)
      try put(shard)
    }
    let ended = try refresh(run)
    try settleProfile(after: ended)
    return ended
  }

  /// Lets go, or gives up, what a run holds; gives the run as it then is.
  ///
  /// - Throws: `StorageError` with `.notFound` where there is no such run.
  public func decide(
    _ decision: HeldNotifications.Decision, run id: UUID, at now: Timestamp
  ) throws -> RunRecord {
    guard let run = try self.run(id) else { throw StorageError.runHasGone }
    let held = HeldNotifications(of: id, shard: nil, decidedAt: now, dialect: dialect)
    try decide(decision, held, at: now)
    for var shard in try shards(of: id) where shard.status == .held {
      shard.status = .succeeded
      shard.error = nil
      try put(shard)
    }
    return try refresh(run)
  }

  private func decide(
    _ decision: HeldNotifications.Decision, _ held: HeldNotifications, at now: Timestamp
  ) throws {
    try execute(held.decide(decision))
    if decision == .release {
      try group(held)
      try execute(held.enqueue)
      try execute(held.supersedeLowerLevels)
      try execute(held.logEscalations)
    }
    try execute(held.markNotified(decision))
    try execute(HeldNotifications.supersede(at: now))
    try refreshHoldingRuns()
  }

  /// Ends what has waited too long, or needs no answer any more.
  private func closeQueues(at now: Timestamp) throws {
    try execute(DeliveryQueue.expire(at: now))
    try execute(DeliveryQueue.resolve(at: now))
    try execute(EscalationLog.expire(at: now))
    try execute(EscalationLog.resolve(at: now))
  }

  /// Makes every running episode count as notified at its present level, and gives their number
  /// (specification, runs.md section 3).
  public func goLive(at now: Timestamp) throws -> Int {
    let marked = try execute(HeldNotifications.markActiveAsNotified(at: now))
    try execute(HeldNotifications.supersede(at: now))
    try refreshHoldingRuns()
    return marked
  }

  /// What one run tells, others that hold the same need not tell any more.
  private func refreshHoldingRuns() throws {
    for run in try holdingRuns() { _ = try refresh(run) }
  }

  /// Rows of `held_notifications` of a run that wait for a decision, and that were released.
  private func heldCounts(of run: UUID) throws -> (held: Int, released: Int) {
    try rows(HeldNotifications.count(of: run)) { row in
      var row = row
      return try (row.int(), row.int())
    }.first ?? (0, 0)
  }

  /// The first column of the only row.
  private func count(_ query: BoundStatement) throws -> Int {
    try rows(query) { row in
      var row = row
      return try row.int()
    }.first ?? 0
  }

  /// Brings the run's row in line with its shards, checkpoints and held notifications.
  @discardableResult
  func refresh(_ run: RunRecord) throws -> RunRecord {
    var refreshed = run
    refreshed.derive(
      fromShards: try shards(of: run.id), checkpoints: try checkpoints(of: run.id),
      held: run.mode == .live ? try heldCounts(of: run.id) : nil)
    if refreshed != run { try put(refreshed) }
    return refreshed
  }
}

// MARK: Waiting

extension RunTransaction {
  /// Of what a run holds, what was due before `now`.
  ///
  /// - Parameter shard: Only what this shard has planned; nil for all of them.
  public func overdue(
    of run: UUID, shard: Int? = nil, at now: Timestamp
  ) throws -> [OverdueNotification] {
    try rows(HeldNotifications.overdue(of: run, shard: shard, at: now)) {
      try OverdueNotification.decode($0)
    }
  }

  /// - Parameter isQuiet: Whether `due` is when the recipient's quiet hours end.
  public func reschedule(
    _ notification: OverdueNotification, of run: UUID, for due: Timestamp, until expiry: Timestamp,
    isQuiet: Bool
  ) throws {
    try execute(
      HeldNotifications.reschedule(
        notification, of: run, for: due, until: expiry, isQuiet: isQuiet))
  }
}

extension StorageError {
  /// What a process throws whose run goes on elsewhere.
  public static func takenOver(_ run: UUID) -> StorageError {
    StorageError(
      .locked,
      "run \(run.lowercased) was taken over by another process while this one had lost its lock",
      hint: "that process ends it; vigil runs shows how")
  }

  fileprivate static var runHasGone: StorageError {
    StorageError(.notFound, "the row of this run in batch_runs has gone")
  }
}

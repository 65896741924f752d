public import Foundation
import VigilAlerts
public import VigilModel
public import VigilStorage

extension SQLRunTransaction {
  public func overdue(
    of run: UUID, shard: Int?, at now: Timestamp
  ) throws -> [OverdueNotification] {
    try session.rows(HeldStatement.listOverdueNotifications, run, now, shard) {
      try OverdueNotification(
        dedupeKey: $0.text(), recipient: $0.uuid(), channel: $0.word(), priority: $0.word(),
        statusReason: $0.wordIfPresent())
    }
  }

  public func reschedule(
    _ notification: OverdueNotification, of run: UUID, for due: Timestamp,
    until expiry: Timestamp?, because reason: PlannedNotification.StatusReason?
  ) throws {
    try session.execute(
      HeldStatement.rescheduleNotification, run, notification.dedupeKey, due, expiry,
      reason?.rawValue)
  }

  public func decide(
    _ decision: HeldDecision, run id: UUID, at now: Timestamp
  ) throws -> RunRecord {
    guard let run = try self.run(id) else { throw StorageError.runHasGone }
    let held = HeldRows(run: id, shard: nil, decidedAt: now)
    try give(decision, to: held)
    try carryOut(decision, held)
    for var shard in try shards(of: id) where shard.status == .held {
      shard.status = .succeeded
      shard.error = nil
      try put(shard)
    }
    return try refresh(run)
  }

  public func goLive(at now: Timestamp) throws -> Int {
    let marked = try session.execute(AlertStatement.markActiveAsNotified, now)
    try supersedeNotified(at: now)
    try refreshHoldingRuns()
    return marked
  }

  // MARK: Steps of a decision

  /// The rows of a run, or of one of its shards, that are decided about at an instant.
  struct HeldRows {
    var run: UUID
    /// Nil for all shards.
    var shard: Int?
    var decidedAt: Timestamp
  }

  /// Gives every row its outcome: what was decided, or why it is neither released nor discarded.
  func give(_ decision: HeldDecision, to held: HeldRows) throws {
    try session.execute(
      HeldStatement.decideHeldNotifications, held.run, held.decidedAt, held.shard,
      decision.heldOutcomes)
  }

  /// Does what follows from the outcomes.
  func carryOut(_ decision: HeldDecision, _ held: HeldRows) throws {
    if decision == .release {
      try group(held)
      try session.execute(
        HeldStatement.enqueueDecidedNotifications, held.run, held.decidedAt, held.shard,
        JSONParameter(HeldDecision.queueEntries.mapValues { $0.map(\.status.rawValue) }),
        JSONParameter(HeldDecision.queueEntries.mapValues { $0.map(\.reason?.rawValue) }))
      try session.execute(
        HeldStatement.supersedeLowerLevels, held.run, held.decidedAt, held.shard)
      let types =
        EscalationType.byMetric.map { ($0.rawValue, $1.rawValue) }
        + EscalationType.byPattern.map { ($0.rawValue, $1.rawValue) }
      try session.execute(
        HeldStatement.logEscalations, held.run, held.decidedAt, held.shard,
        JSONParameter(Dictionary(uniqueKeysWithValues: types)), EscalationType.ofOthers.rawValue)
    }
    try session.execute(
      HeldStatement.markDecidedAsNotified, held.run, held.decidedAt, held.shard,
      decision.notifiedOutcomes, decision == .release ? held.decidedAt : nil)
    try supersedeNotified(at: held.decidedAt)
    try refreshHoldingRuns()
  }

  /// Ends what runs hold of levels that members are notified of by now.
  private func supersedeNotified(at now: Timestamp) throws {
    try session.execute(HeldStatement.supersedeNotifiedLevels, now)
  }

  /// Once a run has notified of a level, others that hold the same do not any more.
  private func refreshHoldingRuns() throws {
    for run in try holdingRuns() { _ = try refresh(run) }
  }
}

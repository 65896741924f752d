import Foundation
public import VigilModel

/// What `Storage.pruneQueues` has removed, or would remove.
public struct PrunedRows: Hashable, Sendable {
  /// Pending rows of `notification_queue` that nobody has sent in time: they are cancelled, and go when
  /// they have been that for long enough.
  public var expired = 0
  /// Rows of `notification_queue`.
  public var notifications = 0
  /// Those of them whose ids are remembered, so that they are never sent again.
  public var remembered = 0
  /// Rows of `shadow_notification_queue`.
  public var shadowNotifications = 0
  /// Rows of `held_notifications`.
  public var held = 0
  /// Rows of `batch_checkpoints`.
  public var checkpoints = 0

  public init() {}

  /// All that is removed.
  public var total: Int { notifications + shadowNotifications + held + checkpoints }
}

extension Storage {
  /// Removes rows of the queues that ended before `cutoff`, and what runs have left that ended then.
  ///
  /// From `notification_queue` go rows that are sent, failed, cancelled or skipped, a group together with
  /// what it tells; never one that is pending or being sent. Of `held_notifications` go decided rows, and
  /// with the checkpoints everything of runs that were cut off; never what a brake holds, nor anything of
  /// a run that is going on. What was or might have been sent is not enqueued again: its id stays in
  /// `spent_notifications`.
  ///
  /// Each of its transactions is short, so that senders and runs need not wait; it may be cut off at
  /// any time and done again.
  ///
  /// - Parameter rowsAtOnce: About how many rows of a queue one transaction removes.
  /// - Complexity: O(rows of the queues).
  public func pruneQueues(
    endedBefore cutoff: Timestamp, at now: Timestamp, rowsAtOnce: Int = 2_000
  ) throws -> PrunedRows {
    let pruning = QueuePruning(cutoff: cutoff, now: now)
    var pruned = PrunedRows()
    pruned.expired = try withRuns { try $0.execute(DeliveryQueue.expire(at: now)) }
    try forEachPage { last in
      let page = try withRuns { try $0.prunePage(pruning, after: last, limit: rowsAtOnce) }
      pruned.notifications += page.removed
      pruned.remembered += page.remembered
      return page.last
    }
    try forEachPage { last in
      let page = try withRuns { try $0.pruneShadowPage(pruning, after: last, limit: rowsAtOnce) }
      pruned.shadowNotifications += page.removed
      return page.last
    }
    let runPruning = RunPruning(cutoff: cutoff)
    for run in try rows(runPruning.runs, { try id(of: $0) }) {
      let part = try withRuns { try $0.prune(run, runPruning) }
      pruned.held += part.held
      pruned.checkpoints += part.checkpoints
    }
    return pruned
  }

  /// What `pruneQueues` would do now; reads only.
  public func prunableRows(endedBefore cutoff: Timestamp, at now: Timestamp) throws -> PrunedRows {
    let pruning = QueuePruning(cutoff: cutoff, now: now)
    let runPruning = RunPruning(cutoff: cutoff)
    func count(_ query: BoundStatement) throws -> Int {
      try rows(query) { row in
        var row = row
        return try row.int()
      }.first ?? 0
    }
    var prunable = PrunedRows()
    prunable.expired = try count(pruning.expiredCount)
    let live = try rows(pruning.liveCounts) { row in
      var row = row
      return (count: try row.int(), remembered: try row.int())
    }.first
    prunable.notifications = live?.count ?? 0
    prunable.remembered = live?.remembered ?? 0
    prunable.shadowNotifications = try count(pruning.shadowCount)
    prunable.held = try count(runPruning.heldCount)
    prunable.checkpoints = try count(runPruning.checkpointCount)
    return prunable
  }

  /// Calls `body` with the last id of the page before, until there is no other page.
  private func forEachPage(_ body: (_ last: UUID) throws -> UUID?) throws {
    var last = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    while let next = try body(last) { last = next }
  }
}

private func id(of row: some RowReader) throws -> UUID {
  var row = row
  return try row.uuid()
}

extension RunTransaction {
  /// `last` is nil where there was nothing left.
  fileprivate func prunePage(
    _ pruning: QueuePruning, after last: UUID, limit: Int
  ) throws -> (removed: Int, remembered: Int, last: UUID?) {
    let ended = try rows(pruning.page(after: last, limit: limit)) {
      try QueuePruning.Ended.decode($0)
    }
    guard !ended.isEmpty else { return (0, 0, nil) }
    let spent = ended.filter(\.isSpent).map(\.id)
    if !spent.isEmpty { try execute(pruning.remember(spent, dialect)) }
    let removed = try execute(pruning.remove(ended.map(\.id), dialect))
    return (removed, spent.count, ended.map(\.root).max { $0.lowercased < $1.lowercased })
  }

  fileprivate func pruneShadowPage(
    _ pruning: QueuePruning, after last: UUID, limit: Int
  ) throws -> (removed: Int, last: UUID?) {
    let ended = try rows(pruning.shadowPage(after: last, limit: limit)) { try id(of: $0) }
    guard !ended.isEmpty else { return (0, nil) }
    return (try execute(pruning.removeShadow(ended, dialect)), ended.last)
  }
}

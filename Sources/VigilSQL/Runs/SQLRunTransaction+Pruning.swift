import Foundation
import VigilModel
import VigilStorage

extension SQLRunTransaction {
  /// Removes one page of rows of the live queue, and the groups and members that belong to them.
  ///
  /// - Returns: The last id of the page; nil where there was nothing left.
  func prunePage(
    endedBefore cutoff: Timestamp, at now: Timestamp, after last: UUID, limit: Int
  ) throws -> (removed: Int, remembered: Int, last: UUID?) {
    let ended = try session.rows(PruneStatement.listEndedNotifications, cutoff, now, last, limit) {
      try (root: $0.uuid(), id: $0.uuid(), isSpent: $0.int() == 1)
    }
    guard !ended.isEmpty else { return (0, 0, nil) }
    let spent = ended.filter(\.isSpent).map(\.id)
    if !spent.isEmpty { try session.execute(PruneStatement.rememberSpentNotifications, spent, now) }
    let removed = try session.execute(PruneStatement.removeEndedNotifications, ended.map(\.id))
    return (removed, spent.count, ended.map(\.root).max { $0.lowercased < $1.lowercased })
  }

  /// The same for the shadow queue, which has no row that must be remembered.
  func pruneShadowPage(
    endedBefore cutoff: Timestamp, at now: Timestamp, after last: UUID, limit: Int
  ) throws -> (removed: Int, last: UUID?) {
    let ended = try session.rows(
      PruneStatement.listEndedShadowNotifications, cutoff, now, last, limit
    ) { try $0.uuid() }
    guard !ended.isEmpty else { return (0, nil) }
    return (try session.execute(PruneStatement.removeShadowNotifications, ended), ended.last)
  }

  /// Removes what a run has left, and returns how many rows of `held_notifications` and checkpoints those
  /// were.
  ///
  /// The held rows of an abandoned run go together with its checkpoints. A command that continues the run
  /// evaluates these batches and plans their notifications again.
  func prune(
    _ run: UUID, endedBefore cutoff: Timestamp
  ) throws -> (held: Int, checkpoints: Int) {
    let isAbandoned = try !session.rows(PruneStatement.findAbandonedRun, cutoff, run) {
      try $0.uuid()
    }.isEmpty
    let done = isAbandoned ? try checkpoints(of: run) : []
    if !done.isEmpty { try forget(done, of: run) }
    let released = try session.rows(
      PruneStatement.countPrunableReleased, cutoff, run, isAbandoned
    ) { (shard: try $0.int(), count: try $0.int()) }
    let parts = try shards(of: run)
    for var part in parts {
      guard let own = released.first(where: { $0.shard == part.index }) else { continue }
      part.carried.notificationsEnqueued += own.count
      try put(part)
    }
    let held = try session.execute(PruneStatement.removeHeldNotifications, cutoff, run, isAbandoned)
    if let record = try self.run(run) { try refresh(record) }
    return (held, done.count)
  }
}

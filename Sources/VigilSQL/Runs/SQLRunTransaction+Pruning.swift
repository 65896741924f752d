import Foundation
import VigilModel
import VigilStorage

extension SQLRunTransaction {
  /// One page of rows that are over, with the groups and members that belong to them.
  struct EndedPage {
    var queue: DeliveryQueue
    /// With whether the id has to be remembered, so that the notification is not planned anew.
    var ended: [(id: UUID, isSpent: Bool)]
    /// The last id of the page; nil where there was nothing left.
    var last: UUID?
  }

  /// Finds one page of rows of a queue.
  func endedPage(
    of queue: DeliveryQueue, endedBefore cutoff: Timestamp, at now: Timestamp, after last: UUID,
    limit: Int
  ) throws -> EndedPage {
    switch queue {
    case .live:
      let ended = try session.rows(
        PruneStatement.listEndedNotifications, cutoff, now, last, limit
      ) {
        try (root: $0.uuid(), id: $0.uuid(), isSpent: $0.int() == 1)
      }
      return EndedPage(
        queue: queue, ended: ended.map { ($0.id, $0.isSpent) },
        last: ended.map(\.root).max { $0.lowercased < $1.lowercased })
    case .shadow:
      let ended = try session.rows(
        PruneStatement.listEndedShadowNotifications, cutoff, now, last, limit
      ) { try $0.uuid() }
      return EndedPage(queue: queue, ended: ended.map { ($0, false) }, last: ended.last)
    }
  }

  /// Removes the rows of a page, and remembers the ids of those that must not come again.
  func remove(_ page: EndedPage, at now: Timestamp) throws -> (removed: Int, remembered: Int) {
    guard !page.ended.isEmpty else { return (0, 0) }
    let spent = page.ended.filter(\.isSpent).map(\.id)
    if !spent.isEmpty { try session.execute(PruneStatement.rememberSpentNotifications, spent, now) }
    let ids = page.ended.map(\.id)
    let removed =
      switch page.queue {
      case .live: try session.execute(PruneStatement.removeEndedNotifications, ids)
      case .shadow: try session.execute(PruneStatement.removeShadowNotifications, ids)
      }
    return (removed, spent.count)
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

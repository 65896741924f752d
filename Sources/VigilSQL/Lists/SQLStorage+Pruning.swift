import Foundation
public import VigilModel
public import VigilStorage

extension SQLStorage {
  public func pruneQueues(
    endedBefore cutoff: Timestamp, at now: Timestamp, rowsAtOnce: Int
  ) throws -> PrunedRows {
    var pruned = PrunedRows()
    pruned.expired = try withRunSession { try $0.execute(QueueStatement.expireNotifications, now) }
    for queue in [DeliveryQueue.live, .shadow] {
      try forEachPage { runs, last in
        let page = try runs.endedPage(
          of: queue, endedBefore: cutoff, at: now, after: last, limit: rowsAtOnce)
        return (page.last, try runs.remove(page, at: now))
      } adding: { removed, remembered in
        switch queue {
        case .live: pruned.notifications += removed
        case .shadow: pruned.shadowNotifications += removed
        }
        pruned.remembered += remembered
      }
    }
    pruned.messages = try withRunSession {
      try $0.execute(PruneStatement.removeMessages, cutoff.utcDay.firstOfMonth)
    }
    pruned.measures = try withRunSession {
      try $0.execute(PruneStatement.removeMeasures, Self.firstKeptDay(of: cutoff, at: now))
    }
    pruned.calls = try withRunSession {
      try $0.execute(PruneStatement.removeCalls, cutoff, now.lastOfCallsActedUpon)
    }
    pruned.events = try withRunSession { try $0.execute(PersonStatement.removeEvents, cutoff) }
    let runs = try withSession { session in
      try session.rows(PruneStatement.listRunsToPrune, cutoff) { try $0.uuid() }
    }
    for run in runs {
      let part = try withRunSession {
        try SQLRunTransaction(session: $0).prune(run, endedBefore: cutoff)
      }
      pruned.held += part.held
      pruned.checkpoints += part.checkpoints
    }
    return pruned
  }

  public func prunableRows(endedBefore cutoff: Timestamp, at now: Timestamp) throws -> PrunedRows {
    try withSession { session in
      var prunable = PrunedRows()
      prunable.expired = try session.count(PruneStatement.countExpiredNotifications, now)
      let live = try session.rows(PruneStatement.countEndedNotifications, cutoff, now) {
        (count: try $0.int(), remembered: try $0.int())
      }.first
      prunable.notifications = live?.count ?? 0
      prunable.remembered = live?.remembered ?? 0
      prunable.shadowNotifications = try session.count(
        PruneStatement.countEndedShadowNotifications, cutoff, now)
      prunable.messages = try session.count(
        PruneStatement.countPrunableMessages, cutoff.utcDay.firstOfMonth)
      prunable.measures = try session.count(
        PruneStatement.countPrunableMeasures, Self.firstKeptDay(of: cutoff, at: now))
      prunable.calls = try session.count(
        PruneStatement.countPrunableCalls, cutoff, now.lastOfCallsActedUpon)
      prunable.events = try session.count(PersonStatement.countPrunableEvents, cutoff)
      prunable.held = try session.count(PruneStatement.countPrunableHeld, cutoff)
      prunable.checkpoints = try session.count(PruneStatement.countPrunableCheckpoints, cutoff)
      return prunable
    }
  }

  /// Nights compare the measures of the days that they judge anew with the stored ones, so these stay whatever the
  /// cutoff.
  private static func firstKeptDay(of cutoff: Timestamp, at now: Timestamp) -> Day {
    min(cutoff.utcDay, now.utcDay - PrunedRows.daysOfMeasuresKept)
  }

  /// Calls `page` with the last id of the page before, each in a transaction of its own, until there is no
  /// other page.
  private func forEachPage(
    _ page: (SQLRunTransaction<Session>, _ last: UUID) throws -> (
      last: UUID?, (removed: Int, remembered: Int)
    ),
    adding: (_ removed: Int, _ remembered: Int) -> Void
  ) throws {
    var last: UUID? = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    while let before = last {
      let (next, found) = try withRunSession { try page(SQLRunTransaction(session: $0), before) }
      adding(found.removed, found.remembered)
      last = next
    }
  }
}

extension Timestamp {
  /// Calls that expired before it are not acted upon any more now, whatever the window: it is a day at most, and a sender
  /// acts until a day after its end.
  var lastOfCallsActedUpon: Timestamp { adding(seconds: -2 * 24 * 3600) }
}

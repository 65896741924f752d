public import Foundation
public import VigilModel

/// The queues, and what people say about alerts.
public protocol QueueStorage: Sendable {
  /// Rows of a queue: first what is pending, in the order in which it is due, then the newest.
  ///
  /// - Parameter limit: How many at most; nil for all.
  /// - Complexity: O(rows of the queue); rows that leave it keep it short.
  func notifications(matching filter: NotificationFilter, limit: Int?) throws
    -> [QueuedNotification]

  /// Returns the number of rows that match, by status.
  func notificationCounts(
    matching filter: NotificationFilter
  ) throws -> [PlannedNotification.Status: Int]

  /// The runs whose notifications the rate limit has held back until a person decides, with their number;
  /// the newest first.
  func notificationsWaitingForDecision() throws -> [(run: UUID, notifications: Int)]

  /// Whether a person has decided not to send what a run held.
  func hasDiscardedNotifications() throws -> Bool

  /// Returns the number of active alerts of shadow nights that were never notified; 0 once a live run has
  /// notified of anything, or `golive`, a release or a discard has decided about it.
  func alertsNeverNotified() throws -> Int

  /// Carries out what a person says about an alert.
  ///
  /// What of the alert waits in the queue is cancelled by a snooze or a dismissal and waits again after
  /// `restore`, unless it has expired. An acknowledgement answers the alert's open escalations. Saying
  /// the same again changes nothing but is recorded.
  ///
  /// - Throws: `StorageError`, with `.notFound` for an alert or a person that is not there,
  ///   `.permissionDenied` for an actor who is neither the person nor of their family, and `.ended`
  ///   for an alert that is over.
  func carryOut(_ action: AlertAction) throws -> AlertActionOutcome

  /// The actions on an alert, in order of time.
  func actions(on alert: UUID) throws -> [AlertAction]

  /// Removes rows of the queues that ended before `cutoff`, and what runs have left that ended then.
  ///
  /// From `notification_queue` go rows that are sent, failed, cancelled or skipped, a group together with
  /// its members; never one that is pending or being sent. Of `held_notifications` go decided rows, and
  /// with the checkpoints everything of runs that were cut off; never what the rate limit holds, nor
  /// anything of a run that is going on. What was or might have been sent is not enqueued again: its id
  /// stays in `spent_notifications`.
  ///
  /// Each of its transactions is short, so that senders and runs need not wait; it may be cut off at
  /// any time and done again.
  ///
  /// - Parameter rowsAtOnce: About how many rows of a queue one transaction removes.
  /// - Complexity: O(rows of the queues).
  func pruneQueues(
    endedBefore cutoff: Timestamp, at now: Timestamp, rowsAtOnce: Int
  ) throws -> PrunedRows

  /// The rows that `pruneQueues` would remove now; reads only.
  func prunableRows(endedBefore cutoff: Timestamp, at now: Timestamp) throws -> PrunedRows
}

extension QueueStorage {
  public func notifications(matching filter: NotificationFilter) throws -> [QueuedNotification] {
    try notifications(matching: filter, limit: nil)
  }

  /// Removes rows in pages of 2,000.
  public func pruneQueues(endedBefore cutoff: Timestamp, at now: Timestamp) throws -> PrunedRows {
    try pruneQueues(endedBefore: cutoff, at: now, rowsAtOnce: 2_000)
  }
}

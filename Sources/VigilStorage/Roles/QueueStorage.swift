public import Foundation
public import VigilModel

/// The queues, and the actions of members on alerts.
public protocol QueueStorage: Sendable {
  /// Rows of a queue: first the pending ones, in the order in which they are due, then the newest.
  ///
  /// - Parameters:
  ///   - filter: The queue, and which of its rows.
  ///   - limit: The largest number of rows; nil for all.
  /// - Complexity: O(rows of the queue); rows that leave it keep it short.
  func notifications(matching filter: NotificationFilter, limit: Int?) throws
    -> [QueuedNotification]

  /// Returns the number of rows that match, by status.
  func notificationCounts(
    matching filter: NotificationFilter
  ) throws -> [PlannedNotification.Status: Int]

  /// Returns the number of rows of the live queue that match and that their recipients have read in the app; 0 for the other
  /// queues.
  func readCount(matching filter: NotificationFilter) throws -> Int

  /// The runs whose notifications are held because of the rate limit until an operator decides,
  /// with their numbers; the newest first.
  func notificationsWaitingForDecision() throws -> [(run: UUID, notifications: Int)]

  /// Whether an operator has decided not to send the notifications that a run held.
  func hasDiscardedNotifications() throws -> Bool

  /// Returns the number of active alerts of shadow nights that were never notified; 0 once a live
  /// run has notified of anything, or `golive`, a release or a discard has decided about them.
  func alertsNeverNotified() throws -> Int

  /// Carries out the action of a person on an alert.
  ///
  /// A snooze or a dismissal cancels the alert's waiting notifications; `restore` lets them wait
  /// again unless they have expired. An acknowledgement answers the alert's open escalations. A
  /// repeated action changes nothing but is recorded.
  ///
  /// - Throws: `StorageError`, with `.notFound` for an unknown alert or person, `.permissionDenied`
  ///   for an actor who is neither the person nor a member of their family, and `.ended` for an
  ///   alert that has ended.
  func carryOut(_ action: AlertAction) throws -> AlertActionOutcome

  /// The actions on an alert, in order of time.
  func actions(on alert: UUID) throws -> [AlertAction]

  /// Removes rows of the queues that ended before `cutoff`, and the remains of runs that ended
  /// before it.
  ///
  /// From `notification_queue` it removes rows that are sent, failed, cancelled or skipped, a group
  /// together with its members; never one that is pending or being sent. From `held_notifications`
  /// it removes decided rows, and with the checkpoints all rows of runs that were cut off; never
  /// rows that the rate limit holds, nor rows of a run that is going on. A notification that was or
  /// might have been sent is not enqueued again: its id stays in `spent_notifications`.
  ///
  /// Each of its transactions is short, so that senders and runs need not wait; it may be cut off at
  /// any time and done again.
  ///
  /// - Parameters:
  ///   - cutoff: Rows that ended before this instant are removed.
  ///   - now: The instant that counts as now.
  ///   - rowsAtOnce: The approximate number of rows of a queue that one transaction removes.
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

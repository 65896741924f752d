public import Foundation
public import VigilModel

/// The queue as a sender sees it: it takes rows for a while, and records their outcomes.
///
/// Each row that is taken has a lease, which ends by itself, and a fencing token, which grows with each
/// taking. An outcome counts only with the token of the latest taking, so that a sender that was stopped and
/// goes on cannot undo the work of its successor.
///
/// Methods take any number of rows at once; a worker that is fast asks seldom.
public protocol DispatchStorage: Sendable {
  /// Takes due rows of a channel, by priority, then in the order in which they are due.
  ///
  /// Each taking counts as an attempt; an outcome that says that there was none gives it back.
  /// Rows that another sender is taking at the same moment are skipped. Rows that have expired are
  /// taken too, so that their outcome is recorded.
  ///
  /// - Complexity: O(log queue + rows), by an index.
  func claim(_ request: DispatchClaim, at now: Timestamp) throws -> [ClaimedNotification]

  /// Reads rows that `claim` would take, and changes nothing: those of one priority, in the order in which they
  /// are due, and those whose lease has ended.
  ///
  /// - Parameters:
  ///   - channel: Theirs.
  ///   - priority: The same.
  ///   - place: The end of the page before; nil for the first page.
  ///   - limit: The most rows of a page.
  ///   - end: Leases that have ended by then are those of senders that are gone.
  ///   - now: The present instant.
  /// - Complexity: O(log queue + rows), by an index, and all rows whose lease has ended.
  func dueNotifications(
    on channel: PlannedNotification.Channel, _ priority: PlannedNotification.Priority,
    after place: DuePage.Place?, limit: Int, leasesEndedBy end: Timestamp, at now: Timestamp
  ) throws -> DuePage

  /// Reads what decides whether the rows are sent after all: what members, recipients and nights have
  /// changed since the rows were planned.
  ///
  /// - Parameters:
  ///   - rows: The rows, each taken by this sender.
  ///   - day: Begins the time in which deliveries to a recipient are counted; nil to count none.
  /// - Returns: By the id of the row; rows that are gone are left out.
  func circumstances(
    of rows: [ClaimedNotification], countingSince day: Timestamp?
  ) throws -> [UUID: ClaimCircumstances]

  /// The addresses of those of `users` that have one on the channel: verified contact points, or the push
  /// tokens that are not revoked.
  func addresses(
    of users: [UUID], on channel: PlannedNotification.Channel
  ) throws -> [UUID: [DeliveryAddress]]

  /// Counts the text messages of a month to the recipients of rows, by the id of the row; rows without any are
  /// left out.
  ///
  /// - Parameters:
  ///   - rows: Rows of any channel.
  ///   - month: Its first day, in UTC.
  func messageCounts(
    of rows: [ClaimedNotification], in month: Day
  ) throws -> [UUID: MessageCount]

  /// Logs text messages before their attempts begin, in one transaction, as far as the quota allows.
  ///
  /// Senders that do this for one recipient at the same moment wait for each other, so that together they keep to
  /// the quota. A sender that is killed leaves its message in the log, where it counts.
  ///
  /// - Parameters:
  ///   - messages: Each of a row that this sender has taken, in the order in which they are to be sent.
  ///   - month: Its first day, in UTC.
  ///   - quota: The messages to a recipient in a month; nil for no limit. Critical rows are always logged.
  ///   - now: The present instant.
  /// - Returns: The ids of rows that were logged, and are to be sent.
  func logMessages(
    _ messages: [LoggedMessage], in month: Day, quota: Int?, at now: Timestamp
  ) throws -> Set<UUID>

  /// Records by which quota of text messages senders go; nil for none. The same again changes nothing.
  func record(_ allowance: MessageAllowance?, at now: Timestamp) throws

  /// Records what a provider reports about a text message.
  ///
  /// Reports may come twice, in any order, and before the sender has recorded the provider's answer.
  ///
  /// - Returns: The state of the message then.
  /// - Throws: `StorageError` with `.notFound` for a message that is not in the log, and `.constraint` for a report of a
  ///   time that has not come.
  func recordDelivery(_ report: MessageReport, at now: Timestamp) throws -> MessageDelivery

  /// Prolongs leases until `end`.
  ///
  /// - Returns: The ids of rows that are still this sender's.
  func renew(_ leases: [DispatchLease], until end: Timestamp) throws -> Set<UUID>

  /// Records the outcomes of rows, and ends their leases; repeated calls change nothing more.
  ///
  /// The ends of text messages are recorded in the same transaction. `.sent` counts also for a row that was taken
  /// back, as long as no other sender has taken it since.
  ///
  /// - Returns: The ids of rows whose outcome was recorded; the others belong to another sender now.
  func settle(_ outcomes: [DispatchOutcome], at now: Timestamp) throws -> Set<UUID>

  /// Takes back rows whose leases have ended, because their senders are gone: they wait again, or have failed
  /// with `outcome_unknown` after their last attempt.
  func takeBackLeases(endedBy now: Timestamp) throws -> TakenBackLeases

  /// Cancels rows of the app, which no sender sends, that are pending still.
  ///
  /// - Parameters:
  ///   - reasons: The rows, and why each is not to be shown any more.
  ///   - now: The present instant.
  /// - Returns: The number of rows that were cancelled, by reason.
  func cancelInApp(
    _ reasons: [UUID: PlannedNotification.StatusReason], at now: Timestamp
  ) throws -> [PlannedNotification.StatusReason: Int]

  /// The channels whose attempts have failed one after the other, whether their rest is over or not.
  func channelRests() throws -> [ChannelRest]

  /// Lets a channel rest, for all senders; nil ends its rest. The same again changes nothing.
  func record(
    _ rest: ChannelRest?, of channel: PlannedNotification.Channel, at now: Timestamp
  ) throws

  /// Counts the rows that have failed since `start`, by channel and code, the most first.
  func deadLetters(since start: Timestamp) throws -> [DeadLetters]

  /// When the newest run began, by the clock of its host; nil where there was none.
  func newestRunStart() throws -> Timestamp?

  /// The number of due rows on the channels, at most `limit`, and the time since when the oldest is due.
  func dispatchBacklog(
    on channels: [PlannedNotification.Channel], at now: Timestamp, limit: Int
  ) throws -> DispatchBacklog

  /// Lets a row that failed, expired, was cancelled by hand or waits for its next attempt be sent at once, with
  /// all its attempts; one that would expire within a day has another day. A rest of its channel ends.
  ///
  /// - Throws: `StorageError` with `.notFound` for an unknown row, and `.ended` for one in another state.
  func retryNotification(_ id: UUID, at now: Timestamp) throws

  /// Reads what senders have done with a row of the live queue; nil where there is no such row.
  func sendingState(of id: UUID) throws -> SendingState?

  /// Cancels a row that waits.
  ///
  /// - Throws: `StorageError` with `.notFound` for an unknown row, and `.ended` for one that does not wait.
  func cancelNotification(_ id: UUID, at now: Timestamp) throws

  /// Makes an alarm that wakes a sender when rows are added; nil where the database has none, and a sender has
  /// to look now and then.
  func makeQueueAlarm() throws -> (any QueueAlarm)?

  /// The profiles of those of `users` that have one, or rows of `do_not_disturb`.
  func profiles(of users: [UUID]) throws -> [UUID: UserProfile]
}

/// Wakes a sender when rows are added to the queue.
public protocol QueueAlarm: AnyObject, Sendable {
  /// Blocks its thread until rows were added, or the time is over.
  ///
  /// - Returns: Whether rows may have been added since the last call.
  func wait(upTo time: Duration) throws -> Bool
}

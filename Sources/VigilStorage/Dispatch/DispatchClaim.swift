public import VigilModel

/// A sender's request for rows of one channel.
public struct DispatchClaim: Hashable, Sendable {
  public var channel: PlannedNotification.Channel
  /// The sender, for people who look at the table; at most one of a name at work at a time.
  public var owner: String
  public var limit: Int
  /// The end of the lease.
  public var leaseUntil: Timestamp

  public init(
    channel: PlannedNotification.Channel, owner: String, limit: Int, leaseUntil: Timestamp
  ) {
    self.channel = channel
    self.owner = owner
    self.limit = limit
    self.leaseUntil = leaseUntil
  }
}

/// The numbers of rows that were taken back from senders that are gone.
public struct TakenBackLeases: Hashable, Sendable {
  /// Rows which wait for another attempt.
  public var waiting: Int
  /// Rows which have had their last attempt, whose outcome is not known.
  public var failed: Int

  public init(waiting: Int = 0, failed: Int = 0) {
    self.waiting = waiting
    self.failed = failed
  }
}

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

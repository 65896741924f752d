public import VigilModel

/// The work of senders on a row of the live queue, for people who look at it.
public struct SendingState: Hashable, Sendable {
  /// The sender that has the row, such as `host:4711:email`; nil for none.
  public var owner: String?
  /// Until when the row is that sender's.
  public var leaseUntil: Timestamp?
  /// The number of times that a sender has taken the row.
  public var takings: Int
  /// When a sender may try again, or for the first time; nil where that is when the row is due.
  public var nextAttempt: Timestamp?

  public init(
    owner: String? = nil, leaseUntil: Timestamp? = nil, takings: Int = 0,
    nextAttempt: Timestamp? = nil
  ) {
    self.owner = owner
    self.leaseUntil = leaseUntil
    self.takings = takings
    self.nextAttempt = nextAttempt
  }
}

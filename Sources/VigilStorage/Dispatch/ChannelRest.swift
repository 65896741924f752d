public import VigilModel

/// A channel that senders leave alone for a while, because its attempts have failed one after the other.
public struct ChannelRest: Hashable, Sendable {
  public var channel: PlannedNotification.Channel
  /// The number of rests in a row, from 1.
  public var rests: Int
  /// The attempts that have failed in a row.
  public var failures: Int
  /// The code of the last of them.
  public var error: DeliveryErrorCode
  /// The end of the rest, after which one attempt follows.
  public var until: Timestamp

  public init(
    channel: PlannedNotification.Channel, rests: Int, failures: Int, error: DeliveryErrorCode,
    until: Timestamp
  ) {
    self.channel = channel
    self.rests = rests
    self.failures = failures
    self.error = error
    self.until = until
  }

  /// No rest is longer; one that seems to be was recorded by a clock that was wrong.
  public static let longestSeconds: Int64 = 24 * 3600

  /// Whether it has ended.
  public func isOver(at now: Timestamp) -> Bool {
    until <= now || until > now.adding(seconds: Self.longestSeconds)
  }
}

/// The number of notifications of a channel that have failed for the same reason.
public struct DeadLetters: Hashable, Sendable {
  public var channel: PlannedNotification.Channel
  public var error: DeliveryErrorCode
  public var count: Int

  public init(channel: PlannedNotification.Channel, error: DeliveryErrorCode, count: Int) {
    self.channel = channel
    self.error = error
    self.count = count
  }
}

import VigilModel
public import VigilStorage

/// The text messages that a recipient may have in a month in UTC, and those that they have had.
public struct MessageQuota: Hashable, Sendable {
  public var messages: Int
  /// The messages of this month.
  public var count: MessageCount
  /// Rows for the same recipient that this sender is about to send before, and that are not counted.
  public var earlier: Int

  public init(_ messages: Int, _ count: MessageCount, after earlier: Int = 0) {
    self.messages = messages
    self.count = count
    self.earlier = earlier
  }

  /// Returns when the recipient may have another message; nil where the quota allows one now.
  ///
  /// Critical rows are always sent; they count all the same, because the provider bills them.
  func freeAgain(for priority: PlannedNotification.Priority, at now: Timestamp) -> Timestamp? {
    guard priority != .critical, !count.includesRow, count.others + earlier >= messages else {
      return nil
    }
    return count.others - count.underWay >= messages
      ? now.utcDay.firstOfNextMonth.midnight : Self.nextLook(after: now)
  }

  /// When it is known how messages under way have ended: one that fails gives its place back.
  static func nextLook(after now: Timestamp) -> Timestamp { now.adding(seconds: 60) }
}

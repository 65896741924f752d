public import VigilModel

/// The text messages that a recipient may have in a month, as a sender goes by.
public struct MessageAllowance: Hashable, Sendable {
  public var perMonth: Int
  /// The share, from 1 to 100, at which a recipient is notified.
  public var warningPercent: Int

  public init(perMonth: Int, warningPercent: Int) {
    self.perMonth = perMonth
    self.warningPercent = warningPercent
  }
}

/// The text messages that a person has had in a month of UTC, and may have.
public struct MessageUse: Hashable, Sendable {
  /// Its first day.
  public var month: Day
  /// Messages that were sent, or may have been; critical ones, and those to the person's emergency contacts, count.
  public var used: Int
  /// Nil without a limit.
  public var allowed: Int?

  public init(month: Day, used: Int, allowed: Int?) {
    self.month = month
    self.used = used
    self.allowed = allowed
  }

  /// Nil without a limit.
  public var remaining: Int? { allowed.map { max(0, $0 - used) } }

  /// When the next month begins.
  public var startsAgain: Timestamp { month.firstOfNextMonth.midnight }
}

import VigilAlerts
public import VigilModel
public import VigilStorage

extension ClaimedNotification {
  /// Decides whether this row, a text message, is sent now, or its recipient has had as many as a month allows.
  ///
  /// Critical rows are always sent; they count all the same, because the provider bills them.
  ///
  /// - Parameters:
  ///   - quota: The messages to a recipient in a month in UTC; nil for no limit.
  ///   - count: The messages of this month.
  ///   - earlier: Rows for the same recipient that this sender is about to send before, and that are not counted.
  ///   - now: The present instant.
  public func decision(
    underQuota quota: Int?, _ count: MessageCount, after earlier: Int = 0, at now: Timestamp
  ) -> SendingDecision {
    guard let quota, priority != .critical, !count.includesRow else { return .send }
    guard count.others + earlier >= quota else { return .send }
    if count.others - count.underWay >= quota {
      return waiting(until: now.utcDay.firstOfNextMonth.midnight)
    }
    return waitingForPlace(at: now)
  }

  /// The decision where messages under way have the last places: one that fails gives its place back.
  func waitingForPlace(at now: Timestamp) -> SendingDecision {
    waiting(until: now.adding(seconds: 60))
  }

  private func waiting(until time: Timestamp) -> SendingDecision {
    time < expiresAt ? .wait(until: time, .monthlyQuota) : .cancel(.monthlyQuota)
  }
}

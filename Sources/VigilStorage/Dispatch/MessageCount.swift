/// The text messages of a month that bear on a row of the queue.
public struct MessageCount: Hashable, Sendable {
  /// Other messages to the recipient that were sent, may have been, or are being sent.
  public var others: Int
  /// Of these, the ones that senders are sending at this moment: they may prove not to be sent.
  public var underWay: Int
  /// Whether the row itself counts already, because an earlier attempt may have sent it.
  public var includesRow: Bool

  public init(others: Int = 0, underWay: Int = 0, includesRow: Bool = false) {
    self.others = others
    self.underWay = underWay
    self.includesRow = includesRow
  }
}

/// The end of an attempt to send a text message, as `sms_log` records it.
public enum MessageEnd: String, Hashable, Sendable {
  case sent
  /// No answer came: the provider may have sent it.
  case unknown
  /// It was certainly not sent, so that it does not count.
  case notSent = "not_sent"
}

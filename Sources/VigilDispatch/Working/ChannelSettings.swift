public import VigilModel
public import VigilStorage

/// The settings of one channel's delivery.
public struct ChannelSettings: Hashable, Sendable {
  public var channel: PlannedNotification.Channel
  /// Attempts at once.
  public var concurrency: Int
  /// Nil for no limit.
  public var perSecond: Double?
  /// The longest time of an attempt.
  public var timeout: Duration
  /// Whether the provider is given the recipient's addresses; a row without one is a dead letter then.
  public var needsAddress: Bool
  /// Deliveries to a recipient in 24 hours that are not critical; nil for no limit.
  public var perRecipientAndDay: Int?
  /// Text messages to a recipient in a month of UTC; nil for no limit.
  public var perRecipientAndMonth: Int?
  /// The share of these, in percent, at which a recipient is notified.
  public var quotaWarningPercent = 80
  /// Of one part of a text message; nil where only the provider knows it.
  public var messagePrice: MessageCost?
  /// The key of the digests of telephone numbers; nil to log none.
  public var numberKey: NumberKey?
  public var retry: RetrySchedule
  /// For how long a row is this sender's; afterwards another one may take it.
  public var leaseSeconds: Int64

  public init(
    channel: PlannedNotification.Channel, concurrency: Int = 8, perSecond: Double? = nil,
    timeout: Duration = .seconds(15), needsAddress: Bool = false, perRecipientAndDay: Int? = nil,
    perRecipientAndMonth: Int? = nil, retry: RetrySchedule = RetrySchedule(),
    leaseSeconds: Int64? = nil
  ) {
    self.channel = channel
    self.concurrency = concurrency
    self.perSecond = perSecond
    self.timeout = timeout
    self.needsAddress = needsAddress
    self.perRecipientAndDay = perRecipientAndDay
    self.perRecipientAndMonth = perRecipientAndMonth
    self.retry = retry
    self.leaseSeconds = leaseSeconds ?? max(60, 2 * Self.leastLeaseSeconds(timeout: timeout))
  }

  /// Whether its attempts are logged in `sms_log`, which the quota counts.
  var logsMessages: Bool { channel == .sms }

  /// The quota of text messages; nil for none.
  var messageAllowance: MessageAllowance? {
    perRecipientAndMonth.map {
      MessageAllowance(perMonth: $0, warningPercent: quotaWarningPercent)
    }
  }

  /// Makes no more attempts at once than there are descriptors for, but one.
  ///
  /// - Parameters:
  ///   - free: The descriptors that the attempts of this channel may use.
  ///   - each: Those that an attempt needs.
  public mutating func fit(intoDescriptors free: Int, each: Int) {
    concurrency = min(concurrency, max(1, free / each))
  }

  /// The least length of a lease in seconds.
  ///
  /// A row is renewed after a half of it, and an attempt has to fit into the rest.
  public static func leastLeaseSeconds(timeout: Duration) -> Int64 {
    Int64(clamping: (2 * (timeout / .seconds(1)) + 1).rounded(.up))
  }
}

public import VigilModel
public import VigilStorage

/// The numbers of what a sender did on one channel; none of them is about a person.
public struct DispatchTally: Hashable, Sendable {
  /// Attempts that have ended.
  public var attempts = 0
  /// Of these, the ones that failed for another reason than a device that is gone.
  public var failedAttempts = 0
  /// The rest of the channel; nil where it has none.
  public var rest: ChannelRest?
  /// Rows that the provider accepted.
  public var sent = 0
  /// Attempts that failed and are repeated.
  public var retried = 0
  /// Rows that became dead letters.
  public var failed = 0
  /// Attempts whose outcome is not known: no answer, or none to the end.
  public var uncertain = 0
  /// Rows that are not to be sent any more, by their reason.
  public var cancelled: [PlannedNotification.StatusReason: Int] = [:]
  /// Rows that were put off, by their reason.
  public var postponed: [PlannedNotification.StatusReason: Int] = [:]
  /// Outcomes that another sender's taking of the row made void.
  public var lost = 0
  /// Leases of senders that are gone.
  public var takenBack = 0
  /// Seconds from when a row was due until it was sent.
  public var latency = LatencyHistogram()

  public init() {}

  /// Whether the channel does not deliver: it rests, or none of its attempts has succeeded.
  public var isFailing: Bool { rest != nil || (attempts > 0 && failedAttempts == attempts) }

  /// Counts an outcome that was recorded.
  mutating func count(_ outcome: DispatchOutcome) {
    switch outcome.result {
    case .sent: sent += 1
    case .retry, .notStarted: retried += 1
    case .failed: failed += 1
    case .cancelled(let reason): cancelled[reason, default: 0] += 1
    case .postponed(_, let reason): if let reason { postponed[reason, default: 0] += 1 }
    case .released: break
    }
  }

  public static func += (left: inout DispatchTally, right: DispatchTally) {
    left.attempts += right.attempts
    left.failedAttempts += right.failedAttempts
    left.rest = right.rest ?? left.rest
    left.sent += right.sent
    left.retried += right.retried
    left.failed += right.failed
    left.uncertain += right.uncertain
    left.cancelled.merge(right.cancelled, uniquingKeysWith: +)
    left.postponed.merge(right.postponed, uniquingKeysWith: +)
    left.lost += right.lost
    left.takenBack += right.takenBack
    left.latency += right.latency
  }
}

/// Numbers of deliveries by the seconds that they took.
public struct LatencyHistogram: Hashable, Sendable {
  /// The upper bounds of the buckets, in seconds; a last one has the rest.
  public static let bounds: [Double] = [1, 5, 15, 60, 300, 900, 3600, 14_400]
  /// Deliveries in each bucket, without those of lower ones.
  public private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
  /// Of all deliveries, in seconds.
  public private(set) var sum: Double = 0

  public init() {}

  /// - Parameters:
  ///   - counts: One for each bound, and one for the rest.
  ///   - sum: In seconds.
  public init?(counts: [Int], sum: Double) {
    guard counts.count == Self.bounds.count + 1 else { return nil }
    self.counts = counts
    self.sum = sum
  }

  /// Counts a delivery; a time before 0 is that of a clock that was set back, and counts as 0.
  public mutating func add(_ seconds: Double) {
    let seconds = max(0, seconds)
    counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    sum += seconds
  }

  static func += (left: inout LatencyHistogram, right: LatencyHistogram) {
    for index in left.counts.indices { left.counts[index] += right.counts[index] }
    left.sum += right.sum
  }
}

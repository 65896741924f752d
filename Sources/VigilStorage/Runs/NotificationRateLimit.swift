import VigilModel

/// The number of notifications that a live run may enqueue without a decision (specification,
/// runs.md section 3).
///
/// ```swift
/// print(NotificationRateLimit.share(0.05).limit(persons: 10_000))  // 500
/// print(NotificationRateLimit.share(0.05).limit(persons: 200))  // 100
/// ```
public enum NotificationRateLimit: Sendable, Hashable {
  case count(Int)
  /// A fraction of the persons that the run has evaluated, and at least `leastShare` notifications.
  case share(Double)

  public static let standard = NotificationRateLimit.share(0.05)
  public static let leastShare = 100

  /// - Parameter persons: The number of persons that the run has evaluated.
  public func limit(persons: Int) -> Int {
    switch self {
    case .count(let count): count
    case .share(let share):
      max(Self.leastShare, Int(clamping: (Double(persons) * share).rounded(.down)))
    }
  }

  /// The message of a run that the rate limit has stopped.
  package static func message(held: Int, limit: Int) -> String {
    "\(held) \(held == 1 ? "notification is" : "notifications are") held back, more than the \(limit)"
      + " that the rate limit allows"
  }
}

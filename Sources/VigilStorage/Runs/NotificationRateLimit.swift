import VigilModel

/// The number of persons about whom a live run may notify without a decision (specification, runs.md section 3).
///
/// It counts persons, because one alert may be many rows: of each caregiver and channel.
///
/// ```swift
/// print(NotificationRateLimit.share(0.05).limit(persons: 10_000))  // 500
/// print(NotificationRateLimit.share(0.05).limit(persons: 200))  // 20
/// ```
public enum NotificationRateLimit: Sendable, Hashable {
  case count(Int)
  /// A fraction of the persons that the run has evaluated, and at least `leastShare`.
  case share(Double)

  public static let standard = NotificationRateLimit.share(0.05)
  public static let leastShare = 20

  /// - Parameter persons: The number of persons that the run has evaluated.
  public func limit(persons: Int) -> Int {
    switch self {
    case .count(let count): count
    case .share(let share):
      max(Self.leastShare, Int(clamping: (Double(persons) * share).rounded(.down)))
    }
  }

  /// The message of a run that the rate limit has stopped.
  package static func message(persons: Int, limit: Int) -> String {
    "notifications about \(persons) \(persons == 1 ? "person" : "persons") are held back, more than the"
      + " \(limit) that the rate limit allows"
  }
}

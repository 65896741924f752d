/// A person's own choice about calls at a level of alerts about them; it goes before the settings of the sender.
///
/// It does not hold for alerts that the person raises: a person who asks for help must not find that an old choice keeps
/// others from being called.
public enum EscalationChoice: Hashable, Sendable {
  /// No one is called upon.
  case off
  /// The next caregiver is called upon after so many minutes without an answer.
  case after(minutes: Int)

  /// The minutes that a person can choose: from five to a week.
  public static let minutes = 5...10_080

  /// - Parameter minutes: As the table has them; nil for no calls.
  public init(minutes: Int?) {
    self = minutes.map { .after(minutes: $0) } ?? .off
  }

  /// Nil for no calls.
  public var minutes: Int? {
    if case .after(let minutes) = self { minutes } else { nil }
  }
}

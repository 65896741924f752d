public import Foundation
public import VigilModel

/// The choice of a person for one level, and who could be called upon about them.
public struct EscalationSetting: Hashable, Sendable {
  public var person: UUID
  public var level: AlertLevel
  public var choice: EscalationChoice
  /// Whether a member of a family of the person can be called upon.
  public var hasCaregiver: Bool
  /// Whether the person has agreed to an emergency contact.
  public var hasContact: Bool

  public init(
    person: UUID, level: AlertLevel, choice: EscalationChoice, hasCaregiver: Bool, hasContact: Bool
  ) {
    self.person = person
    self.level = level
    self.choice = choice
    self.hasCaregiver = hasCaregiver
    self.hasContact = hasContact
  }

  /// The calls of the senders of a database, as far as they are known.
  public enum SenderCalls: Hashable, Sendable {
    /// The file of their providers is not known.
    case unknown
    /// They make none.
    case none
    case made(EscalationPolicy)
  }

  /// The reason why a choice has no effect.
  public enum Idleness: String, Hashable, Sendable, CaseIterable {
    /// The senders make no calls, whatever persons have chosen.
    case noCalls = "no_calls"
    /// There is no one who could be called upon.
    case noOne = "no_one"
  }

  /// Returns the reason why the choice has no effect; nil where it has one.
  ///
  /// - Parameter calls: Those of the senders.
  public func idleness(under calls: SenderCalls) -> Idleness? {
    if calls == .none { return .noCalls }
    guard choice != .off, !hasCaregiver else { return nil }
    let callsContacts = if case .made(let policy) = calls { policy.callsContacts } else { true }
    return hasContact && callsContacts && level >= .day14 ? nil : .noOne
  }
}

public import VigilModel

/// The windows after which an unanswered alert goes to the next caregiver, where the person has not chosen their own.
public struct EscalationPolicy: Hashable, Sendable {
  /// Minutes by level, for alerts; a level without an entry is not escalated.
  public var alerts: [AlertLevel: Int]
  /// Minutes by level, for missed doses.
  public var missedStreaks: [AlertLevel: Int]
  /// Minutes for alerts that persons raise; nil to call upon the responders alone.
  public var raisedAlerts: Int?
  /// Whether emergency contacts are called upon when no caregiver has answered.
  public var callsContacts: Bool

  /// Four hours for critical alerts and for missed doses of any level, ten minutes for alerts that persons raise, and no
  /// emergency contacts.
  public init(
    alerts: [AlertLevel: Int] = [.day14: 240, .day21: 240],
    missedStreaks: [AlertLevel: Int] = [.day3: 240, .day7: 240, .day14: 240, .day21: 240],
    raisedAlerts: Int? = 10, callsContacts: Bool = false
  ) {
    self.alerts = alerts
    self.missedStreaks = missedStreaks
    self.raisedAlerts = raisedAlerts
    self.callsContacts = callsContacts
  }

  /// The minutes for which an answer is waited for; nil where no one is called upon.
  ///
  /// - Parameters:
  ///   - subject: The kind of alert.
  ///   - level: Its level.
  ///   - chosen: The choice of the person whom it is about; nil for none.
  public func minutes(
    of subject: EscalationSubject, at level: AlertLevel, chosen: EscalationChoice?
  ) -> Int? {
    if let chosen, subject.hasChoices { return chosen.minutes }
    return switch subject {
    case .alert: alerts[level]
    case .missedStreak: missedStreaks[level]
    case .raisedAlert: level == .day21 ? raisedAlerts : nil
    }
  }
}

/// The kind of alert that is escalated.
public enum EscalationSubject: Hashable, Sendable, CaseIterable {
  /// An alert about the person.
  case alert
  /// An alert about missed doses of a medication.
  case missedStreak
  /// An alert that the person has raised; its level is the highest.
  case raisedAlert

  /// Whether persons choose its windows themselves, or that no one is called upon.
  public var hasChoices: Bool { self != .raisedAlert }
}

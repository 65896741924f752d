public import VigilModel

/// The windows after which an unanswered alert goes to the next caregiver.
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

  /// The seconds for which an answer is waited for; nil where the level is not escalated.
  public func windowSeconds(of subject: EscalationSubject, at level: AlertLevel) -> Int64? {
    let minutes =
      switch subject {
      case .alert: alerts[level]
      case .missedStreak: missedStreaks[level]
      case .raisedAlert: level == .day21 ? raisedAlerts : nil
      }
    return minutes.map { Int64($0) * 60 }
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
}

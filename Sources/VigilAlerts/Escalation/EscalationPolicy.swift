public import VigilModel

/// The windows after which an unanswered alert goes to the next caregiver.
public struct EscalationPolicy: Hashable, Sendable {
  /// Minutes by level, for alerts; a level without an entry is not escalated.
  public var alerts: [AlertLevel: Int]
  /// Minutes by level, for missed doses.
  public var missedStreaks: [AlertLevel: Int]
  /// Whether emergency contacts are called upon when no caregiver has answered.
  public var callsContacts: Bool

  /// Four hours for critical alerts and for missed doses of any level, and no emergency contacts.
  public init(
    alerts: [AlertLevel: Int] = [.day14: 240, .day21: 240],
    missedStreaks: [AlertLevel: Int] = [.day3: 240, .day7: 240, .day14: 240, .day21: 240],
    callsContacts: Bool = false
  ) {
    self.alerts = alerts
    self.missedStreaks = missedStreaks
    self.callsContacts = callsContacts
  }

  /// The seconds for which an answer is waited for; nil where the level is not escalated.
  public func windowSeconds(of subject: EscalationSubject, at level: AlertLevel) -> Int64? {
    let minutes =
      switch subject {
      case .alert: alerts[level]
      case .missedStreak: missedStreaks[level]
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
}

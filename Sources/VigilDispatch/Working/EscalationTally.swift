import VigilAlerts

/// The numbers of calls upon caregivers and emergency contacts, by what a sender has recorded of them.
public struct EscalationTally: Hashable, Sendable {
  /// Calls that it made.
  public var made = 0
  /// Calls of which it found that a notification was sent, those of nights among them.
  public var notified = 0
  /// Calls that no member has answered within the window.
  public var noResponse = 0
  /// Calls that it closed because a member has acknowledged the alert.
  public var acknowledged = 0
  /// Calls that it closed because no answer is needed any more.
  public var resolved = 0

  public init() {}

  init(notified: Int) { self.notified = notified }

  /// The numbers of a step that was carried out and has closed calls.
  init(of step: EscalationStep, closed: Int) {
    switch step {
    case .wait: break
    case .call:
      made = 1
      noResponse = closed
    case .end(.noResponse): noResponse = closed
    case .end(.acknowledged): acknowledged = closed
    case .end(.resolved): resolved = closed
    }
  }

  public static func += (left: inout EscalationTally, right: EscalationTally) {
    left.made += right.made
    left.notified += right.notified
    left.noResponse += right.noResponse
    left.acknowledged += right.acknowledged
    left.resolved += right.resolved
  }
}

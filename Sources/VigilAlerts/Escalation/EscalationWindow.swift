public import VigilModel

/// The calls that have waited for a number of minutes: those whose answers count until a time in a range.
public struct EscalationWindow: Hashable, Sendable {
  public var minutes: Int
  /// The calls' answers counted at least until after this instant.
  public var start: Timestamp
  /// The calls' answers count at most until this instant.
  public var end: Timestamp

  /// A window that ended longer ago is not acted upon: the call would come too late.
  public static let longestDelaySeconds: Int64 = 24 * 3600

  /// - Parameters:
  ///   - minutes: The time that those who were called have had for an answer.
  ///   - now: The present instant.
  public init(minutes: Int, at now: Timestamp) {
    self.minutes = minutes
    // A call is due when its window has passed, and its answers count for four hours.
    end = now.adding(seconds: EscalationCall.lifetimeSeconds - Int64(minutes) * 60)
    start = end.adding(seconds: -Self.longestDelaySeconds)
  }
}

/// The windows of alerts of a kind and level: that of the sender, and those that persons have chosen.
public struct EscalationWindows: Hashable, Sendable {
  /// For persons without a choice; nil where no one is called upon about them.
  public var ofSender: EscalationWindow?
  /// For persons whose choice has so many minutes.
  public var chosen: [EscalationWindow]

  public init(ofSender: EscalationWindow?, chosen: [EscalationWindow] = []) {
    self.ofSender = ofSender
    self.chosen = chosen
  }

  /// Each window once.
  public var all: [EscalationWindow] {
    chosen + [ofSender].compactMap(\.self).filter { !chosen.contains($0) }
  }
}

extension EscalationPolicy {
  /// Returns the windows of alerts that are due now; none where no one is called upon.
  ///
  /// - Parameters:
  ///   - subject: The kind of alerts.
  ///   - level: Their level.
  ///   - chosen: The minutes that persons have chosen for the level, each once.
  ///   - now: The present instant.
  public func windows(
    of subject: EscalationSubject, at level: AlertLevel, chosen: [Int], at now: Timestamp
  ) -> EscalationWindows {
    EscalationWindows(
      ofSender: minutes(of: subject, at: level, chosen: nil).map {
        EscalationWindow(minutes: $0, at: now)
      },
      chosen: subject.hasChoices ? chosen.map { EscalationWindow(minutes: $0, at: now) } : [])
  }
}

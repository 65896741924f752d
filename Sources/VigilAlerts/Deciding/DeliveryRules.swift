public import VigilModel

/// The rules by which a notification is sent, waits or is withheld: when a night plans it, when a run releases it,
/// when a sender finds it due, and when another person is to be called (specification, notifications.md sections 1, 3,
/// 6 and 7).
public enum DeliveryRules {
  /// Decides about a notification; the first rule of the moment that applies is recorded.
  public static func outcome(
    of occasion: PatternAlertNotification.Occasion, in circumstances: DeliveryCircumstances
  ) -> DeliveryOutcome {
    for rule in rules(at: circumstances.moment) {
      if let outcome = rule.outcome(of: occasion, in: circumstances) { return outcome }
    }
    return .send
  }

  /// The rules of a moment, in the order in which they count.
  private static func rules(at moment: DeliveryMoment) -> [DeliveryRule] {
    switch moment {
    case .planning: planning
    case .releasing: releasing
    case .discarding: discarding
    case .sending: sending
    case .escalating: escalating
    }
  }

  private static let planning: [DeliveryRule] = [
    .alreadyNotified, .alreadySeen, .channelOff, .dismissed, .snoozed, .covered, .quietHours,
  ]
  private static let releasing: [DeliveryRule] = [
    .alreadyEnqueued, .noRecovery, .ended, .covered, .dismissed, .snoozed, .channelOff, .excluded,
    .overtaken, .alreadyNotified,
  ]
  private static let discarding: [DeliveryRule] = [
    .alreadyEnqueued, .noRecovery, .ended, .channelOff, .excluded, .overtaken, .alreadyNotified,
    .discarded,
  ]
  private static let sending: [DeliveryRule] = [
    .expired, .excluded, .noRecipient, .channelOff, .dismissed, .snoozed, .ended, .quietHours,
    .dailyLimit, .monthlyQuota,
  ]
  private static let escalating: [DeliveryRule] = [.ended, .dismissed, .snoozed, .overtaken]

  /// Makes the outcomes of held notifications: of each sum of `DeliveryFacts`, first those of levels, then those of
  /// recoveries.
  public static func heldOutcomes(at moment: DeliveryMoment) -> [DeliveryOutcome] {
    [PatternAlertNotification.Occasion.level, .recovery].flatMap { occasion in
      (0...DeliveryFacts.held.rawValue).map { sum in
        outcome(
          of: occasion, in: DeliveryCircumstances(at: moment, DeliveryFacts(rawValue: sum)))
      }
    }
  }
}

/// The outcome of a decision about a notification.
public enum DeliveryOutcome: Hashable, Sendable {
  case send
  /// It is decided about again at this time.
  case wait(until: Timestamp, PlannedNotification.StatusReason)
  /// It is not sent; the queue says why.
  case withhold(PlannedNotification.StatusReason)
  /// Members were notified of it before, or need no reminder: nothing is kept of it.
  case repeated
  /// An operator has decided not to send it.
  case discarded

  /// The reason that the queue has with it; nil where it has none, or no row.
  public var reason: PlannedNotification.StatusReason? {
    switch self {
    case .wait(_, let reason), .withhold(let reason): reason
    case .send, .repeated, .discarded: nil
    }
  }

  /// Returns how the queue gets a notification that was decided about when it was released; nil where it gets none.
  ///
  /// - Parameters:
  ///   - isGrouped: Whether a group of notifications stands for it.
  ///   - isLater: Whether it is due only later, when the recipient's quiet hours end.
  public func entry(isGrouped: Bool, isLater: Bool) -> QueueEntry? {
    switch self {
    case .repeated, .discarded: nil
    case .withhold(let reason): QueueEntry(because: reason)
    case .send, .wait: QueueEntry(because: isGrouped ? .grouped : isLater ? .quietHours : nil)
    }
  }

  /// Whether members count as notified of the level: it goes out, an operator has decided that it does not, or the
  /// recipient wants none.
  public var countsAsNotified: Bool {
    switch self {
    case .send, .discarded, .withhold(.preferenceOff): true
    case .wait, .withhold, .repeated: false
    }
  }
}

/// The state of a notification when the queue gets it.
public struct QueueEntry: Hashable, Sendable {
  public let status: PlannedNotification.Status
  public let reason: PlannedNotification.StatusReason?

  init(because reason: PlannedNotification.StatusReason?) {
    status = PlannedNotification.Status(enqueuedBecauseOf: reason)
    self.reason = reason
  }
}

/// A rule about a notification.
private enum DeliveryRule {
  case expired
  case alreadyEnqueued
  case alreadyNotified
  case alreadySeen
  /// A recovery says that an event has ended of which members were notified.
  case noRecovery
  case ended
  case excluded
  case noRecipient
  case channelOff
  case dismissed
  case snoozed
  case covered
  case overtaken
  case quietHours
  case dailyLimit
  case monthlyQuota
  case discarded

  /// Nil where the rule does not apply.
  func outcome(
    of occasion: PatternAlertNotification.Occasion, in circumstances: DeliveryCircumstances
  ) -> DeliveryOutcome? {
    let facts = circumstances.facts
    func withhold(
      _ reason: PlannedNotification.StatusReason, if applies: Bool
    ) -> DeliveryOutcome? { applies ? .withhold(reason) : nil }
    func wait(
      until time: Timestamp?, _ reason: PlannedNotification.StatusReason,
      orWithhold late: PlannedNotification.StatusReason
    ) -> DeliveryOutcome? {
      time.map { time in
        let isInTime = circumstances.expiresAt.map { time < $0 } ?? true
        return isInTime ? .wait(until: time, reason) : .withhold(late)
      }
    }
    return switch self {
    case .expired: withhold(.expired, if: facts.contains(.isExpired))
    case .alreadyEnqueued: facts.contains(.wasEnqueued) ? .repeated : nil
    case .alreadyNotified: occasion == .level && facts.contains(.isNotified) ? .repeated : nil
    case .alreadySeen: facts.contains(.needsNoReminder) ? .repeated : nil
    case .noRecovery:
      withhold(
        .superseded,
        if: occasion == .recovery
          && !(facts.contains(.hasEnded) && facts.contains(.wasNotified)))
    case .ended: withhold(.resolved, if: occasion == .level && facts.contains(.hasEnded))
    case .excluded: withhold(.excluded, if: facts.contains(.isExcluded))
    case .noRecipient: withhold(.notRecipient, if: facts.contains(.isNoRecipient))
    case .channelOff:
      withhold(.preferenceOff, if: facts.contains(.isOff) && !facts.contains(.isExcluded))
    case .dismissed: withhold(.dismissed, if: facts.contains(.isDismissed))
    case .snoozed: withhold(.snoozed, if: facts.contains(.isSnoozed))
    case .covered: withhold(.covered, if: facts.contains(.isCovered))
    case .overtaken:
      withhold(.superseded, if: occasion == .level && facts.contains(.isOvertaken))
    case .quietHours:
      wait(until: circumstances.quietUntil, .quietHours, orWithhold: .expired)
    case .dailyLimit:
      wait(until: circumstances.limitedUntil, .rateLimited, orWithhold: .rateLimited)
    case .monthlyQuota:
      wait(until: circumstances.quotaUntil, .monthlyQuota, orWithhold: .monthlyQuota)
    case .discarded: .discarded
    }
  }
}

public import VigilModel

/// The circumstances of the moment at which it is decided whether a notification goes out.
///
/// ```swift
/// let circumstances = DeliveryCircumstances(at: .planning, [.isSnoozed])
/// let outcome = DeliveryRules.outcome(of: .level, in: circumstances)
/// print(outcome.reason?.rawValue ?? "none")  // snoozed
/// ```
public struct DeliveryCircumstances: Hashable, Sendable {
  public var moment: DeliveryMoment
  public var facts: DeliveryFacts
  /// When the recipient's quiet hours, or hours in which they are not disturbed, end; nil outside of them.
  public var quietUntil: Timestamp?
  /// When the recipient may have another notification; nil where a day allows more.
  public var limitedUntil: Timestamp?
  /// When the recipient may have another text message; nil where a month allows more.
  public var quotaUntil: Timestamp?
  /// When the notification expires; nil where that depends on when it is due.
  public var expiresAt: Timestamp?

  public init(at moment: DeliveryMoment, _ facts: DeliveryFacts = []) {
    self.moment = moment
    self.facts = facts
  }
}

/// A moment at which it is decided whether a notification goes out.
public enum DeliveryMoment: Hashable, Sendable, CaseIterable {
  /// A night plans a notification.
  case planning
  /// A live run, or an operator, lets held notifications go.
  case releasing
  /// An operator decides that held notifications are not sent.
  case discarding
  /// A sender has found a notification due.
  case sending
  /// A sender looks whether another person is called about a level.
  case escalating
}

/// The facts that count when it is decided about a notification.
///
/// SQL adds up the numbers of the facts about held notifications (`circumstances` in `Statements/held.sql` of
/// VigilSQL); a test compares the two over all combinations.
public struct DeliveryFacts: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Members were notified of the event, at whatever level.
  public static let wasNotified = DeliveryFacts(rawValue: 1 << 0)
  /// Members were notified of the event at this level or a higher one.
  public static let isNotified = DeliveryFacts(rawValue: 1 << 1)
  /// The event has a lower level by now, or a higher one is held too.
  public static let isOvertaken = DeliveryFacts(rawValue: 1 << 2)
  /// None of the alerts of the event goes on.
  public static let hasEnded = DeliveryFacts(rawValue: 1 << 3)
  /// The recipient has switched the channel off, or all channels where none is chosen yet.
  public static let isOff = DeliveryFacts(rawValue: 1 << 4)
  public static let isSnoozed = DeliveryFacts(rawValue: 1 << 5)
  public static let isDismissed = DeliveryFacts(rawValue: 1 << 6)
  /// The person does not want this recipient to be notified.
  public static let isExcluded = DeliveryFacts(rawValue: 1 << 7)
  /// The queue has, or had, the same notification in a state that nothing replaces.
  public static let wasEnqueued = DeliveryFacts(rawValue: 1 << 8)
  /// Another alert of the person stands for it.
  public static let isCovered = DeliveryFacts(rawValue: 1 << 9)
  /// The recipient is neither the person nor an administrator of a family of theirs.
  public static let isNoRecipient = DeliveryFacts(rawValue: 1 << 10)
  public static let isExpired = DeliveryFacts(rawValue: 1 << 11)
  /// A member has seen the alert, and the notification would only remind of it.
  public static let needsNoReminder = DeliveryFacts(rawValue: 1 << 12)

  /// The facts about a held notification, of which SQL knows the sum.
  static let held: DeliveryFacts = [
    .wasNotified, .isNotified, .isOvertaken, .hasEnded, .isOff, .isSnoozed, .isDismissed,
    .isExcluded, .wasEnqueued, .isCovered,
  ]
}

extension DeliveryFacts {
  /// The facts that members have set about an alert.
  ///
  /// - Parameters:
  ///   - isDismissed: Whether a member has dismissed it.
  ///   - snoozeUntil: The day on which notifications resume; nil where it is not snoozed.
  ///   - day: The day for which it is decided.
  public init(isDismissed: Bool, snoozeUntil: Day?, on day: Day) {
    self = isDismissed ? [.isDismissed] : []
    if let snoozeUntil, snoozeUntil > day { insert(.isSnoozed) }
  }

  /// The facts that members have set about a stored alert.
  public init(of alert: PatternAlertState, on day: Day) {
    self.init(
      isDismissed: alert.dismissedAt != nil, snoozeUntil: alert.snoozeUntil, on: day)
  }

  /// The facts about the alerts of one notification: it goes out as long as one of them is a reason for it.
  ///
  /// - Parameter alerts: The facts of each, the gravest first; those of the gravest count for all.
  public init(ofAlerts alerts: [DeliveryFacts]) {
    let isWithheld = alerts.allSatisfy {
      !$0.isDisjoint(with: [.isDismissed, .isSnoozed, .hasEnded])
    }
    self = isWithheld ? alerts.first ?? [] : []
  }
}

public import VigilModel

/// The outcome of a notification that a live run holds, when its run ends or an operator decides
/// (specification, notifications.md section 3).
///
/// The statement `DecideHeldNotifications` of VigilSQL decides the same for all rows of a run at
/// once; a test compares the two over all combinations.
///
/// ```swift
/// let held = HeldNotification(level: .day7, eventLevel: .day7)
/// held.outcome(releasing: true)  // .released
/// ```
public enum HeldOutcome: String, Sendable, CaseIterable {
  /// It is sent.
  case released
  /// An operator has decided not to send it.
  case discarded
  /// The event is, or was, notified at this level, or the queue has the same notification.
  case repeated
  /// A higher level replaces it, the level was taken back, or the event has not ended.
  case superseded
  /// The event has ended.
  case resolved
  /// The recipient has switched every channel off.
  case preferenceOff = "preference_off"
  /// Another alert of the person stood for it on the night.
  case covered
  /// The alert is dismissed.
  case dismissed
  /// The alert is snoozed beyond the last day of the run.
  case snoozed
  /// The person does not want this recipient to be notified.
  case excluded
}

/// The facts that decide about one held notification.
public struct HeldNotification: Hashable, Sendable {
  /// Whether it says that the event has ended.
  public var isRecovery = false
  /// The level of the notification.
  public var level: AlertLevel
  /// The present level of its event: the highest of those of its alerts.
  public var eventLevel: AlertLevel
  /// Whether one of the alerts of its event goes on.
  public var eventIsActive = true
  /// The level at which the event was last notified; nil where it never was.
  public var lastNotifiedLevel: AlertLevel?
  /// Whether the queue has, or had, the same notification in a state that nothing replaces.
  public var wasEnqueued = false
  /// Whether another alert of the person stood for it on the night.
  public var isCovered = false
  public var isDismissed = false
  /// Whether the snooze lasts beyond the last day of the run.
  public var isSnoozed = false
  public var isExcluded = false
  public var hasEveryChannelOff = false
  /// Whether a higher level that the event still has is held too.
  public var hasHigherLevelHeld = false

  public init(level: AlertLevel, eventLevel: AlertLevel) {
    self.level = level
    self.eventLevel = eventLevel
  }

  /// Returns the outcome of a release or, where `isRelease` is false, of a discard.
  ///
  /// The first reason that applies is recorded. A discarded notification does not record that its
  /// alert is snoozed or dismissed.
  public func outcome(releasing isRelease: Bool) -> HeldOutcome {
    let decided: HeldOutcome = isRelease ? .released : .discarded
    if wasEnqueued { return .repeated }
    if isRecovery, eventIsActive || lastNotifiedLevel == nil { return .superseded }
    if !isRecovery, !eventIsActive { return .resolved }
    if hasEveryChannelOff, !isExcluded { return .preferenceOff }
    if isRelease, isCovered { return .covered }
    if isRelease, isDismissed { return .dismissed }
    if isRelease, isSnoozed { return .snoozed }
    if isExcluded { return .excluded }
    if isRecovery { return decided }
    if eventLevel < level || hasHigherLevelHeld { return .superseded }
    if let lastNotifiedLevel, lastNotifiedLevel >= level { return .repeated }
    return decided
  }
}

import VigilAlerts
public import VigilModel
public import VigilStorage

/// The decision about a row when it is about to be sent: what has changed since a night planned it counts
/// (specification, notifications.md section 5).
public enum SendingDecision: Hashable, Sendable {
  case send
  /// It is looked at again at this time.
  case wait(until: Timestamp, PlannedNotification.StatusReason)
  /// It is never sent.
  case cancel(PlannedNotification.StatusReason)
}

/// The largest number of deliveries to one recipient in a time.
public struct RecipientLimit: Hashable, Sendable {
  public var deliveries: Int
  public var seconds: Int64

  /// A limit for any 24 hours.
  public static func perDay(_ deliveries: Int) -> RecipientLimit {
    RecipientLimit(deliveries: deliveries, seconds: 24 * 3600)
  }
}

extension ClaimedNotification {
  /// Decides whether this row is sent now.
  ///
  /// The first reason that applies is recorded. Critical rows do not count against the limit.
  ///
  /// - Parameters:
  ///   - circumstances: As they are now.
  ///   - earlier: Rows for the same recipient, not critical, that this sender is about to send before.
  ///   - limit: Of deliveries to the recipient; nil for none.
  ///   - zones: The rules of the recipients' quiet hours.
  ///   - now: The present instant.
  public func decision(
    under circumstances: DeliveryCircumstances, after earlier: Int = 0, limit: RecipientLimit?,
    zones: ZoneCatalog, at now: Timestamp
  ) -> SendingDecision {
    if expiresAt <= now { return .cancel(.expired) }
    if circumstances.isExcluded { return .cancel(.excluded) }
    if !circumstances.isRecipient { return .cancel(.notRecipient) }
    // An emergency contact has neither channels nor quiet hours, and the person has agreed to be helped.
    if contact != nil {
      return circumstances.withheldByAlerts(on: now.utcDay).map(SendingDecision.cancel) ?? .send
    }
    let preferences = DeliveryPreferences(circumstances.profile, zones: zones)
    if !preferences.channels.contains(channel) { return .cancel(.preferenceOff) }
    let isRecovery = type == PlannedNotification.Kind.patternRecovery.notificationType
    if let reason = circumstances.withheldByAlerts(on: now.utcDay, isRecovery: isRecovery) {
      return .cancel(reason)
    }
    let due = preferences.dueTime(on: channel, priority: priority, readyAt: now)
    if due > now { return due < expiresAt ? .wait(until: due, .quietHours) : .cancel(.expired) }
    if let limit, priority != .critical,
      circumstances.deliveries + earlier >= limit.deliveries
    {
      return afterLimit(limit, circumstances, at: now)
    }
    return .send
  }

  private func afterLimit(
    _ limit: RecipientLimit, _ circumstances: DeliveryCircumstances, at now: Timestamp
  ) -> SendingDecision {
    // Without a delivery that was made, the limit is reached by what is on its way: soon it is known.
    let next =
      circumstances.firstDelivery.map { $0.adding(seconds: limit.seconds) }
      ?? now.adding(seconds: 60)
    let time = max(next, now.adding(seconds: 1))
    return time < expiresAt ? .wait(until: time, .rateLimited) : .cancel(.rateLimited)
  }
}

extension DeliveryCircumstances {
  /// The reason why the alerts are not to be notified of; nil where one of them is.
  ///
  /// - Parameters:
  ///   - day: Today in UTC.
  ///   - isRecovery: Whether the row says that the alert has ended.
  public func withheldByAlerts(
    on day: Day, isRecovery: Bool = false
  ) -> PlannedNotification.StatusReason? {
    let reasons = alerts.map { alert -> PlannedNotification.StatusReason? in
      if alert.isDismissed { return .dismissed }
      if let end = alert.snoozedUntil, end > day { return .snoozed }
      return alert.hasEnded && !isRecovery ? .resolved : nil
    }
    guard !reasons.contains(nil) else { return nil }
    return reasons.compactMap { $0 }.first
  }
}

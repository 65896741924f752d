public import VigilAlerts
public import VigilModel
public import VigilStorage

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
  /// Decides whether this row is sent now: what has changed since a night planned it counts (specification,
  /// notifications.md section 6).
  ///
  /// - Parameters:
  ///   - known: The facts of the database as they are now.
  ///   - earlier: Rows for the same recipient, not critical, that this sender is about to send before.
  ///   - limit: Of deliveries to the recipient; nil for none, as in the app.
  ///   - quota: Of text messages to the recipient; nil for none.
  ///   - zones: The rules of the recipients' quiet hours.
  ///   - now: The present instant.
  public func outcome(
    in known: ClaimCircumstances, after earlier: Int = 0, limit: RecipientLimit?,
    quota: MessageQuota? = nil, zones: ZoneCatalog, at now: Timestamp
  ) -> DeliveryOutcome {
    var circumstances = DeliveryCircumstances(at: .sending, facts(in: known, at: now))
    circumstances.expiresAt = expiresAt
    circumstances.quotaUntil = quota?.freeAgain(for: priority, at: now)
    // An emergency contact has neither channels nor quiet hours, and the person has agreed to be helped.
    if contact == nil {
      let preferences = DeliveryPreferences(known.profile, zones: zones)
      if !preferences.channels.contains(channel) { circumstances.facts.insert(.isOff) }
      let due = preferences.dueTime(on: channel, priority: priority, readyAt: now)
      if due > now { circumstances.quietUntil = due }
      // Critical rows neither count nor wait.
      if let limit, priority != .critical {
        circumstances.limitedUntil = known.freeAgain(under: limit, after: earlier, at: now)
      }
    }
    return DeliveryRules.outcome(of: occasion, in: circumstances)
  }

  /// The outcome of a text message whose place in the quota another sender has taken at this moment.
  func outcomeWithoutPlace(at now: Timestamp) -> DeliveryOutcome {
    var circumstances = DeliveryCircumstances(at: .sending)
    circumstances.expiresAt = expiresAt
    circumstances.quotaUntil = MessageQuota.nextLook(after: now)
    return DeliveryRules.outcome(of: occasion, in: circumstances)
  }

  private var occasion: PatternAlertNotification.Occasion {
    type == PlannedNotification.Kind.patternRecovery.notificationType ? .recovery : .level
  }

  private func facts(in known: ClaimCircumstances, at now: Timestamp) -> DeliveryFacts {
    var facts = DeliveryFacts(
      ofAlerts: known.alerts.map { alert in
        let set = DeliveryFacts(
          isDismissed: alert.isDismissed, snoozeUntil: alert.snoozedUntil, on: now.utcDay)
        return alert.hasEnded ? set.union(.hasEnded) : set
      })
    if let expiresAt, expiresAt <= now { facts.insert(.isExpired) }
    if known.isExcluded { facts.insert(.isExcluded) }
    if !known.isRecipient { facts.insert(.isNoRecipient) }
    return facts
  }
}

extension ClaimCircumstances {
  /// When the recipient may have another delivery; nil where the limit allows one now.
  fileprivate func freeAgain(
    under limit: RecipientLimit, after earlier: Int, at now: Timestamp
  ) -> Timestamp? {
    guard deliveries + earlier >= limit.deliveries else { return nil }
    // Without a delivery that was made, the limit is reached by what is on its way: soon it is known.
    let next =
      firstDelivery.map { $0.adding(seconds: limit.seconds) } ?? now.adding(seconds: 60)
    return max(next, now.adding(seconds: 1))
  }
}

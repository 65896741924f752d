import Foundation
public import VigilModel

/// The next event in the course of an escalation.
public enum EscalationStep: Hashable, Sendable {
  /// Nothing before this time.
  case wait(until: Timestamp)
  /// The next call, with its queue rows.
  case call(EscalationCall, notices: [EscalationNotice])
  /// No call follows.
  case end(Ending)

  public enum Ending: Hashable, Sendable {
    /// A member has acknowledged the alert.
    case acknowledged(at: Timestamp)
    /// The alert needs no answer any more: it has ended, is dismissed or snoozed, or a higher level was notified.
    case resolved
    /// Everyone was called upon.
    case noResponse
  }
}

extension EscalationCourse {
  /// Returns what follows now.
  ///
  /// Caregivers come before contacts, each once for a level: first those who can be called upon now, in the order of their
  /// priority; then the others in the same order. Caregivers with every channel off are left out.
  ///
  /// - Parameters:
  ///   - policy: The windows of the sender.
  ///   - zones: The rules of the caregivers' hours.
  ///   - now: The present instant.
  public func next(
    by policy: EscalationPolicy, zones: ZoneCatalog, at now: Timestamp
  ) -> EscalationStep {
    if let ending = ending(at: now) { return .end(ending) }
    guard let minutes = policy.minutes(of: subject, at: level, chosen: chosen),
      let due = dueOfLast(at: now)
    else { return .end(.noResponse) }
    let window = Int64(minutes) * 60
    let end = due.adding(seconds: window)
    guard end <= now else { return .wait(until: end) }
    let step = (calls.map(\.step).max() ?? 0).addingClamped(1)
    if let caregiver = nextCaregiver(zones: zones, at: now) {
      return call(.member(caregiver.user), step, rows(to: caregiver, step, zones, at: now), at: now)
    }
    if policy.callsContacts, level.severity == .critical, let contact = nextContact {
      return call(.contact(contact.id), step, [row(to: contact, step, at: now)], at: now)
    }
    // Whom quiet hours delay has an answer to give, too.
    if let last = calls.map(\.dueAt).max(), last.adding(seconds: window) > now {
      return .wait(until: last.adding(seconds: window))
    }
    return .end(.noResponse)
  }

  /// When the last of those who count was called: all, and for a critical alert those who were reached by now, so that
  /// quiet hours of one caregiver do not delay the others.
  private func dueOfLast(at now: Timestamp) -> Timestamp? {
    let all = calls.map(\.dueAt)
    guard level.severity == .critical else { return all.max() }
    return all.filter { $0 <= now }.max() ?? all.min()
  }

  private func ending(at now: Timestamp) -> EscalationStep.Ending? {
    if let first = calls.map(\.triggeredAt).min(), let answer = state.acknowledgedAt,
      answer >= first
    {
      return .acknowledged(at: answer)
    }
    var facts = DeliveryFacts(
      isDismissed: state.isDismissed, snoozeUntil: state.snoozedUntil, on: now.utcDay)
    let isAnswered = calls.contains { $0.status == .acknowledged || $0.status == .resolved }
    // An answer to a call counts as an end of the alert.
    if state.hasEnded || isAnswered { facts.insert(.hasEnded) }
    if highestLevel > level { facts.insert(.isOvertaken) }
    let outcome = DeliveryRules.outcome(
      of: .level, in: DeliveryCircumstances(at: .escalating, facts))
    return outcome == .send ? nil : .resolved
  }

  // MARK: Whom

  private func nextCaregiver(zones: ZoneCatalog, at now: Timestamp) -> Caregiver? {
    let called = Set(calls.map(\.recipient))
    let left = caregivers.filter { caregiver in
      caregiver.user != person && !called.contains(.member(caregiver.user))
        && !DeliveryPreferences(caregiver.profile, zones: zones).channels.isEmpty
    }
    .sorted {
      ($0.priority ?? .max, $0.user.lowercased) < ($1.priority ?? .max, $1.user.lowercased)
    }
    return left.first { isAvailable($0, zones: zones, at: now) } ?? left.first
  }

  /// Whether it is an hour of the caregiver's, and one of their channels at least need not wait.
  private func isAvailable(_ caregiver: Caregiver, zones: ZoneCatalog, at now: Timestamp) -> Bool {
    let zone = caregiver.profile?.timeZone.flatMap(zones.rules(of:)) ?? .utc
    guard caregiver.hours.isEmpty || caregiver.hours.contains(where: { $0.contain(now, in: zone) })
    else { return false }
    let preferences = DeliveryPreferences(caregiver.profile, zones: zones)
    // The app shows a row without a sound.
    let loud = preferences.channels.filter { $0 != .inApp }
    return loud.isEmpty
      || loud.contains { preferences.dueTime(on: $0, priority: priority, readyAt: now) == now }
  }

  private var nextContact: Contact? {
    let called = Set(calls.map(\.recipient))
    return contacts.filter { !called.contains(.contact($0.id)) }
      .min { ($0.priority, $0.id.lowercased) < ($1.priority, $1.id.lowercased) }
  }

  // MARK: Rows

  private var priority: PlannedNotification.Priority { .init(level.severity) }

  private func call(
    _ recipient: EscalationCall.Recipient, _ step: Int, _ notices: [EscalationNotice],
    at now: Timestamp
  ) -> EscalationStep {
    let due = notices.map(\.scheduledFor).max() ?? now
    return .call(
      EscalationCall(
        recipient, step: step, triggeredAt: now,
        expiresAt: due.adding(seconds: EscalationCall.lifetimeSeconds)), notices: notices)
  }

  private func rows(
    to caregiver: Caregiver, _ step: Int, _ zones: ZoneCatalog, at now: Timestamp
  ) -> [EscalationNotice] {
    let preferences = DeliveryPreferences(caregiver.profile, zones: zones)
    return preferences.channels.map { channel in
      let due = preferences.dueTime(on: channel, priority: priority, readyAt: now)
      return EscalationNotice(
        self, step: step, recipient: caregiver.user, contact: nil, channel: channel,
        payload: payload(.caregiver), priority: priority, scheduledFor: due,
        expiresAt: preferences.expiry(on: channel, dueAt: due))
    }
  }

  private func row(to contact: Contact, _ step: Int, at now: Timestamp) -> EscalationNotice {
    EscalationNotice(
      self, step: step, recipient: person, contact: contact.id, channel: contact.channel,
      payload: payload(.contact), priority: priority, scheduledFor: now,
      expiresAt: now.adding(seconds: PlannedNotification.lifetimeSeconds))
  }

  /// The minutes that those who were called before have had for an answer: since the last of their channels was due.
  public func waitedMinutes(at now: Timestamp) -> Int {
    guard let due = calls.map(\.dueAt).filter({ $0 <= now }).max() else { return 0 }
    return Int(clamping: (now.microseconds - due.microseconds) / 60_000_000)
  }

  /// A reference: nothing in it is about health.
  private func payload(_ template: EscalationNotice.Template) -> String {
    if subject == .raisedAlert {
      return PromptPayload(.raisedAlert, id: alert, template: template.rawValue).text
    }
    return payloadOfAlert(template)
  }

  private func payloadOfAlert(_ template: EscalationNotice.Template) -> String {
    AlertPayload.reference(
      .init(alertState: alert, level: level, template: template.rawValue)
    ).text
  }
}

import Foundation
import Testing
import VigilAlerts
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// The rules about held notifications, and the circumstances that a statement finds for them.
  static let outcomes = [HeldDecision.release, .discard].map { decision in
    ConformanceCheck("held notifications end as their facts say when they are \(decision)d") {
      fixture in
      let cases = try HeldCase.all()
      try fixture.hold(cases)
      _ = try fixture.storage.withRuns {
        try $0.decide(decision, run: runID, at: time("2026-03-01T02:00:00Z"))
      }
      let rows = try fixture.strings(
        "SELECT CAST(id AS TEXT) || ' ' || outcome FROM held_notifications WHERE level = 7")
      let found = Dictionary(
        rows.compactMap { $0?.split(separator: " ").map(String.init) }.map { ($0[0], $0[1]) }
      ) { first, _ in first }
      #expect(found.count == cases.count)
      for held in cases {
        let expected = DeliveryRules.outcome(
          of: held.occasion, in: DeliveryCircumstances(at: decision.moment, held.facts))
        #expect(
          found[held.notification.id.lowercased] == expected.heldOutcome,
          "\(held.occasion) \(held.facts)")
      }
      #expect(Set(found.values).count == (decision == .release ? 9 : 6))
    }
  }
}

/// One combination of what decides about a held notification, as facts and as rows.
private struct HeldCase {
  var occasion: PatternAlertNotification.Occasion
  var facts: DeliveryFacts = []
  var state: PatternAlertState
  var notification: PlannedNotification
  /// A notification of a higher level of the same alert.
  var higher: PlannedNotification?
  /// Another alert of the event, which goes on and has the level in place of `state`; nil where there is none.
  var joined: PatternAlertState?
  /// The trace of the notification in the queue: nothing, a row that may be replaced, one that was sent, or
  /// its id alone.
  var enqueued = Enqueued.never

  enum Enqueued: CaseIterable {
    case never
    case replaceably
    case sent
    case spent
  }

  /// Every combination, each about a person of its own.
  static func all() throws -> [HeldCase] {
    var cases: [HeldCase] = []
    for enqueued in Enqueued.allCases {
      for lastNotified in [nil, AlertLevel.day3, .day7] {
        for bits in 0..<1024 {
          cases.append(
            try HeldCase(
              number: cases.count + 1, bits: bits, lastNotified: lastNotified, enqueued: enqueued))
        }
      }
    }
    return cases
  }

  private init(number: Int, bits: Int, lastNotified: AlertLevel?, enqueued: Enqueued) throws {
    func isSet(_ bit: Int) -> Bool { bits & (1 << bit) != 0 }
    let (isBelow, hasHigher) = (isSet(0), isSet(1))
    let eventLevel: AlertLevel = isBelow ? .day3 : hasHigher ? .day14 : .day7
    occasion = isSet(2) ? .recovery : .level
    if isBelow || hasHigher { facts.insert(.isOvertaken) }
    if isSet(3) { facts.insert(.hasEnded) }
    if isSet(4) { facts.insert(.isDismissed) }
    if isSet(5) { facts.insert(.isSnoozed) }
    if isSet(6) { facts.insert(.isExcluded) }
    if isSet(7) { facts.insert(.isOff) }
    // A notification has one reason.
    if isSet(9), !isSet(7) { facts.insert(.isCovered) }
    if lastNotified != nil { facts.insert(.wasNotified) }
    if lastNotified == .day7 { facts.insert(.isNotified) }
    if enqueued == .sent || enqueued == .spent { facts.insert(.wasEnqueued) }
    self.enqueued = enqueued
    let end = facts.contains(.hasEnded) ? "2026-02-10" : nil
    if isSet(8) {
      state = try alertState(number, level: .day3, resolvedOn: "2026-02-09")
      joined = try alertState(number, metric: "hrv_ms", level: eventLevel, resolvedOn: end)
      joined?.eventID = state.id
    } else {
      state = try alertState(number, level: eventLevel, resolvedOn: end)
    }
    state.lastNotifiedLevel = lastNotified
    if facts.contains(.isDismissed) { state.dismissedAt = try time("2026-02-20T00:00:00Z") }
    // The run's last day is 28 February.
    state.snoozeUntil = try day(facts.contains(.isSnoozed) ? "2026-03-01" : "2026-02-28")
    notification = try StorageConformance.notification(about: state, to: number + 1_000_000)
    notification.level = .day7
    if occasion == .recovery { notification.kind = .patternRecovery }
    if facts.contains(.isOff) { notification.statusReason = .preferenceOff }
    if facts.contains(.isCovered) { notification.statusReason = .covered }
    if hasHigher {
      higher = try StorageConformance.notification(about: state, to: number + 1_000_000)
      higher?.level = .day14
    }
  }
}

extension StorageFixture {
  /// Brings the cases into the tables, held by one live run.
  fileprivate func hold(_ cases: [HeldCase]) throws {
    let recipients = cases.map(\.notification.recipient)
    try add(.users, ["id"], (cases.map(\.state.series.user) + recipients).map { [.uuid($0)] })
    try add(
      .alertRecipientExclusions, ["subject_user_id", "excluded_user_id"],
      cases.filter { $0.facts.contains(.isExcluded) }.map {
        [.uuid($0.state.series.user), .uuid($0.notification.recipient)]
      })
    var run = try sampleRun()
    run.mode = .live
    try put(run)
    _ = try write(
      cases.flatMap { [$0.state, $0.joined].compactMap(\.self) },
      cases.flatMap { [$0.notification, $0.higher].compactMap(\.self) },
      into: .live)
    try enqueue(cases.filter { $0.enqueued == .sent }, status: "'sent'", reason: "NULL")
    try enqueue(
      cases.filter { $0.enqueued == .replaceably }, status: "'skipped'", reason: "'snoozed'")
    let spent = cases.filter { $0.enqueued == .spent }.map { "('\($0.notification.id.lowercased)'" }
    try execute(
      "INSERT INTO spent_notifications (id, pruned_at) VALUES "
        + spent.map { "\($0), '2026-02-28T00:00:00.000000Z')" }.joined(separator: ", "))
  }

  private func enqueue(_ cases: [HeldCase], status: String, reason: String) throws {
    let ids = cases.map { "'\($0.notification.id.lowercased)'" }.joined(separator: ", ")
    let columns = """
      id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id, level,
      channel, payload, priority, scheduled_for, expires_at, dedupe_key, run_id, created_at, updated_at
      """
    try execute(
      """
      INSERT INTO notification_queue (\(columns), status, status_reason)
      SELECT \(columns), \(status), \(reason) FROM held_notifications WHERE id IN (\(ids))
      """)
  }
}

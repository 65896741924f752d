import Foundation
import Testing
import VigilDelivery
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// Alerts about medications, and the notifications of them.
  static let medicationAlerts: [ConformanceCheck] =
    [
      ConformanceCheck("alerts about medications come back as they were written") { fixture in
        try fixture.addPersons(1, 2)
        var ended = try medicationAlert(1, since: "2026-01-20")
        ended.resolution = .init(day: ended.lastFound + 1, reason: .recovered)
        var active = try medicationAlert(1)
        active.lastNotifiedLevel = .day3
        active.shadowNotifiedLevel = .day7
        let other = try medicationAlert(2)
        try fixture.write(medicationAlerts: [active, ended, other])
        let readers = try fixture.storage.makeReaders(count: 1)
        func read(_ date: String, of numbers: Int...) throws -> [MedicationAlert] {
          try readers[0].medicationAlerts(of: numbers.map(person), foundSince: day(date))
        }
        #expect(try read("2026-01-22", of: 1, 2) == [ended, active, other])
        #expect(try read("2026-01-23", of: 1) == [active])
        #expect(try read("2026-12-31", of: 1) == [active])
        #expect(
          try fixture.storage.medicationAlerts(withID: UUIDPrefix(other.id)) == [other])
      },

      ConformanceCheck("alerts about medications are listed by each condition") { fixture in
        try fixture.addPersons(1, 2)
        var ended = try medicationAlert(1, since: "2026-01-20")
        ended.resolution = .init(day: ended.lastFound + 1, reason: .recovered)
        var high = try medicationAlert(1)
        high.lastFound = high.activeSince + 12
        high.level = .day14
        var refill = try medicationAlert(2)
        refill.kind = .refillDue
        let streak = try medicationAlert(2)
        let all = [ended, high, streak, refill]
        try fixture.write(medicationAlerts: all.reversed())
        func expect(
          _ filter: AlertFilter, _ expected: [MedicationAlert],
          sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
          let order = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.id, $0) })
          let found = try fixture.storage.medicationAlerts(matching: filter)
          #expect(
            found.sorted { order[$0.id, default: 9] < order[$1.id, default: 9] } == expected,
            sourceLocation: sourceLocation)
        }
        try expect(AlertFilter(), all)
        try expect(AlertFilter(users: [person(2)]), [streak, refill])
        try expect(AlertFilter(users: []), [])
        try expect(AlertFilter(users: [person(1), person(3)], isActive: true), [high])
        try expect(AlertFilter(metric: MetricType("refill_due")), [refill])
        try expect(AlertFilter(metric: MetricType("steps")), [])
        try expect(AlertFilter(isActive: false), [ended])
        try expect(AlertFilter(minimumLevel: .day7), [high])
        try expect(
          AlertFilter(days: try day("2026-01-22")...day("2026-01-31")), [ended])
        try expect(
          AlertFilter(days: try day("2026-02-04")...day("2026-03-01")), [high])
        try expect(AlertFilter(id: UUIDPrefix(refill.id)), [refill])
        #expect(
          try fixture.storage.medicationAlerts(matching: AlertFilter(users: [person(2)], limit: 1))
            == [streak])
      },

      ConformanceCheck("a run changes what runs own, and levels never fall") { fixture in
        try fixture.addPersons(1)
        var alert = try medicationAlert(1)
        alert.lastNotifiedLevel = .day7
        alert.shadowNotifiedLevel = .day7
        alert.dismissedAt = try time("2026-02-10T00:00:00Z")
        try fixture.write(medicationAlerts: [alert])
        var later = try medicationAlert(1)
        later.lastFound = alert.lastFound + 9
        later.level = .day14
        later.lastNotifiedLevel = .day3
        try fixture.write(medicationAlerts: [later])
        alert.lastFound = later.lastFound
        alert.level = .day14
        #expect(try fixture.storage.medicationAlerts(withID: UUIDPrefix(alert.id)) == [alert])
        // A retracted row takes over what was set about the one in its place.
        alert.resolution = .init(day: alert.lastFound, reason: .retracted)
        try fixture.write(medicationAlerts: [alert])
        later.snoozeUntil = try day("2026-03-20")
        try fixture.write(medicationAlerts: [later])
        later.lastNotifiedLevel = .day7
        later.shadowNotifiedLevel = .day7
        #expect(try fixture.storage.medicationAlerts(withID: UUIDPrefix(later.id)) == [later])
      },

      ConformanceCheck("a medication has one active alert of a kind") { fixture in
        try fixture.addPersons(1)
        let first = try medicationAlert(1, since: "2026-01-20")
        try fixture.write(medicationAlerts: [first])
        #expect(throws: StorageError.self) {
          try fixture.write(medicationAlerts: [medicationAlert(1)])
        }
        var ended = first
        ended.resolution = .init(day: first.lastFound + 1, reason: .recovered)
        try fixture.write(medicationAlerts: [medicationAlert(1), ended])
        #expect(try fixture.count("medication_alerts") == 2)
        // Another kind has one of its own.
        var refill = try medicationAlert(1)
        refill.kind = .refillDue
        try fixture.write(medicationAlerts: [refill])
        #expect(try fixture.storage.medicationAlerts(withID: UUIDPrefix(refill.id)) == [refill])
      },

      ConformanceCheck(
        "what has changed about a medication since a row was planned is read with it"
      ) {
        fixture in
        try fixture.addFamily(2, 1)
        let alert = try fixture.notifiedMedicationAlert(1, to: 2)
        let now = try time("2026-03-01T07:00:00Z")
        let claimed = try fixture.storage.claim(
          DispatchClaim(
            channel: .push, owner: "sender", limit: 5, leaseUntil: now.adding(seconds: 60)),
          at: now)
        #expect(claimed.map(\.templateID) == ["missed_streak.level_7"])
        func alerts() throws -> [DeliveryCircumstances.AlertSettings]? {
          let found = try fixture.storage.circumstances(of: claimed, countingSince: nil)
          return found[claimed[0].id]?.alerts
        }
        #expect(try alerts() == [.init()])
        _ = try fixture.act(.snooze(until: day("2026-03-09")), onMedicationAlert: alert, by: 2)
        #expect(try alerts() == [.init(snoozedUntil: try day("2026-03-09"))])
        _ = try fixture.act(.dismiss, onMedicationAlert: alert, by: 2)
        var ended = alert
        ended.resolution = .init(day: alert.lastFound + 1, reason: .recovered)
        try fixture.write(medicationAlerts: [ended])
        #expect(
          try alerts()
            == [.init(isDismissed: true, snoozedUntil: try day("2026-03-09"), hasEnded: true)])
      },

      ConformanceCheck("actions on an alert about a medication are those on others") { fixture in
        try fixture.addFamily(2, 1)
        let alert = try fixture.notifiedMedicationAlert(1, to: 2)
        try fixture.addPersons(7)
        expectStorageError(.permissionDenied) {
          _ = try fixture.act(.dismiss, onMedicationAlert: alert, by: 7)
        }
        expectStorageError(.notFound) {
          _ = try fixture.act(.dismiss, onMedicationAlert: try medicationAlert(3), by: 1)
        }
        expectStorageError(.notFound) {
          _ = try fixture.act(.dismiss, onMedicationAlert: alert, by: 9)
        }
        let filter = NotificationFilter(alert: alert.id)
        func status() throws -> String {
          try fixture.storage.notifications(matching: filter).map {
            "\($0.status.rawValue) \($0.statusReason?.rawValue ?? "-")"
          }.joined(separator: ", ")
        }
        #expect(try status() == "pending -")
        let until = try day("2026-03-12")
        let snoozed = try fixture.act(.snooze(until: until), onMedicationAlert: alert, by: 2)
        #expect(snoozed.alert.snoozeUntil == until && snoozed.notifications == 1)
        #expect(try status() == "cancelled snoozed")
        let restored = try fixture.act(.restore, onMedicationAlert: alert, by: 1)
        #expect(restored.alert.snoozeUntil == nil && restored.notifications == 1)
        #expect(try status() == "pending quiet_hours")
        let acknowledged = try fixture.act(.acknowledge, onMedicationAlert: alert, by: 2)
        #expect(acknowledged.escalations == 1 && acknowledged.notifications == 0)
        #expect(acknowledged.alert.acknowledgedBy == person(2))
        let dismissed = try fixture.act(.dismiss, onMedicationAlert: alert, by: 2)
        #expect(dismissed.alert.dismissedAt == dismissed.action.at && dismissed.notifications == 1)
        #expect(
          try fixture.storage.actions(onMedicationAlert: alert.id).count == 4)
        var ended = alert
        ended.resolution = .init(day: alert.lastFound + 1, reason: .recovered)
        try fixture.write(medicationAlerts: [ended])
        expectStorageError(.ended) {
          _ = try fixture.act(.restore, onMedicationAlert: alert, by: 2)
        }
      },
    ]
    + [HeldDecision.release, .discard].map { decision in
      ConformanceCheck(
        "held notifications about medications end as their facts say when they are \(decision)d"
      ) { fixture in
        let cases = try HeldMedicationCase.all()
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
          let expected = held.facts.outcome(releasing: decision == .release)
          #expect(found[held.notification.id.lowercased] == expected.rawValue, "\(held.facts)")
        }
        #expect(Set(found.values).count == (decision == .release ? 8 : 6))
        for held in cases {
          let alert = try #require(
            try fixture.storage.medicationAlerts(withID: UUIDPrefix(held.alert.id)).first)
          let outcomes = [held.facts.outcome(releasing: decision == .release)]
          let isNotified = outcomes == [decision == .release ? .released : .discarded]
          if isNotified { #expect((alert.lastNotifiedLevel ?? .day3) >= .day7, "\(held.facts)") }
        }
      }
    }
}

/// An alert about missed doses of a medication of the person's own.
private func medicationAlert(
  _ number: Int, since: String = "2026-02-01"
) throws -> MedicationAlert {
  let since = try day(since)
  return MedicationAlert(
    user: person(number), medication: UUID(name: "medication \(number)"), kind: .missedStreak,
    activeSince: since, lastFound: since + 2)
}

private func notification(
  about alert: MedicationAlert, to number: Int, level: AlertLevel = .day7
) throws -> PlannedNotification {
  PlannedNotification(
    kind: .missedStreak, recipient: person(number), member: alert.user, alertStateID: alert.id,
    level: level, channel: .push, payload: #"{"kind":"missed_streak"}"#, priority: .high,
    scheduledFor: try time("2026-03-01T07:00:00Z"), expiresAt: try time("2026-03-02T07:00:00Z"))
}

/// One combination of what decides about a held notification about a medication.
private struct HeldMedicationCase {
  var facts: HeldNotification
  var alert: MedicationAlert
  var notification: PlannedNotification
  /// A notification of a higher level of the same alert.
  var higher: PlannedNotification?
  var isReplaceable = false

  /// Every combination, each about a person of its own.
  static func all() throws -> [HeldMedicationCase] {
    var cases: [HeldMedicationCase] = []
    for lastNotified in [nil, AlertLevel.day3, .day7] {
      for bits in 0..<512 {
        cases.append(
          try HeldMedicationCase(
            number: cases.count + 1, bits: bits, lastNotified: lastNotified))
      }
    }
    return cases
  }

  private init(number: Int, bits: Int, lastNotified: AlertLevel?) throws {
    func isSet(_ bit: Int) -> Bool { bits & (1 << bit) != 0 }
    let (isBelow, hasHigher) = (isSet(0), isSet(1))
    let level: AlertLevel = isBelow ? .day3 : hasHigher ? .day14 : .day7
    facts = HeldNotification(level: .day7, eventLevel: level)
    facts.hasHigherLevelHeld = hasHigher && !isBelow
    facts.eventIsActive = isSet(2)
    facts.isDismissed = isSet(3)
    facts.isSnoozed = isSet(4)
    facts.isExcluded = isSet(5)
    facts.hasEveryChannelOff = isSet(6)
    facts.wasEnqueued = isSet(7)
    facts.lastNotifiedLevel = lastNotified
    isReplaceable = isSet(8)
    alert = try medicationAlert(number)
    alert.level = level
    if !facts.eventIsActive {
      alert.resolution = .init(day: alert.lastFound + 1, reason: .recovered)
    }
    alert.lastNotifiedLevel = lastNotified
    if facts.isDismissed { alert.dismissedAt = try time("2026-02-20T00:00:00Z") }
    // The run's last day is 28 February.
    alert.snoozeUntil = try day(facts.isSnoozed ? "2026-03-01" : "2026-02-28")
    notification = try StorageConformance.notification(about: alert, to: number + 1_000_000)
    if facts.hasEveryChannelOff { notification.statusReason = .preferenceOff }
    if hasHigher {
      higher = try StorageConformance.notification(
        about: alert, to: number + 1_000_000, level: .day14)
    }
  }
}

extension StorageFixture {
  func write(
    medicationAlerts alerts: [MedicationAlert], _ notifications: [PlannedNotification] = [],
    into queue: DeliveryQueue = .shadow
  ) throws {
    _ = try storage.write(
      BatchWrite(
        alertStates: [], notifications: notifications, queue: queue, runID: runID,
        writtenAt: time("2026-03-01T02:00:00Z"), medicationAlerts: alerts))
  }

  /// An alert whose notification is in the queue.
  fileprivate func notifiedMedicationAlert(
    _ number: Int, to recipient: Int
  ) throws -> MedicationAlert {
    var alert = try medicationAlert(number)
    alert.lastFound = alert.activeSince + 5
    alert.level = .day7
    var run = try sampleRun()
    run.mode = .live
    try put(run)
    try write(
      medicationAlerts: [alert], [try notification(about: alert, to: recipient)], into: .live)
    _ = try storage.withRuns {
      try $0.decide(.release, run: runID, at: time("2026-03-01T02:00:00Z"))
    }
    return alert
  }

  fileprivate func act(
    _ kind: AlertAction.Kind, onMedicationAlert alert: MedicationAlert, by actor: Int
  ) throws -> MedicationAlertActionOutcome {
    try storage.carryOutOnMedicationAlert(
      AlertAction(kind, alert: alert.id, by: person(actor), at: time("2026-03-01T03:00:00Z")))
  }

  /// Brings the cases into the tables, held by one live run.
  fileprivate func hold(_ cases: [HeldMedicationCase]) throws {
    let recipients = cases.map(\.notification.recipient)
    try add(.users, ["id"], (cases.map(\.alert.user) + recipients).map { [.uuid($0)] })
    try add(
      .alertRecipientExclusions, ["subject_user_id", "excluded_user_id"],
      cases.filter(\.facts.isExcluded).map {
        [.uuid($0.alert.user), .uuid($0.notification.recipient)]
      })
    var run = try sampleRun()
    run.mode = .live
    try put(run)
    try write(
      medicationAlerts: cases.map(\.alert),
      cases.flatMap { [$0.notification, $0.higher].compactMap(\.self) }, into: .live)
    for (isSent, values) in [(true, "'sent', NULL"), (false, "'skipped', 'snoozed'")] {
      let ids = cases.filter { $0.facts.wasEnqueued == isSent && (isSent || $0.isReplaceable) }
        .map { "'\($0.notification.id.lowercased)'" }.joined(separator: ", ")
      let columns = """
        id, recipient_user_id, member_user_id, subject_kind, subject_id, notification_type,
        template_id, level, channel, payload, priority, scheduled_for, expires_at, dedupe_key,
        run_id, created_at, updated_at
        """
      try execute(
        """
        INSERT INTO notification_queue (\(columns), status, status_reason)
        SELECT \(columns), \(values) FROM held_notifications WHERE id IN (\(ids))
        """)
    }
  }
}

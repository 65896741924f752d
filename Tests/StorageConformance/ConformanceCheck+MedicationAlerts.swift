import Foundation
import Testing
import VigilAlerts
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// Alerts whose subject is a medication, where they differ from those about the person.
  static let medicationAlerts: [ConformanceCheck] = [
    ConformanceCheck("alerts about medications are read apart from those about the person") {
      fixture in
      try fixture.addPersons(1, 2)
      let other = Profile(version: "v2", digest: sampleProfile.digest)
      let ended = try medicationAlert(1, since: "2026-01-20", resolution: .recovered)
      let active = try medicationAlert(1)
      var before = try medicationAlert(1, .refillDue, resolution: .profileChanged)
      before = PatternAlertState(
        profile: other, series: before.series, episode: before.episode, runID: runID,
        computedAt: before.computedAt, createdAt: before.createdAt, updatedAt: before.updatedAt)
      let steps = try alertState(1)
      _ = try fixture.write([active, ended, before, steps])
      let reader = try fixture.storage.makeReader()
      func read(_ date: String) throws -> Set<PatternAlertState> {
        Set(
          try reader.alertStatesOfMedications(
            of: [person(1), person(2)], touchedSince: day(date)))
      }
      #expect(try read("2026-01-23") == [ended, active, before])
      #expect(try read("2026-01-24") == [active, before])
      #expect(try read("2026-12-31") == [active])
      #expect(
        try reader.alertStatesOfMedications(of: [person(2)], touchedSince: day("2026-01-01"))
          .isEmpty)
      #expect(
        try reader.alertStates(
          of: [person(1)], in: sampleProfile, touchedSince: day("2026-01-01")) == [steps])
    },

    ConformanceCheck("alerts about medications are listed with all others") { fixture in
      try fixture.addPersons(1, 2)
      let tablets = [UUID(name: "medication"), UUID(name: "another medication")].sorted()
      let ended = try medicationAlert(1, since: "2026-01-20", resolution: .recovered)
      let high = try medicationAlert(1, days: 13, level: .day14)
      let streaks = try tablets.map { try medicationAlert(2, of: $0) }
      let refill = try medicationAlert(2, .refillDue)
      let steps = try alertState(2)
      let all = [ended, high] + streaks + [refill, steps]
      _ = try fixture.write(all.reversed())
      func expect(
        _ filter: AlertFilter, _ expected: [PatternAlertState],
        sourceLocation: SourceLocation = #_sourceLocation
      ) throws {
        #expect(
          try fixture.storage.alertStates(matching: filter) == expected,
          sourceLocation: sourceLocation)
      }
      try expect(AlertFilter(), all)
      try expect(AlertFilter(users: [person(2)]), streaks + [refill, steps])
      try expect(AlertFilter(metric: .refillDue), [refill])
      try expect(AlertFilter(isActive: false), [ended])
      try expect(AlertFilter(metric: .missedStreak, minimumLevel: .day7), [high])
      try expect(AlertFilter(id: UUIDPrefix(refill.id)), [refill])
    },

    ConformanceCheck("a medication has one active alert of a kind") { fixture in
      try fixture.addPersons(1)
      let first = try medicationAlert(1, since: "2026-01-20")
      _ = try fixture.write([first])
      #expect(throws: StorageError.self) { _ = try fixture.write([medicationAlert(1)]) }
      let ended = try medicationAlert(1, since: "2026-01-20", resolution: .recovered)
      _ = try fixture.write([medicationAlert(1), ended])
      // Another kind, and another medication, have ones of their own.
      let others = [
        try medicationAlert(1, .refillDue), try medicationAlert(1, of: UUID(name: "another")),
      ]
      _ = try fixture.write(others)
      #expect(try fixture.count("pattern_alert_state") == 4)
      #expect(Set(try (others + [ended, medicationAlert(1)]).map(\.id)).count == 4)
    },

    ConformanceCheck("only an alert about a medication names one, and calls for attention at once")
    {
      fixture in
      try fixture.addPersons(1)
      _ = try fixture.write([
        alertState(1, level: .day3), medicationAlert(1), medicationAlert(1, .missedDose),
      ])
      #expect(
        try fixture.strings(
          "SELECT metric_type || ' ' || severity FROM pattern_alert_state ORDER BY 1")
          == ["missed_dose watch", "missed_streak attention", "steps watch"])
      let medication = "'\(UUID(name: "medication").lowercased)'"
      for change in [
        "SET medication_id = NULL WHERE metric_type = 'missed_streak'",
        "SET medication_id = \(medication) WHERE metric_type = 'steps'",
        "SET pattern_type = 'silence' WHERE metric_type = 'missed_streak'",
        "SET severity = 'watch' WHERE metric_type = 'missed_streak'",
        "SET severity = 'attention' WHERE metric_type = 'steps'",
        "SET severity = 'attention' WHERE metric_type = 'missed_dose'",
        "SET current_level = 7, severity = 'attention' WHERE metric_type = 'missed_dose'",
      ] {
        #expect(throws: (any Error).self, "\(change)") {
          try fixture.execute("UPDATE pattern_alert_state \(change)")
        }
      }
    },

    ConformanceCheck("an alert about a medication keeps the evidence of its doses") { fixture in
      try fixture.addPersons(1)
      var alert = try medicationAlert(1, days: 4)
      alert.episode.doses = DoseEvidence(
        openedOn: alert.episode.lastEvaluated, windowDays: 4, missed: 4, expected: 4,
        evidence: 12.5, threshold: 9.7, heldLevel: 0.8,
        anchor: DoseAnchor(
          missed: 3, expected: 90, share: 0.034, withinDay: 0.5,
          weekdays: SIMD8(0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.1, 0), run: 0.1, countedDoses: 95),
        recordedOn: nil)
      _ = try fixture.write([alert])
      #expect(try fixture.storage.alertStates(matching: AlertFilter()) == [alert])
    },

    ConformanceCheck("missed doses of a medication and refills have calls of their own") {
      fixture in
      try fixture.addFamily(2, 1)
      let alerts = [
        try medicationAlert(1, days: 5, level: .day7),
        try medicationAlert(1, .refillDue, days: 5, level: .day7), try alertState(1),
      ]
      _ = try fixture.release(alerts, try alerts.map { try notification(about: $0, to: 2) })
      #expect(
        try fixture.strings("SELECT escalation_type FROM escalation_log ORDER BY 1")
          == ["missed_dose", "pattern_anomaly", "refill_due"])
      func waiting(_ subject: EscalationSubject) throws -> [UUID] {
        var window = EscalationWindow(minutes: 60, at: try time("2026-03-01T00:00:00Z"))
        (window.start, window.end) = try (
          time("2026-03-01T00:00:00Z"), time("2026-03-09T00:00:00Z")
        )
        return try fixture.storage.unansweredAlerts(
          of: subject, at: .day7, in: EscalationWindows(ofSender: window), limit: 9
        ).map(\.id)
      }
      #expect(try waiting(.missedStreak) == [alerts[0].id])
      #expect(try Set(waiting(.alert)) == [alerts[2].id])
    },

    ConformanceCheck("members act on an alert about a medication as on others") { fixture in
      try fixture.addFamily(2, 1)
      let alert = try medicationAlert(1, days: 5, level: .day7)
      #expect(try fixture.release([alert], [try notification(about: alert, to: 2)]) == 1)
      let until = try day("2026-03-12")
      let snoozed = try fixture.act(.snooze(until: until), on: alert, by: 2)
      #expect(snoozed.alert.snoozeUntil == until && snoozed.notifications == 1)
      #expect(try fixture.states() == ["cancelled snoozed"])
      #expect(try fixture.act(.restore, on: alert).notifications == 1)
      #expect(try fixture.act(.acknowledge, on: alert, by: 2).escalations == 1)
      #expect(try fixture.act(.dismiss, on: alert).alert.acknowledgedBy == person(2))
      #expect(try fixture.storage.actions(on: alert.id).count == 4)
    },

    ConformanceCheck("a family reads an alert about a medication beside those about the person") {
      fixture in
      try fixture.addFamily(2, 1)
      let alerts = [try medicationAlert(1, days: 12, level: .day14), try alertState(1)]
      _ = try fixture.write(alerts)
      func read() throws -> [PatternAlertState] {
        try fixture.storage.familyAlerts(
          of: UUID(name: "family"), for: person(2), on: day("2026-02-10"))
      }
      #expect(try read() == alerts)
      _ = try fixture.act(.dismiss, on: alerts[0], by: 2)
      #expect(try read() == [alerts[1]])
    },
  ]
}

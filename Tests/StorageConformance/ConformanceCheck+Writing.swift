import Foundation
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  static let writing = [
    ConformanceCheck("an alert state comes back as it was written") {
      try $0.addPersons(1, 2)
      var full = try alertState(1, level: .day14, resolvedOn: "2026-02-12")
      full.lastNotifiedLevel = .day7
      full.lastNotifiedAt = try time("2026-02-08T03:04:05.678901Z")
      full.shadowNotifiedLevel = .day14
      full.snoozeUntil = try day("2026-02-20")
      full.dismissedAt = try time("2026-02-09T00:00:00Z")
      full.acknowledgedAt = try time("2026-02-09T00:00:01Z")
      full.acknowledgedBy = person(7)
      var bare = try alertState(2, metric: "resting_hr", pattern: .rise, level: .day3)
      bare.episode.figures.deviation = nil
      bare.episode.figures.baseline.value = 0
      _ = try $0.write([full, bare])
      #expect(try $0.storage.alertStates(matching: AlertFilter()) == [full, bare])
      #expect(
        try $0.strings("SELECT id FROM pattern_alert_state ORDER BY user_id")
          == [full.id.lowercased, bare.id.lowercased])
    },

    ConformanceCheck("writing a batch twice changes nothing and enqueues nothing") {
      try $0.addPersons(1, 2)
      let state = try alertState(1)
      let planned = try [notification(about: state, to: 2), notification(about: state, to: 1)]
      #expect(try $0.write([state], planned) == 2)
      #expect(try $0.write([state], planned) == 0)
      #expect(try $0.storage.alertStates(matching: AlertFilter()) == [state])
      #expect(try $0.count("shadow_notification_queue") == 2)
    },

    ConformanceCheck("an update keeps what people set and when the row came") {
      try $0.addPersons(1)
      var stored = try alertState(1)
      _ = try $0.write([stored])
      try $0.execute(
        """
        UPDATE pattern_alert_state SET
          snooze_until = '2026-02-20', dismissed_at = '2026-02-11T00:00:00.000000Z',
          acknowledged_at = '2026-02-11T00:00:01.000000Z',
          acknowledged_by = '\(person(5).lowercased)'
        """)
      stored.snoozeUntil = try day("2026-02-20")
      stored.dismissedAt = try time("2026-02-11T00:00:00Z")
      stored.acknowledgedAt = try time("2026-02-11T00:00:01Z")
      stored.acknowledgedBy = person(5)
      #expect(try $0.storage.alertStates(matching: AlertFilter()) == [stored])

      var update = try alertState(
        1, evaluated: "2026-02-20", level: .day14, resolvedOn: "2026-02-21")
      update.lastNotifiedLevel = .day14
      update.lastNotifiedAt = try time("2026-02-15T00:00:00Z")
      update.shadowNotifiedLevel = .day7
      update.runID = UUID(name: "another run")
      update.episode.figures.baseline.count = 9
      update.computedAt = try time("2026-03-02T00:00:00Z")
      update.updatedAt = try time("2026-03-02T00:00:01Z")
      update.createdAt = try time("2026-03-02T00:00:02Z")
      _ = try $0.write([update])
      update.createdAt = stored.createdAt
      update.snoozeUntil = stored.snoozeUntil
      update.dismissedAt = stored.dismissedAt
      update.acknowledgedAt = stored.acknowledgedAt
      update.acknowledgedBy = stored.acknowledgedBy
      #expect(try $0.storage.alertStates(matching: AlertFilter()) == [update])
    },

    ConformanceCheck("notified levels never fall, whatever a run has seen before") {
      try $0.addPersons(1)
      var notified = try alertState(1, level: .day14)
      notified.lastNotifiedLevel = .day14
      notified.lastNotifiedAt = try time("2026-02-15T00:00:00Z")
      notified.shadowNotifiedLevel = .day7
      _ = try $0.write([notified])
      var stale = try alertState(1, level: .day7)
      stale.lastNotifiedLevel = .day3
      _ = try $0.write([stale])
      let found = try #require(try $0.storage.alertStates(matching: AlertFilter()).first)
      #expect(found.episode.level == .day7)
      #expect(found.lastNotifiedLevel == .day14)
      #expect(found.lastNotifiedAt == notified.lastNotifiedAt)
      #expect(found.shadowNotifiedLevel == .day7)
    },

    ConformanceCheck("an episode can end and the next begin in one batch, in any order") {
      try $0.addPersons(1)
      _ = try $0.write([alertState(1)])
      let next = try alertState(1, since: "2026-02-08", evaluated: "2026-02-12", level: .day3)
      let ended = try alertState(1, resolvedOn: "2026-02-11")
      _ = try $0.write([next, ended])
      #expect(try $0.storage.alertStates(matching: AlertFilter()) == [ended, next])
    },

    ConformanceCheck("a second active episode of a series is refused with its whole batch") {
      try $0.addPersons(1, 2)
      _ = try $0.write([alertState(1)])
      let storage = $0
      let error = expectStorageError(.constraint) {
        _ = try storage.write([
          alertState(2), alertState(1, since: "2026-02-08", evaluated: "2026-02-12"),
        ])
      }
      #expect(error?.message.contains("pattern_alert_state") == true)
      #expect(error?.description.contains(person(1).lowercased) == false)
      #expect(try $0.count("pattern_alert_state") == 1)
    },

    ConformanceCheck("a refused notification takes the alert states of its batch along") {
      try $0.addPersons(1)
      let state = try alertState(1)
      let storage = $0
      let error = expectStorageError(.constraint) {
        _ = try storage.write([state], [notification(about: state, to: 77)])
      }
      #expect(error?.message.contains("shadow_notification_queue") == true)
      #expect(error?.description.contains(person(77).lowercased) == false)
      #expect(try $0.count("pattern_alert_state") == 0)
    },

    ConformanceCheck("a state that contradicts itself is refused without its values") {
      try $0.addPersons(1)
      var state = try alertState(1)
      state.episode.figures.baseline.count = 0
      state.episode.figures.baseline.value = 4242.5
      let (storage, refused) = ($0, state)
      let error = expectStorageError(.constraint) { _ = try storage.write([refused]) }
      #expect(error?.message.contains("pattern_alert_state_days_positive") == true)
      #expect(error?.description.contains("4242.5") == false)
    },

    ConformanceCheck("shadow and live queues are apart, each takes a key once") {
      try $0.addPersons(1, 2)
      let state = try alertState(1)
      let planned = try notification(about: state, to: 2)
      #expect(try $0.write([state], [planned], into: .shadow) == 1)
      #expect(try $0.write([], [planned], into: .shadow) == 0)
      #expect(try $0.release([], [planned]) == 1)
      #expect(try $0.count("held_notifications") == 1)
      #expect(try $0.count("shadow_notification_queue") == 1)
      #expect(try $0.count("notification_queue") == 1)
    },

    ConformanceCheck("a queue row holds what was planned, and waits for delivery") {
      try $0.addPersons(1, 2)
      let state = try alertState(1)
      let planned = try notification(about: state, to: 2)
      #expect(try $0.release([state], [planned]) == 1)
      let expected = [
        ("id", planned.id.lowercased), ("recipient_user_id", person(2).lowercased),
        ("member_user_id", person(1).lowercased), ("alert_state_id", state.id.lowercased),
        ("notification_type", "pattern_alert"), ("template_id", "pattern_alert.level_7"),
        ("channel", "push"),
        ("priority", "high"), ("status", "pending"), ("attempts", "0"), ("max_attempts", "3"),
        ("dedupe_key", planned.dedupeKey), ("run_id", runID.lowercased),
      ]
      for (column, value) in expected {
        let found = try $0.strings("SELECT CAST(\(column) AS TEXT) FROM notification_queue")
        #expect(found == [value], "\(column)")
      }
      let payload = try $0.strings("SELECT CAST(payload AS TEXT) FROM notification_queue")
      let object = try JSONDecoder().decode(
        [String: String].self, from: Data((payload.first ?? "")?.utf8 ?? "".utf8))
      #expect(object == ["kind": "pattern_alert", "note": "it's; fine"])
      for column in ["last_attempt_at", "last_error", "sent_at"] {
        let found = try $0.strings("SELECT CAST(\(column) AS TEXT) FROM notification_queue")
        #expect(found == [nil], "\(column)")
      }
    },

    ConformanceCheck("a batch with a checkpoint that the run already has is not written again") {
      try $0.addPersons(1, 2)
      try $0.put(sampleRun())
      let state = try alertState(1)
      var batch = BatchWrite(
        alertStates: [state], notifications: [try notification(about: state, to: 2)],
        queue: .live, runID: runID, writtenAt: try time("2026-03-01T02:00:00Z"),
        checkpoint: sampleCheckpoint(1, 2))
      #expect(try $0.storage.write(batch).enqueued == 1)
      // The answer of the first write may have been lost on the way.
      batch.alertStates = [try alertState(1, evaluated: "2026-02-11")]
      #expect(try $0.storage.write(batch).enqueued == 1)
      #expect(try $0.storage.alertStates(matching: AlertFilter()) == [state])
      #expect(try $0.count("batch_checkpoints") == 1)

      batch.checkpoint = sampleCheckpoint(3, 3)
      batch.queue = .shadow
      #expect(try $0.storage.write(batch).enqueued == 1)
      batch.checkpoint = sampleCheckpoint(4, 4)
      #expect(try $0.storage.write(batch).enqueued == 0)
      #expect(try $0.count("batch_checkpoints") == 3)
    },

    ConformanceCheck("what is held gives way to a newer plan until it is decided") {
      try $0.addPersons(1, 2)
      try $0.put(sampleRun())
      let state = try alertState(1)
      var batch = BatchWrite(
        alertStates: [state], notifications: [try notification(about: state, to: 2)],
        queue: .live, runID: runID, writtenAt: try time("2026-03-01T02:00:00Z"))
      let times = "SELECT substr(CAST(updated_at AS TEXT), 12, 5) FROM held_notifications"
      for (instant, decision, updated) in [
        ("2026-03-01T02:00:00Z", "outcome", "02:00"),
        ("2026-03-01T03:00:00Z", "'released'", "03:00"),
        ("2026-03-01T04:00:00Z", "outcome", "03:00"),
      ] {
        batch.writtenAt = try time(instant)
        _ = try $0.storage.write(batch)
        #expect(try $0.strings(times) == [updated])
        try $0.execute(
          """
          UPDATE held_notifications SET outcome = \(decision),
            decided_at = CASE WHEN \(decision) IS NOT NULL THEN updated_at END
          """)
      }
    },

    ConformanceCheck("a refused batch leaves no checkpoint") {
      try $0.addPersons(1)
      try $0.put(sampleRun())
      let state = try alertState(1)
      let batch = BatchWrite(
        alertStates: [state], notifications: [try notification(about: state, to: 77)],
        queue: .live, runID: runID, writtenAt: try time("2026-03-01T02:00:00Z"),
        checkpoint: sampleCheckpoint(1, 1))
      let storage = $0.storage
      expectStorageError(.constraint) { _ = try storage.write(batch) }
      #expect(try $0.count("batch_checkpoints") == 0)
    },

    ConformanceCheck("each row of a batch of any size is written, and those that wait are counted")
    {
      try $0.put(sampleRun())
      var first = 1
      for (queue, table) in [
        (DeliveryQueue.shadow, "shadow_notification_queue"), (.live, "held_notifications"),
      ] {
        for size in [1, 15, 16, 17, 53] {
          let persons = first..<(first + size)
          first += size
          for number in persons { try $0.addPersons(number) }
          let states = try persons.map { number in
            var state = try alertState(number)
            if number % 3 == 0 {
              state.episode.resolution = .init(
                day: state.episode.lastEvaluated, reason: .recovered)
            }
            return state
          }
          let planned = try zip(persons, states).map { number, state in
            var planned = try notification(about: state, to: number)
            if number % 7 < 2 { planned.statusReason = .preferenceOff }
            return planned
          }
          let rowsBefore = try $0.count(table)
          let batch = BatchWrite(
            alertStates: states, notifications: planned, queue: queue, runID: runID,
            writtenAt: try time("2026-03-01T02:00:00Z"))
          let written = try $0.storage.write(batch)
          #expect(written.enqueued == planned.count { $0.status == .pending }, "\(table), \(size)")
          #expect(try $0.count(table) == rowsBefore + size)
          let found = try $0.storage.alertStates(matching: AlertFilter(limit: 1_000))
          #expect(Set(found.map(\.id)).isSuperset(of: states.map(\.id)))
          #expect(found.count == first - 1)
        }
      }
    },

    ConformanceCheck("an empty batch is no error") {
      let enqueued = try $0.write([])
      #expect(enqueued == 0)
    },
  ]

  static let listing = [
    ConformanceCheck("alert states are ordered by person, metric, pattern and beginning") {
      try $0.addPersons(1, 2, 10)
      let expected = [
        try alertState(1, metric: "hrv_ms"),
        try alertState(1, metric: "steps", since: "2026-01-01", resolvedOn: "2026-02-11"),
        try alertState(1, metric: "steps", since: "2026-02-01"),
        try alertState(1, metric: "steps", pattern: .rise, since: "2026-01-01"),
        try alertState(2, metric: "hrv_ms"), try alertState(10, metric: "hrv_ms"),
      ]
      _ = try $0.write(expected.reversed())
      #expect(try $0.storage.alertStates(matching: AlertFilter()) == expected)
      #expect(try $0.storage.alertStates(matching: AlertFilter(limit: 2)) == Array(expected[..<2]))
      #expect(try $0.storage.alertStates(matching: AlertFilter(limit: 0)).isEmpty)
    },

    ConformanceCheck("every condition of a filter narrows, and they combine") {
      try $0.addPersons(1, 2, 3)
      let early = try alertState(
        1, since: "2026-01-01", evaluated: "2026-01-10", resolvedOn: "2026-01-12")
      let late = try alertState(1, since: "2026-02-01", evaluated: "2026-02-21", level: .day21)
      let other = try alertState(2, metric: "hrv_ms", evaluated: "2026-02-03", level: .day3)
      _ = try $0.write([early, late, other])
      let storage = $0.storage
      func found(_ filter: AlertFilter) throws -> [PatternAlertState] {
        try storage.alertStates(matching: filter)
      }
      #expect(try found(AlertFilter(users: [person(2), person(3)])) == [other])
      #expect(try found(AlertFilter(users: [])).isEmpty)
      #expect(try found(AlertFilter(metric: MetricType("steps"))) == [early, late])
      #expect(try found(AlertFilter(isActive: true)) == [late, other])
      #expect(try found(AlertFilter(isActive: false)) == [early])
      #expect(try found(AlertFilter(minimumLevel: .day7)) == [early, late])
      #expect(try found(AlertFilter(minimumLevel: .day21)) == [late])
      #expect(
        try found(AlertFilter(days: day("2026-01-10")...day("2026-01-31"))) == [early])
      #expect(
        try found(AlertFilter(days: day("2026-01-11")...day("2026-02-01"))) == [late, other])
      #expect(try found(AlertFilter(days: day("2026-02-04")...day("2026-02-05"))) == [late])
      #expect(
        try found(
          AlertFilter(
            users: [person(1)], metric: MetricType("steps"), isActive: true, minimumLevel: .day14,
            days: day("2026-02-01")...day("2026-02-28"), limit: 5)) == [late])
    },
  ]
}

import Foundation
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// The rows that pruning removes from the queues, and the ids that it keeps.
  static let pruning = [
    ConformanceCheck("rows go by their status and age, and their ids stay unless they may return") {
      fixture in
      let states: [(status: String, reason: String?, updated: String, remains: String)] = [
        ("sent", nil, "2026-03-09", "id"),
        ("sent", nil, "2026-03-11", "row"),
        ("failed", nil, "2026-03-09", "id"),
        ("cancelled", "superseded", "2026-03-09", "id"),
        ("cancelled", "snoozed", "2026-03-09", "id"),
        ("skipped", "preference_off", "2026-03-09", "nothing"),
        ("skipped", "snoozed", "2026-03-09", "nothing"),
        ("skipped", "dismissed", "2026-03-09", "nothing"),
        ("skipped", "superseded", "2026-03-09", "nothing"),
        ("skipped", "resolved", "2026-03-09", "nothing"),
        ("skipped", "snoozed", "2026-03-11", "row"),
        ("processing", nil, "2026-03-09", "row"),
      ]
      let ids = try states.indices.map { index in
        try notification(about: fixture.notifiedAlert(index + 1), to: index + 1).id
      }
      for (id, state) in zip(ids, states) {
        try fixture.execute(
          """
          UPDATE notification_queue SET status = '\(state.status)',
            status_reason = \(state.reason.map { "'\($0)'" } ?? "NULL"),
            updated_at = '\(state.updated)T00:00:00.000000Z'
          WHERE id = '\(id.lowercased)'
          """)
      }
      let expected = try fixture.prunable()
      let pruned = try fixture.prune()
      #expect(pruned == expected)
      #expect(pruned.notifications == 9)
      #expect(pruned.remembered == 4)
      #expect(pruned.expired == 0)
      let rows = Set(try fixture.strings("SELECT CAST(id AS TEXT) FROM notification_queue"))
      let spent = Set(try fixture.strings("SELECT CAST(id AS TEXT) FROM spent_notifications"))
      for (state, id) in zip(states, ids) {
        #expect(rows.contains(id.lowercased) == (state.remains == "row"), "\(state)")
        #expect(spent.contains(id.lowercased) == (state.remains == "id"), "\(state)")
      }
      #expect(try fixture.prune() == PrunedRows())
    },

    ConformanceCheck("a notification not sent in time is cancelled, and pruned at that age") {
      _ = try $0.notifiedAlert(1)
      let soon = try $0.prunable(before: "2026-02-01T00:00:00Z", at: "2026-03-02T06:59:59Z")
      #expect(soon == PrunedRows())
      var expired = PrunedRows()
      expired.expired = 1
      #expect(
        try $0.prunable(before: "2026-03-01T03:00:00Z", at: "2026-03-02T07:00:00Z") == expired)
      #expect(try $0.states() == ["pending quiet_hours"])
      #expect(try $0.prune(before: "2026-03-01T03:00:00Z", at: "2026-03-02T07:00:00Z") == expired)
      #expect(try $0.states() == ["cancelled expired"])
      #expect(
        try $0.prune(before: "2026-03-02T07:00:01Z", at: "2026-04-01T07:00:00Z").notifications == 1)
      #expect(try $0.count("spent_notifications") == 1)
    },

    ConformanceCheck("what can still be restored stays") {
      let alert = try $0.notifiedAlert()
      _ = try $0.act(.snooze(until: try day("2026-03-12")), on: alert)
      #expect(
        try $0.prune(before: "2026-03-01T04:00:00Z", at: "2026-03-01T05:00:00Z") == PrunedRows())
      #expect(try $0.act(.restore, on: alert, at: "2026-03-01T06:00:00Z").notifications == 1)
    },

    ConformanceCheck("a group is pruned together with its rows, and not before") {
      _ = try $0.notifiedGroup()
      let members = try $0.strings(
        "SELECT CAST(id AS TEXT) FROM notification_queue WHERE group_id IS NOT NULL ORDER BY id"
      ).compactMap(\.self)
      try $0.execute(
        "UPDATE notification_queue SET status = 'processing' WHERE group_id IS NULL")
      #expect(try $0.prune().total == 0)
      try $0.execute("UPDATE notification_queue SET status = 'sent' WHERE group_id IS NULL")
      try $0.execute(
        """
        UPDATE notification_queue SET updated_at = '2026-03-11T00:00:00.000000Z'
        WHERE id = '\(members[1])'
        """)
      #expect(try $0.prune().total == 0)
      try $0.execute("UPDATE notification_queue SET updated_at = '2026-03-09T00:00:00.000000Z'")
      // One root a transaction takes its members along.
      let pruned = try $0.prune(rowsAtOnce: 1)
      #expect(pruned.notifications == 3)
      #expect(pruned.remembered == 3)
      #expect(try $0.count("spent_notifications") == 3)
      #expect(try $0.count("notification_queue") == 0)
    },

    ConformanceCheck("page after page goes until nothing is left") {
      for number in 1...7 { _ = try $0.notifiedAlert(number) }
      try $0.execute("UPDATE notification_queue SET status = 'sent'")
      _ = try $0.notifiedAlert(8)
      let pruned = try $0.prune(at: "2026-03-02T00:00:00Z", rowsAtOnce: 2)
      #expect(pruned.notifications == 7)
      #expect(pruned.remembered == 7)
      #expect(try $0.states() == ["pending quiet_hours"])
    },

    ConformanceCheck("what shadow nights would have sent goes when it would have expired") {
      try $0.addPersons(1, 2)
      let states = try [alertState(1), alertState(2)]
      _ = try $0.write(states, try states.map { try notification(about: $0, to: 1) })
      try $0.execute(
        """
        UPDATE shadow_notification_queue SET updated_at = '2026-03-11T00:00:00.000000Z'
        WHERE alert_state_id = '\(states[1].id.lowercased)'
        """)
      let expected = try $0.prunable()
      let early = try $0.prune(before: "2026-03-01T03:00:00Z", at: "2026-03-01T05:00:00Z")
      #expect(early == PrunedRows())
      let pruned = try $0.prune(rowsAtOnce: 1)
      #expect(pruned == expected)
      #expect(pruned.shadowNotifications == 1)
      #expect(pruned.remembered == 0)
      #expect(try $0.count("shadow_notification_queue") == 1)
      #expect(try $0.count("spent_notifications") == 0)
    },

    ConformanceCheck("what was decided long ago goes, and the run still says what it sent") {
      let (run, _) = try $0.liveRun(of: 3)
      _ = try $0.end(run, .succeeded, rateLimit: .count(3))
      #expect(try $0.prune(before: "2026-03-01T02:05:00Z").held == 0)
      let expected = try $0.prunable()
      let pruned = try $0.prune()
      #expect(pruned == expected)
      #expect(pruned.held == 3)
      // Those of runs that have succeeded go with the next run.
      #expect(pruned.checkpoints == 0)
      #expect(try $0.count("held_notifications") == 0)
      // Whatever derives the run's row again.
      _ = try $0.decide(.release, run)
      let record = try #require(try $0.storage.run(id: run.id))
      #expect(record.status == .succeeded)
      #expect(record.counts.notificationsEnqueued == 3)
      #expect(record.counts.persons == 3)
    },

    ConformanceCheck("what a rate limit holds stays, however old it is") {
      let (run, _) = try $0.liveRun(of: 3)
      _ = try $0.end(run, .succeeded, rateLimit: .count(2))
      #expect(try $0.prunable().total == 0)
      #expect(try $0.prune().total == 0)
      #expect(try $0.decide(.release, run).counts.notificationsEnqueued == 3)
    },

    ConformanceCheck("a shard that a rate limit holds keeps all of its run") {
      let run = try $0.begin(workOf("a", shards: 2, mode: .live), shard: 1)
      _ = try $0.begin(workOf("b", shards: 2, mode: .live), shard: 2)
      try $0.hold(of: run, shard: 1, persons: 1, 2)
      try $0.hold(of: run, shard: 2, persons: 3)
      _ = try $0.end(run, shard: 1, .succeeded, rateLimit: .count(1))
      _ = try $0.end(run, shard: 2, .interrupted, rateLimit: .count(1))
      #expect(try $0.prunable().total == 0)
      #expect(try $0.prune().total == 0)
      #expect(try $0.count("held_notifications") == 3)
      #expect(try $0.count("batch_checkpoints") == 2)
    },

    ConformanceCheck("calls go when their alert has ended, and not before") { fixture in
      for number in 1...8 { _ = try fixture.notifiedAlert(number) }
      try fixture.execute("DELETE FROM escalation_log")
      func resolve(_ numbers: Int...) throws {
        for number in numbers {
          try fixture.execute(
            """
            UPDATE pattern_alert_state SET episode_status = 'resolved', resolved_on = '2026-03-02',
              resolution_reason = 'recovered'
            WHERE user_id = '\(person(number).lowercased)'
            """)
        }
      }
      let old = "2026-03-05T00:00:00.000000Z"
      let young = "2026-03-11T00:00:00.000000Z"
      try fixture.addCall(1, about: 1, expiresAt: old)
      // The alert goes on.
      try fixture.addCall(2, about: 2, expiresAt: old, closing: ", resolution = 'no_response'")
      try fixture.addCall(3, about: 3, expiresAt: old, closing: ", resolution = 'no_response'")
      // One of its calls is younger, so that all of them stay.
      try fixture.addCall(4, about: 4, expiresAt: old, closing: ", resolution = 'no_response'")
      try fixture.addCall(5, about: 4, step: 1, expiresAt: young)
      // It was answered lately.
      try fixture.addCall(6, about: 5, expiresAt: old, closing: ", acknowledged_at = '\(young)'")
      try fixture.addCall(7, about: 6, expiresAt: old, closing: ", resolved_at = '\(young)'")
      // It is the app's own.
      try fixture.addCall(8, about: 7, expiresAt: old, closing: ", level = NULL")
      // The other alert of its event goes on.
      try fixture.addCall(9, about: 8, expiresAt: old)
      try resolve(1, 3, 4, 5, 6, 7, 8)
      try fixture.execute(
        """
        UPDATE pattern_alert_state SET event_id = (
          SELECT one.id FROM pattern_alert_state AS one WHERE one.user_id = '\(person(8).lowercased)'
        ) WHERE user_id = '\(person(2).lowercased)'
        """)
      // Two raised alerts, of which one is over.
      for (number, status) in [(10, "resolved"), (11, "active")] {
        let raised = person(950 + number).lowercased
        try fixture.execute(
          """
          INSERT INTO raised_alerts (id, user_id, raised_at, status, resolved_at) VALUES (
            '\(raised)', '\(person(1).lowercased)', '2026-03-01T08:00:00.000000Z', '\(status)',
            \(status == "active" ? "NULL" : "'2026-03-01T09:00:00.000000Z'")
          )
          """)
        try fixture.addCall(
          number, about: 1, expiresAt: old, closing: ", related_blob_id = '\(raised)'")
      }
      let expected = try fixture.prunable()
      let pruned = try fixture.prune()
      #expect(pruned == expected)
      #expect(pruned.calls == 3)
      let left = try fixture.strings("SELECT CAST(id AS TEXT) FROM escalation_log ORDER BY id")
      #expect(left == [2, 4, 5, 6, 7, 8, 9, 11].map { person(900 + $0).lowercased })
      #expect(try fixture.prune().calls == 0)
    },

    ConformanceCheck("a call that a sender may still act upon stays, however short the age is") {
      fixture in
      _ = try fixture.notifiedAlert(1)
      try fixture.execute("DELETE FROM escalation_log")
      try fixture.execute(
        """
        UPDATE pattern_alert_state SET episode_status = 'resolved', resolved_on = '2026-03-02',
          resolution_reason = 'recovered'
        """)
      try fixture.addCall(1, about: 1, expiresAt: "2026-03-08T12:00:00.000000Z")
      func prune(at now: String) throws -> PrunedRows {
        try fixture.prune(before: "2026-03-09T00:00:00Z", at: now)
      }
      #expect(try prune(at: "2026-03-10T12:00:00Z").calls == 0)
      #expect(try prune(at: "2026-03-10T12:00:01Z").calls == 1)
    },

    ConformanceCheck("a run that is going on keeps everything") {
      _ = try $0.liveRun(of: 2)
      #expect(try $0.prunable().total == 0)
      #expect(try $0.prune().total == 0)
      #expect(try $0.count("held_notifications") == 2)
      #expect(try $0.count("batch_checkpoints") == 1)
    },

    ConformanceCheck("a run that was cut off long ago loses what it held with its checkpoints") {
      let (run, states) = try $0.liveRun(of: 2)
      _ = try $0.end(run, .interrupted, rateLimit: .count(2))
      #expect(try $0.prune(before: "2026-03-01T02:05:00Z").total == 0)
      let expected = try $0.prunable()
      let pruned = try $0.prune()
      #expect(pruned == expected)
      #expect(pruned.held == 2)
      #expect(pruned.checkpoints == 1)
      #expect(pruned.remembered == 0)
      let left = try #require(try $0.storage.run(id: run.id))
      #expect(left.status == .interrupted)
      #expect(left.counts.notificationsHeld == 0)
      #expect(left.counts.persons == 2)
      // When it is continued after all, it plans the same again and sends it once.
      let again = try $0.begin(workOf("again", mode: .live))
      #expect(again.id == run.id)
      try $0.hold(states, of: again, shard: 1, isKnown: true)
      #expect(try $0.end(again, .succeeded, rateLimit: .count(2)).counts.notificationsEnqueued == 2)
    },

    ConformanceCheck("a run whose continuation was cut off lately is not old") {
      let (run, _) = try $0.liveRun(of: 2)
      _ = try $0.end(run, .interrupted, rateLimit: .count(2))
      _ = try $0.begin(workOf("again", mode: .live))
      _ = try $0.end(run, .interrupted, rateLimit: .count(2), at: "2026-03-10T02:00:00Z")
      #expect(try $0.prune().total == 0)
      #expect(try $0.prune(before: "2026-03-10T02:00:01Z").held == 2)
    },

    ConformanceCheck("a pruned notification is not sent again, even if its alert lost its level") {
      let (run, states) = try $0.liveRun(of: 2)
      _ = try $0.end(run, .succeeded, rateLimit: .count(2))
      try $0.execute("UPDATE notification_queue SET status = 'sent'")
      #expect(try $0.prune().notifications == 2)
      try $0.execute("UPDATE pattern_alert_state SET last_notified_level = NULL")
      let next = try $0.begin(workOf("next", mode: .live))
      #expect(next.id != run.id)
      try $0.hold(states, of: next, shard: 1, isKnown: true)
      #expect(try $0.end(next, .succeeded, rateLimit: .count(9)).counts.notificationsEnqueued == 0)
      #expect(try $0.count("notification_queue") == 0)
    },
  ]
}

extension StorageFixture {
  /// Adds a call upon the person of an alert, and then changes its columns.
  fileprivate func addCall(
    _ number: Int, about alert: Int, step: Int = 0, expiresAt end: String, closing: String = ""
  ) throws {
    let id = person(900 + number).lowercased
    try execute(
      """
      INSERT INTO escalation_log (
        id, patient_id, caregiver_id, escalation_type, related_blob_id, triggered_at, created_at,
        expires_at, level, step
      )
      SELECT '\(id)', user_id, user_id, 'pattern_anomaly', id, '2026-03-01T08:00:00.000000Z',
        '2026-03-01T08:00:00.000000Z', '\(end)', 14, \(step)
      FROM pattern_alert_state WHERE user_id = '\(person(alert).lowercased)'
      """)
    try execute("UPDATE escalation_log SET step = step\(closing) WHERE id = '\(id)'")
  }

  fileprivate func prune(
    before cutoff: String = "2026-03-10T00:00:00Z", at now: String = "2026-04-01T00:00:00Z",
    rowsAtOnce: Int = 2_000
  ) throws -> PrunedRows {
    try storage.pruneQueues(
      endedBefore: try time(cutoff), at: try time(now), rowsAtOnce: rowsAtOnce)
  }

  fileprivate func prunable(
    before cutoff: String = "2026-03-10T00:00:00Z", at now: String = "2026-04-01T00:00:00Z"
  ) throws -> PrunedRows {
    try storage.prunableRows(endedBefore: try time(cutoff), at: try time(now))
  }
}

import Foundation
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// Reading the queues.
  static let queueReading = [
    ConformanceCheck("a row of the queue is read with everything that it holds") {
      let alert = try $0.notifiedAlert()
      try $0.execute(
        """
        UPDATE notification_queue SET status = 'failed', attempts = 2,
          last_attempt_at = '2026-03-01T07:00:01.000002Z', last_error = 'http_503',
          sent_at = '2026-03-01T07:00:03.000000Z', updated_at = '2026-03-01T07:00:04.000000Z'
        """)
      let planned = try notification(about: alert, to: 1)
      let row = try #require(try $0.storage.notifications(matching: NotificationFilter()).first)
      let written = try time("2026-03-01T02:00:00Z")
      let expected = QueuedNotification(
        id: planned.id, recipient: person(1), member: person(1), alertStateID: alert.id,
        type: "pattern_alert", templateID: "pattern_alert.level_7", channel: .push,
        payload: row.payload, priority: .high, scheduledFor: planned.scheduledFor,
        expiresAt: planned.expiresAt, status: .failed, statusReason: .quietHours, attempts: 2,
        maxAttempts: 3,
        lastAttemptAt: try time("2026-03-01T07:00:01.000002Z"), lastError: "http_503",
        sentAt: try time("2026-03-01T07:00:03Z"), dedupeKey: planned.dedupeKey, runID: runID,
        createdAt: written, updatedAt: try time("2026-03-01T07:00:04Z"))
      #expect(row == expected)
      let payload = try JSONSerialization.jsonObject(with: Data(row.payload.utf8))
      #expect(payload as? [String: String] == ["kind": "pattern_alert", "note": "it's; fine"])
      #expect(try $0.storage.notifications(matching: NotificationFilter(queue: .shadow)).isEmpty)
    },

    ConformanceCheck("what is pending comes first by its time, then the newest") { fixture in
      let alerts = try (1...5).map { try fixture.notifiedAlert($0) }
      func update(_ index: Int, _ assignments: String) throws {
        try fixture.execute(
          """
          UPDATE notification_queue SET \(assignments)
          WHERE alert_state_id = '\(alerts[index].id.lowercased)'
          """)
      }
      try update(0, "status = 'sent', created_at = '2026-02-01T00:00:00.000000Z'")
      try update(1, "scheduled_for = '2026-03-01T06:00:00.000000Z'")
      try update(2, "status = 'processing', created_at = '2026-02-03T00:00:00.000000Z'")
      try update(3, "scheduled_for = '2026-03-01T05:00:00.000000Z'")
      try update(4, "status = 'skipped', created_at = '2026-02-02T00:00:00.000000Z'")
      let storage = fixture.storage
      func order(_ limit: Int?) throws -> [Int?] {
        try storage.notifications(matching: NotificationFilter(), limit: limit).map { row in
          alerts.firstIndex { $0.id == row.alertStateID }
        }
      }
      #expect(try order(nil) == [3, 1, 2, 4, 0])
      #expect(try order(2) == [3, 1])
      #expect(try order(0) == [])
      #expect(
        try storage.notificationCounts(matching: NotificationFilter())
          == [.pending: 2, .processing: 1, .sent: 1, .skipped: 1])
    },

    ConformanceCheck("rows are found by every condition, and by all together") { fixture in
      try fixture.addFamily(1, 2)
      let own = try fixture.notifiedAlert(1)
      let other = try fixture.notifiedAlert(2, to: 1, channels: .push, .inApp)
      try fixture.execute(
        """
        UPDATE notification_queue SET status = 'skipped', status_reason = 'snoozed'
        WHERE alert_state_id = '\(other.id.lowercased)' AND channel = 'in_app'
        """)
      let id = try notification(about: own, to: 1).id
      let prefix = try #require(UUIDPrefix(String(id.lowercased.prefix(8))))
      let storage = fixture.storage
      func count(_ change: (inout NotificationFilter) -> Void) throws -> Int {
        var filter = NotificationFilter()
        change(&filter)
        let rows = try storage.notifications(matching: filter)
        #expect(
          try storage.notificationCounts(matching: filter).values.reduce(0, +) == rows.count)
        return rows.count
      }
      #expect(try count { _ in } == 3)
      #expect(try count { $0.id = prefix } == 1)
      #expect(try count { $0.status = .pending } == 2)
      #expect(try count { $0.status = .sent } == 0)
      #expect(try count { $0.reason = .snoozed } == 1)
      #expect(try count { $0.recipient = person(1) } == 3)
      #expect(try count { $0.recipient = person(2) } == 0)
      #expect(try count { $0.member = person(2) } == 2)
      #expect(try count { $0.alert = own.id } == 1)
      #expect(
        try count {
          $0 = NotificationFilter(
            status: .skipped, reason: .snoozed, recipient: person(1), member: person(2),
            alert: other.id)
        } == 1)
      #expect(
        try count {
          $0 = NotificationFilter(id: prefix, status: .pending, member: person(2))
        } == 0)
    },

    ConformanceCheck("of an alert in a group the group is found as well") {
      let alerts = try $0.notifiedGroup()
      for alert in alerts {
        let rows = try $0.storage.notifications(matching: NotificationFilter(alert: alert.id))
        #expect(rows.map(\.status) == [.pending, .skipped])
        #expect(rows.map(\.statusReason) == [.quietHours, .grouped])
        #expect(rows.map(\.type) == ["pattern_alert_group", "pattern_alert"])
        #expect(rows[1].groupID == rows[0].id)
        #expect(rows[1].groupNight == (try day("2026-02-28")))
      }
    },

    ConformanceCheck("what a rate limit holds is counted by run, and nothing else is") {
      for number in 1...3 { try $0.addPersons(number) }
      let (run, _) = try $0.liveRun(of: 3)
      // Until it has ended, nothing waits for anybody.
      #expect(try $0.storage.notificationsWaitingForDecision().isEmpty)
      _ = try $0.end(run, .succeeded, rateLimit: .count(2))
      let waiting = try $0.storage.notificationsWaitingForDecision()
      #expect(waiting.map(\.run) == [run.id])
      #expect(waiting.map(\.notifications) == [3])
      _ = try $0.decide(.release, run)
      #expect(try $0.storage.notificationsWaitingForDecision().isEmpty)
      let (interrupted, _) = try $0.liveRun(of: 1, firstPerson: 4, named: "cut off")
      _ = try $0.end(interrupted, .interrupted, rateLimit: .count(2))
      #expect(try $0.storage.notificationsWaitingForDecision().isEmpty)
    },
  ]
}

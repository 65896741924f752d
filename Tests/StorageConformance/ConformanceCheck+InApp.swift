import Foundation
import TestSupport
import Testing
import VigilAlerts
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// Rows of the app: what members record of them, what ends them, and how long they stay.
  static let inApp = [
    ConformanceCheck("a row of the app is delivered and read once, by its recipient") { fixture in
      let row = try fixture.notifiedInApp()
      let now = try time("2026-03-01T08:00:00.000001Z")
      let delivered = try fixture.storage.mark(row, as: .delivered, by: person(2), at: now)
      #expect(delivered == NotificationReceipt(notification: row, deliveredAt: now))
      let later = now.adding(seconds: 60)
      // The first time stays.
      #expect(
        try fixture.storage.mark(row, as: .delivered, by: person(2), at: later) == delivered)
      var read = delivered
      read.readAt = later
      #expect(try fixture.storage.mark(row, as: .read, by: person(2), at: later) == read)
      for mark in NotificationReceipt.Mark.allCases {
        #expect(
          try fixture.storage.mark(row, as: mark, by: person(2), at: later.adding(seconds: 9))
            == read)
      }
      let stored = try #require(
        try fixture.storage.notifications(matching: .init(id: UUIDPrefix(row))).first)
      #expect(stored.status == .sent && stored.sentAt == now && stored.statusReason == nil)
      #expect(stored.deliveredAt == now && stored.readAt == later && stored.updatedAt == later)
      #expect(try fixture.storage.readCount(matching: .init()) == 1)
      #expect(try fixture.storage.readCount(matching: .init(status: .pending)) == 0)
      #expect(try fixture.storage.readCount(matching: .init(queue: .shadow)) == 0)
    },

    ConformanceCheck("what is read is delivered, and a clock that was set back reads after it") {
      fixture in
      let row = try fixture.notifiedInApp()
      let now = try time("2026-03-01T08:00:00Z")
      #expect(
        try fixture.storage.mark(row, as: .read, by: person(2), at: now)
          == NotificationReceipt(notification: row, deliveredAt: now, readAt: now))
      let other = try fixture.notifiedInApp(3)
      _ = try fixture.storage.mark(other, as: .delivered, by: person(2), at: now)
      #expect(
        try fixture.storage.mark(other, as: .read, by: person(2), at: now.adding(seconds: -60))
          == NotificationReceipt(notification: other, deliveredAt: now, readAt: now))
    },

    ConformanceCheck("a row of another recipient, channel or person is not marked") { fixture in
      let row = try fixture.notifiedInApp()
      let now = try time("2026-03-01T08:00:00Z")
      func mark(_ id: UUID, by member: Int) throws {
        for mark in NotificationReceipt.Mark.allCases {
          _ = try fixture.storage.mark(id, as: mark, by: person(member), at: now)
        }
      }
      for other in [1, 3, 4] {
        try fixture.addPersons(other)
        expectStorageError(.permissionDenied) { try mark(row, by: other) }
      }
      expectStorageError(.notFound) { try mark(row, by: 9) }
      expectStorageError(.notFound) { try mark(UUID(name: "none"), by: 2) }
      let push = try #require(
        try fixture.storage.notifications(matching: .init()).first { $0.channel == .push })
      expectStorageError(.notFound) { try mark(push.id, by: 2) }
      // One that was never to be shown.
      try fixture.set("status = 'skipped', status_reason = 'snoozed'", of: row)
      expectStorageError(.notFound) { try mark(row, by: 2) }
      try fixture.set("status = 'pending', status_reason = NULL", of: row)
      // Whom the person has excluded reads nothing of them, and learns nothing of the row.
      try fixture.add(
        .alertRecipientExclusions, ["subject_user_id", "excluded_user_id"],
        [[.uuid(person(1)), .uuid(person(2))]])
      expectStorageError(.permissionDenied) { try mark(row, by: 2) }
      #expect(
        try fixture.strings("SELECT DISTINCT status FROM notification_queue") == ["pending"])
    },

    ConformanceCheck("what was cancelled since the app showed it is read, and stays cancelled") {
      fixture in
      let row = try fixture.notifiedInApp()
      let now = try time("2026-03-01T08:00:00Z")
      let alert = try #require(
        try fixture.storage.notifications(matching: .init()).first?.alertStateID)
      _ = try fixture.storage.carryOut(
        AlertAction(.dismiss, alert: alert, by: person(1), at: now))
      _ = try fixture.storage.mark(row, as: .read, by: person(2), at: now.adding(seconds: 1))
      #expect(try fixture.row(row, "status || ' ' || status_reason") == "cancelled dismissed")
      // It need not be shown again.
      _ = try fixture.storage.carryOut(
        AlertAction(.restore, alert: alert, by: person(1), at: now.adding(seconds: 2)))
      #expect(try fixture.row(row, "status") == "cancelled")
    },

    ConformanceCheck(
      "a row without an expiry waits, is restored, ends with its alert and is pruned"
    ) {
      fixture in
      let row = try fixture.notifiedInApp(expires: false)
      let alert = try #require(
        try fixture.storage.notifications(matching: .init(id: UUIDPrefix(row))).first)
      #expect(alert.expiresAt == nil)
      let late = try time("2026-06-01T08:00:00Z")
      // Nights expire others.
      try fixture.endNight(at: late)
      #expect(try fixture.row(row, "status") == "pending")
      #expect(
        try fixture.strings("SELECT status_reason FROM notification_queue WHERE channel = 'push'")
          == ["expired"])
      for kind in [AlertAction.Kind.dismiss, .restore] {
        _ = try fixture.storage.carryOut(
          AlertAction(kind, alert: #require(alert.alertStateID), by: person(1), at: late))
      }
      #expect(try fixture.row(row, "status") == "pending")
      // The night that finds the end of the alert cancels the row.
      try fixture.execute(
        "UPDATE pattern_alert_state SET episode_status = 'resolved', resolved_on = '2026-06-01', resolution_reason = 'recovered'"
      )
      try fixture.endNight(at: late)
      #expect(try fixture.row(row, "status || ' ' || status_reason") == "cancelled resolved")
      let pruned = try fixture.storage.pruneQueues(
        endedBefore: late.adding(seconds: 60), at: late.adding(seconds: 120))
      #expect(pruned.notifications == 2)
      #expect(try fixture.strings("SELECT id FROM notification_queue").isEmpty)
    },

    ConformanceCheck("only a row of the app may be without an expiry, or delivered") { fixture in
      let row = try fixture.notifiedInApp()
      for (assignments, channel) in [
        ("expires_at = NULL", "push"), ("delivered_at = scheduled_for, status = 'sent'", "push"),
        ("delivered_at = scheduled_for", "in_app"), ("read_at = scheduled_for", "in_app"),
      ] {
        #expect(throws: (any Error).self, "\(assignments)") {
          try fixture.execute(
            "UPDATE notification_queue SET \(assignments) WHERE channel = '\(channel)'")
        }
      }
      try fixture.set("expires_at = NULL", of: row)
    },

    ConformanceCheck("rows of the app are cancelled in bulk, for their reasons, while they wait") {
      fixture in
      let rows = try [1, 3, 4].map { try fixture.notifiedInApp($0) }
      let now = try time("2026-03-01T08:00:00Z")
      _ = try fixture.storage.mark(rows[2], as: .delivered, by: person(2), at: now)
      let push = try #require(
        try fixture.storage.notifications(matching: .init()).first { $0.channel == .push })
      let reasons: [UUID: PlannedNotification.StatusReason] = [
        rows[0]: .excluded, rows[1]: .resolved, rows[2]: .resolved, push.id: .resolved,
      ]
      #expect(
        try fixture.storage.cancelInApp(reasons, at: now) == [.excluded: 1, .resolved: 1])
      #expect(try fixture.storage.cancelInApp(reasons, at: now) == [:])
      #expect(try fixture.storage.cancelInApp([:], at: now) == [:])
      #expect(
        try rows.map { try fixture.row($0, "status || ' ' || coalesce(status_reason, '-')") }
          == ["cancelled excluded", "cancelled resolved", "sent -"])
      #expect(try fixture.row(push.id, "status") == "pending")
    },
  ]
}

extension StorageFixture {
  /// A notification about person `number` to person 2, who is an administrator of their family: in the app, and by push.
  fileprivate func notifiedInApp(_ number: Int = 1, expires: Bool = true) throws -> UUID {
    try addPersons(2, number)
    try add(
      .familyMembers, ["family_id", "user_id", "role", "invite_status"],
      [(number, "member"), (2, "admin")].map {
        [.uuid(person(50 + number)), .uuid(person($0.0)), .text($0.1), .text("accepted")]
      })
    let alert = try alertState(number)
    let rows = try [PlannedNotification.Channel.inApp, .push].map { channel in
      var row = try notification(about: alert, to: 2)
      row.channel = channel
      if channel == .inApp, !expires { row.expiresAt = nil }
      return row
    }
    _ = try release([alert], rows)
    return rows[0].id
  }

  /// Ends a live night without an alert, which closes the queues.
  fileprivate func endNight(at instant: Timestamp) throws {
    let run = try begin(try workOf("night \(try count("batch_runs"))", mode: .live))
    _ = try end(run, .succeeded, rateLimit: .count(9), at: "\(instant)")
  }

  fileprivate func set(_ assignments: String, of row: UUID) throws {
    try execute(
      "UPDATE notification_queue SET \(assignments) WHERE id = '\(row.lowercased)'")
  }
}

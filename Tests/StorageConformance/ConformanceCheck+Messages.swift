import Foundation
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// The log of text messages, which the quota of a recipient and month counts.
  static let messages = [
    ConformanceCheck("text messages are logged up to the quota, critical ones beyond it") {
      fixture in
      let rows = try fixture.claimedMessages(4)
      try fixture.execute(
        "UPDATE notification_queue SET priority = 'critical' WHERE id = '\(rows[3].id.lowercased)'")
      #expect(try fixture.log(rows, quota: 2) == Set([rows[0].id, rows[1].id, rows[3].id]))
      #expect(try fixture.log([rows[2]], quota: 3).isEmpty)
      #expect(try fixture.log([rows[2]], quota: 4) == [rows[2].id])
      #expect(
        try fixture.counts(rows)[rows[0].id] == .init(others: 3, underWay: 3, includesRow: true))
      // A month is one of UTC, and each begins anew.
      #expect(try fixture.counts(rows, in: "2026-04-01").isEmpty)
      #expect(try fixture.log(rows, in: "2026-04-01", quota: 1).count == 2)
      #expect(try fixture.log([rows[0]], quota: nil) == [rows[0].id])
    },

    ConformanceCheck("each end of a text message counts as it says") { fixture in
      let ends: [(DispatchOutcome.Result, MessageEnd, String)] = [
        (.sent, .sent, "sent"),
        (
          .retry(at: try time("2026-03-01T08:00:00Z"), error: .init("timeout")), .unknown, "unknown"
        ),
        (.failed(.init("http_400")), .notSent, "not_sent"),
        (.released, .notSent, "not_sent"),
      ]
      let rows = try fixture.claimedMessages(5)
      #expect(try fixture.log(rows, quota: 5).count == 5)
      _ = try fixture.storage.settle(
        zip(rows, ends).map { DispatchOutcome($1.0, of: $0.lease, message: $1.1) },
        at: time("2026-03-01T07:00:10Z"))
      for (row, end) in zip(rows, ends) { #expect(try fixture.messageStatus(row) == end.2) }
      #expect(
        try fixture.counts(rows)[rows[2].id] == .init(others: 3, underWay: 1, includesRow: false))
      // Its sender is gone: it is not under way, and may have been sent.
      _ = try fixture.storage.takeBackLeases(endedBy: time("2026-03-01T07:02:00Z"))
      #expect(
        try fixture.counts(rows)[rows[2].id] == .init(others: 3, underWay: 0, includesRow: false))
    },

    ConformanceCheck("what may have been sent is not taken back by a later attempt") { fixture in
      let first = try #require(try fixture.claimedMessages(1).first)
      _ = try fixture.log([first], quota: 1)
      _ = try fixture.storage.takeBackLeases(endedBy: time("2026-03-01T07:02:00Z"))
      let second = try #require(try fixture.claimMessages(at: "2026-03-01T07:02:00Z").first)
      // The row counts already, so that the quota does not stop it.
      #expect(try fixture.log([second], quota: 1) == [first.id])
      #expect(try fixture.messageStatus(first) == "unknown")
      // An outcome of the first sender comes too late.
      let now = try time("2026-03-01T07:02:10Z")
      #expect(
        try fixture.storage.settle([.init(.sent, of: first.lease, message: .sent)], at: now).isEmpty
      )
      #expect(try fixture.log([first], quota: 9).isEmpty)
      _ = try fixture.storage.settle(
        [.init(.failed(.init("http_400")), of: second.lease, message: .notSent)], at: now)
      #expect(try fixture.messageStatus(first) == "unknown")
      try fixture.storage.retryNotification(first.id, at: now)
      let third = try #require(try fixture.claimMessages(at: "2026-03-01T07:03:00Z").first)
      _ = try fixture.log([third], quota: 1)
      _ = try fixture.storage.settle([.init(.sent, of: third.lease, message: .sent)], at: now)
      #expect(try fixture.messageStatus(first) == "sent")
    },

    ConformanceCheck("due rows are read page by page in the order of taking, and not taken") {
      fixture in
      _ = try fixture.claimedMessages(1)
      for number in 2...6 { _ = try fixture.notifiedAlert(number, channels: .sms) }
      let gone = try #require(try fixture.claimMessages(at: "2026-03-01T07:30:00Z", limit: 1).first)
      func due(
        after place: DuePage.Place? = nil, at now: String = "2026-03-01T08:00:00Z"
      ) throws -> DuePage {
        try fixture.storage.dueNotifications(
          on: .sms, .high, after: place, limit: 2, leasesEndedBy: time("2026-03-01T07:31:00Z"),
          at: time(now))
      }
      var found: [ClaimedNotification] = []
      var page = try due()
      while let end = page.end {
        #expect(page.rows.count <= 2 && page.rows.last?.id == end.id)
        found += page.rows
        page = try due(after: end)
      }
      #expect(page.rows.isEmpty)
      // Two of them have leases of senders that are gone.
      #expect(found.count == 6 && found.contains { $0.id == gone.id })
      #expect(found.map(\.id.lowercased) == found.map(\.id.lowercased).sorted())
      #expect(try due(at: "2026-03-01T06:59:59Z") == DuePage(rows: [], end: nil))
      #expect(
        try fixture.strings("SELECT CAST(sum(fencing_token) AS TEXT) FROM notification_queue")
          == ["2"])
    },

    ConformanceCheck("a page of due rows begins after the place where the one before has ended") {
      fixture in
      for number in 1...6 { _ = try fixture.notifiedAlert(number, channels: .sms) }
      func page(after place: DuePage.Place?) throws -> DuePage {
        try fixture.storage.dueNotifications(
          on: .sms, .high, after: place, limit: 2, leasesEndedBy: time("2026-03-01T07:31:00Z"),
          at: time("2026-03-01T08:00:00Z"))
      }
      let all = try fixture.strings("SELECT CAST(id AS TEXT) FROM notification_queue ORDER BY id")
      let first = try page(after: nil)
      // Meanwhile a sender puts the last row of the page off, and the one before it is removed.
      let (gone, postponed) = (first.rows[0].id, first.rows[1].id)
      try fixture.execute("DELETE FROM notification_queue WHERE id = '\(gone.lowercased)'")
      try fixture.execute(
        "UPDATE notification_queue SET next_attempt_at = '2026-03-01T07:30:00.000000Z'"
          + " WHERE id = '\(postponed.lowercased)'")
      let second = try page(after: first.end)
      let third = try page(after: second.end)
      #expect((first.rows + second.rows + third.rows).map(\.id.lowercased) == all)
      // It is due later now, and comes once more at its new place.
      #expect(try page(after: third.end).rows.map(\.id) == [postponed])
      try fixture.execute("DELETE FROM notification_queue")
      #expect(try page(after: first.end).rows.isEmpty)
    },

    ConformanceCheck("the work of senders on a row is read for people") { fixture in
      let row = try #require(try fixture.claimedMessages(1).first)
      #expect(
        try fixture.storage.sendingState(of: row.id)
          == SendingState(
            owner: "sender", leaseUntil: try time("2026-03-01T07:01:00Z"), takings: 1))
      _ = try fixture.storage.settle(
        [
          .init(
            .retry(at: try time("2026-03-01T09:00:00Z"), error: .init("timeout")), of: row.lease)
        ],
        at: time("2026-03-01T07:00:10Z"))
      #expect(
        try fixture.storage.sendingState(of: row.id)
          == SendingState(takings: 1, nextAttempt: try time("2026-03-01T09:00:00Z")))
      #expect(try fixture.storage.sendingState(of: person(9)) == nil)
    },

    ConformanceCheck("a device that its service does not know is revoked, and no other") {
      fixture in
      let row = try #require(try fixture.claimedMessages(1).first)
      try fixture.execute(
        """
        INSERT INTO push_tokens (platform, token, user_id, revoked_at) VALUES
          ('apns', 'gone', '\(person(1).lowercased)', NULL), ('fcm', 'gone', '\(person(1).lowercased)', NULL),
          ('apns', 'old', '\(person(1).lowercased)', '2026-01-01T00:00:00.000000Z')
        """)
      var outcome = DispatchOutcome(.sent, of: DispatchLease(id: row.id, fencingToken: 0))
      outcome.devices = [.init("apns", "gone", .gone), .init("apns", "old", .gone)]
      let now = try time("2026-03-01T07:00:10Z")
      // The outcome itself is another sender's.
      #expect(try fixture.storage.settle([outcome], at: now).isEmpty)
      #expect(
        try fixture.storage.addresses(of: [person(1)], on: .push)
          == [person(1): [DeliveryAddress("gone", platform: "fcm")]])
      #expect(
        try fixture.strings(
          "SELECT CAST(revoked_at AS TEXT) FROM push_tokens WHERE token = 'old'"
        ).first??.hasPrefix("2026-01-01") == true)
    },

    ConformanceCheck("months of text messages that are over are pruned, the present one never") {
      fixture in
      let rows = try fixture.claimedMessages(2)
      _ = try fixture.log(rows, in: "2026-02-01", quota: nil)
      _ = try fixture.log([rows[0]], quota: nil)
      func prune(_ cutoff: String, dry: Bool = false) throws -> Int {
        let (cutoff, now) = (try time(cutoff), try time("2026-03-31T00:00:00Z"))
        return dry
          ? try fixture.storage.prunableRows(endedBefore: cutoff, at: now).messages
          : try fixture.storage.pruneQueues(endedBefore: cutoff, at: now).messages
      }
      #expect(try prune("2026-02-28T23:59:59Z") == 0)
      #expect(try prune("2026-03-30T00:00:00Z", dry: true) == 2)
      #expect(try prune("2026-03-30T00:00:00Z") == 2)
      #expect(try fixture.strings("SELECT status FROM sms_log") == ["attempting"])
    },
  ]
}

extension StorageFixture {
  /// Takes rows of text messages for a minute.
  func claimMessages(at instant: String, limit: Int = 9) throws -> [ClaimedNotification] {
    let now = try time(instant)
    return try storage.claim(
      DispatchClaim(
        channel: .sms, owner: "sender", limit: limit, leaseUntil: now.adding(seconds: 60)), at: now)
  }

  /// Text messages to one recipient, which a sender has taken at 7:00 on 1 March.
  func claimedMessages(_ count: Int) throws -> [ClaimedNotification] {
    for number in 1...count { _ = try notifiedAlert(number, to: 1, channels: .sms) }
    let rows = try claimMessages(at: "2026-03-01T07:00:00Z", limit: count)
    try #require(rows.count == count)
    return rows
  }

  fileprivate func log(
    _ rows: [ClaimedNotification], in month: String = "2026-03-01", quota: Int?
  ) throws -> Set<UUID> {
    try storage.logMessages(
      rows.map { LoggedMessage($0) }, in: day(month), quota: quota, at: time("2026-03-01T07:00:05Z")
    )
  }

  fileprivate func counts(
    _ rows: [ClaimedNotification], in month: String = "2026-03-01"
  ) throws -> [UUID: MessageCount] {
    try storage.messageCounts(of: rows, in: day(month))
  }

  fileprivate func messageStatus(_ row: ClaimedNotification) throws -> String? {
    try strings(
      "SELECT status FROM sms_log WHERE notification_id = '\(row.id.lowercased)'"
    ).first ?? nil
  }
}

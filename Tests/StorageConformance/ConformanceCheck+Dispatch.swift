import Foundation
import Testing
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// Taking rows of the queue, and recording their outcomes.
  static let dispatch = [
    ConformanceCheck("due rows of a channel are taken once, with a lease and a token") { fixture in
      let alert = try fixture.notifiedAlert(1, channels: .push, .email, .inApp)
      #expect(try fixture.claim(at: "2026-03-01T06:59:59Z").isEmpty)
      let claimed = try fixture.claim(at: "2026-03-01T07:00:00Z")
      let planned = try notification(about: alert, to: 1)
      #expect(
        claimed == [
          ClaimedNotification(
            id: planned.id, recipient: person(1), member: person(1), type: "pattern_alert",
            templateID: "pattern_alert.level_7", level: .day7, channel: .push,
            payload: try #require(claimed.first).payload, priority: .high,
            scheduledFor: planned.scheduledFor, expiresAt: planned.expiresAt, attempts: 1,
            maxAttempts: 3, dedupeKey: planned.dedupeKey, fencingToken: 1)
        ])
      #expect(try fixture.claim(at: "2026-03-01T07:00:01Z").isEmpty)
      #expect(
        try fixture.row(
          claimed[0].id, "status || ' ' || lease_owner || ' ' || CAST(lease_until AS TEXT)")?
          .hasPrefix("processing sender 2026-03-01") == true)
      // Rows of other channels wait.
      #expect(
        try fixture.strings("SELECT status FROM notification_queue WHERE channel = 'in_app'") == [
          "pending"
        ])
    },

    ConformanceCheck("critical rows are taken first, then the oldest, up to the limit") { fixture in
      let alerts = try (1...5).map { try fixture.notifiedAlert($0) }
      func update(_ index: Int, _ assignments: String) throws {
        try fixture.execute(
          "UPDATE notification_queue SET \(assignments) WHERE alert_state_id = '\(alerts[index].id.lowercased)'"
        )
      }
      try update(0, "scheduled_for = '2026-03-01T06:30:00.000000Z'")
      try update(1, "scheduled_for = '2026-03-01T06:00:00.000000Z'")
      try update(2, "priority = 'critical'")
      try update(3, "next_attempt_at = '2026-03-01T05:00:00.000000Z'")
      try update(4, "next_attempt_at = '2026-03-01T09:00:00.000000Z'")
      let order = try (1...3).flatMap { _ in try fixture.claim(at: "2026-03-01T08:00:00Z", limit: 2)
      }
      #expect(order.map(\.member) == [person(3), person(4), person(2), person(1)])
    },

    ConformanceCheck("an outcome counts with the latest token alone") { fixture in
      _ = try fixture.notifiedAlert(1)
      let first = try #require(try fixture.claim(at: "2026-03-01T07:00:00Z").first)
      #expect(try fixture.storage.takeBackLeases(endedBy: time("2026-03-01T07:00:59Z")) == .init())
      #expect(
        try fixture.storage.takeBackLeases(endedBy: time("2026-03-01T07:01:00Z"))
          == .init(waiting: 1))
      let second = try #require(try fixture.claim(at: "2026-03-01T07:02:00Z").first)
      #expect(second.id == first.id && second.fencingToken == 2 && second.attempts == 2)
      let now = try time("2026-03-01T07:02:01Z")
      for result in [
        DispatchOutcome.Result.sent, .released, .failed(DeliveryErrorCode("http_400")),
      ] {
        #expect(
          try fixture.storage.settle([DispatchOutcome(result, of: first.lease)], at: now).isEmpty)
      }
      #expect(try fixture.storage.renew([first.lease], until: time("2026-03-01T08:00:00Z")).isEmpty)
      #expect(
        try fixture.storage.renew([second.lease], until: time("2026-03-01T08:00:00Z")) == [
          second.id
        ])
      for _ in 1...2 {
        #expect(
          try fixture.storage.settle([DispatchOutcome(.sent, of: second.lease)], at: now) == [
            second.id
          ])
      }
      #expect(
        try fixture.row(
          second.id, "status || ' ' || CAST(attempts AS TEXT) || ' ' || coalesce(lease_owner, '-')")
          == "sent 2 -")
    },

    ConformanceCheck(
      "a delivery that ends after its lease counts, unless another sender has the row"
    ) { fixture in
      _ = try fixture.notifiedAlert(1)
      let claimed = try #require(try fixture.claim(at: "2026-03-01T07:00:00Z").first)
      let now = try time("2026-03-01T07:05:00Z")
      #expect(try fixture.storage.takeBackLeases(endedBy: now) == .init(waiting: 1))
      #expect(
        try fixture.storage.settle([DispatchOutcome(.sent, of: claimed.lease)], at: now) == [
          claimed.id
        ])
      #expect(try fixture.claim(at: "2026-03-01T07:06:00Z").isEmpty)
    },

    ConformanceCheck("a row whose senders are all killed fails after its last attempt") { fixture in
      _ = try fixture.notifiedAlert(1)
      var last: ClaimedNotification?
      for attempt in 1...3 {
        let now = try time("2026-03-01T07:00:00Z").adding(seconds: Int64(attempt) * 60)
        last = try fixture.claim(at: "\(now)").first
        #expect(last?.attempts == attempt)
        #expect(
          try fixture.storage.takeBackLeases(endedBy: now.adding(seconds: 60))
            == (attempt < 3 ? .init(waiting: 1) : .init(failed: 1)))
      }
      let row = try #require(last)
      let state = "status || ' ' || CAST(attempts AS TEXT) || ' ' || last_error"
      #expect(try fixture.row(row.id, state) == "failed 3 outcome_unknown")
      #expect(try fixture.claim(at: "2026-03-01T09:00:00Z").isEmpty)
      // The last sender was only slow, and knows how its attempt has ended.
      let now = try time("2026-03-01T09:00:00Z")
      #expect(
        try fixture.storage.settle([DispatchOutcome(.sent, of: row.lease)], at: now) == [row.id])
      #expect(try fixture.row(row.id, "status || CAST(attempts AS TEXT)") == "sent3")
    },

    ConformanceCheck("each outcome leaves its row as it says") { fixture in
      let later = try time("2026-03-01T09:00:00Z")
      let outcomes: [(DispatchOutcome.Result, String)] = [
        (.sent, "sent - 1 -"),
        (.retry(at: later, error: DeliveryErrorCode("http_503")), "pending - 1 http_503"),
        (
          .notStarted(retryAt: later, error: DeliveryErrorCode("no_descriptors")),
          "pending - 0 no_descriptors"
        ),
        (.failed(DeliveryErrorCode("no_address")), "failed - 1 no_address"),
        (.cancelled(.snoozed), "cancelled snoozed 0 -"),
        (.cancelled(.notRecipient), "cancelled not_recipient 0 -"),
        (.postponed(until: later, .quietHours), "pending quiet_hours 0 -"),
        (.released, "pending - 0 -"),
      ]
      for number in 1...outcomes.count { _ = try fixture.notifiedAlert(number) }
      let claimed = try fixture.claim(at: "2026-03-01T07:00:00Z", limit: 10)
        .sorted { $0.member.lowercased < $1.member.lowercased }
      #expect(claimed.count == outcomes.count)
      let settled = try fixture.storage.settle(
        zip(claimed, outcomes).map { DispatchOutcome($1.0, of: $0.lease) },
        at: time("2026-03-01T07:00:02Z"))
      #expect(settled == Set(claimed.map(\.id)))
      for (row, outcome) in zip(claimed, outcomes) {
        #expect(
          try fixture.row(
            row.id,
            """
            status || ' ' || coalesce(status_reason, '-') || ' ' || CAST(attempts AS TEXT)
              || ' ' || coalesce(last_error, '-')
            """) == outcome.1)
      }
      // What waits is due when it says.
      #expect(try fixture.claim(at: "2026-03-01T08:59:59Z", limit: 10).map(\.id) == [claimed[7].id])
      #expect(
        Set(try fixture.claim(at: "2026-03-01T09:00:00Z", limit: 10).map(\.id)) == [
          claimed[1].id, claimed[2].id, claimed[6].id,
        ])
    },

    ConformanceCheck("what has changed since a row was planned is read with it") { fixture in
      try fixture.addFamily(2, 1)
      _ = try fixture.notifiedAlert(1, to: 2)
      let alert = try #require(try fixture.storage.alertStates(matching: AlertFilter()).first)
      let claimed = try fixture.claim(at: "2026-03-01T07:00:00Z")
      func circumstances() throws -> ClaimCircumstances? {
        try fixture.storage.circumstances(of: claimed, countingSince: nil)[claimed[0].id]
      }
      #expect(try circumstances() == ClaimCircumstances(isRecipient: true, alerts: [.init()]))
      try fixture.execute(
        "UPDATE family_members SET role = 'member' WHERE user_id = '\(person(2).lowercased)'")
      #expect(try circumstances()?.isRecipient == false)
      try fixture.add(
        .alertRecipientExclusions, ["subject_user_id", "excluded_user_id"],
        [[.uuid(person(1)), .uuid(person(2))]])
      #expect(try circumstances()?.isExcluded == true)
      try fixture.execute(
        "INSERT INTO user_profiles (user_id, timezone, notify_push) VALUES ('\(person(2).lowercased)', 'Asia/Tokyo', \(fixture.falseText))"
      )
      #expect(
        try circumstances()?.profile
          == UserProfile(timeZone: "Asia/Tokyo", switches: [.push: false]))
      _ = try fixture.act(.snooze(until: day("2026-03-09")), on: alert)
      #expect(try circumstances()?.alerts == [.init(snoozedUntil: try day("2026-03-09"))])
      _ = try fixture.act(.dismiss, on: alert)
      try fixture.execute(
        "UPDATE pattern_alert_state SET episode_status = 'resolved', resolved_on = '2026-03-01', resolution_reason = 'recovered'"
      )
      #expect(
        try circumstances()?.alerts
          == [.init(isDismissed: true, snoozedUntil: try day("2026-03-09"), hasEnded: true)])
    },

    ConformanceCheck("of a group the settings of all its alerts are read") { fixture in
      let alerts = try fixture.notifiedGroup()
      let claimed = try fixture.claim(at: "2026-03-01T07:00:00Z")
      #expect(claimed.map(\.type) == ["pattern_alert_group"])
      try fixture.execute(
        "UPDATE pattern_alert_state SET dismissed_at = '2026-03-01T00:00:00.000000Z' WHERE id = '\(alerts[0].id.lowercased)'"
      )
      let found = try fixture.storage.circumstances(of: claimed, countingSince: nil)
      #expect(
        found[claimed[0].id]?.alerts.map(\.isDismissed).sorted { !$0 && $1 } == [false, true])
    },

    ConformanceCheck("deliveries to a recipient are counted, and those that others are making") {
      fixture in
      for number in 1...5 { _ = try fixture.notifiedAlert(number, to: 1) }
      let sent = try fixture.claim(at: "2026-03-01T07:00:00Z", limit: 3)
      let others = try fixture.claim(at: "2026-03-01T07:00:00Z", limit: 1)
      let own = try fixture.claim(at: "2026-03-01T07:00:00Z", limit: 1)
      #expect(others.count == 1)
      _ = try fixture.storage.settle(
        sent.map { DispatchOutcome(.sent, of: $0.lease) }, at: time("2026-03-01T07:00:03Z"))
      try fixture.execute(
        "UPDATE notification_queue SET priority = 'critical' WHERE id = '\(sent[0].id.lowercased)'")
      try fixture.execute(
        "UPDATE notification_queue SET sent_at = '2026-02-27T07:00:00.000000Z' WHERE id = '\(sent[1].id.lowercased)'"
      )
      let found = try fixture.storage.circumstances(
        of: own, countingSince: time("2026-02-28T07:00:00Z"))
      #expect(found[own[0].id]?.deliveries == 2)
      #expect(found[own[0].id]?.firstDelivery == (try time("2026-03-01T07:00:03Z")))
    },

    ConformanceCheck("addresses are those that are verified, and tokens those that are not revoked")
    { fixture in
      try fixture.addPersons(1, 2, 3)
      let ids = (1...3).map { person($0).lowercased }
      try fixture.execute(
        """
        INSERT INTO contact_points (user_id, channel, address, language, verified_at) VALUES
          ('\(ids[0])', 'email', 'anna@example.org', 'es', '2026-01-01T00:00:00.000000Z'),
          ('\(ids[0])', 'sms', '+34600000000', NULL, '2026-01-01T00:00:00.000000Z'),
          ('\(ids[1])', 'email', 'ben@example.org', NULL, NULL);
        """)
      try fixture.execute(
        """
        INSERT INTO push_tokens (platform, token, user_id, language, created_at, revoked_at) VALUES
          ('apns', 'old', '\(ids[0])', NULL, '2026-01-01T00:00:00.000000Z', NULL),
          ('fcm', 'new', '\(ids[0])', 'de', '2026-02-01T00:00:00.000000Z', NULL),
          ('fcm', 'gone', '\(ids[0])', NULL, '2026-03-01T00:00:00.000000Z', '2026-03-02T00:00:00.000000Z');
        """)
      let persons = (1...3).map(person)
      #expect(
        try fixture.storage.addresses(of: persons, on: .email)
          == [person(1): [DeliveryAddress("anna@example.org", language: "es")]])
      #expect(
        try fixture.storage.addresses(of: persons, on: .sms)
          == [person(1): [DeliveryAddress("+34600000000")]])
      #expect(
        try fixture.storage.addresses(of: persons, on: .push) == [
          person(1): [
            DeliveryAddress("new", platform: "fcm", language: "de"),
            DeliveryAddress("old", platform: "apns"),
          ]
        ])
    },

    ConformanceCheck("the rests of channels are shared, and end") { fixture in
      let now = try time("2026-03-01T07:00:00Z")
      #expect(try fixture.storage.channelRests().isEmpty)
      var rest = ChannelRest(
        channel: .push, rests: 1, failures: 5, error: DeliveryErrorCode("http_404"),
        until: now.adding(seconds: 60))
      for _ in 1...2 { try fixture.storage.record(rest, of: .push, at: now) }
      (rest.rests, rest.until) = (2, now.adding(seconds: 240))
      try fixture.storage.record(rest, of: .push, at: now)
      #expect(try fixture.storage.channelRests() == [rest])
      try fixture.storage.record(nil, of: .email, at: now)
      #expect(try fixture.storage.channelRests() == [rest])
      for _ in 1...2 { try fixture.storage.record(nil, of: .push, at: now) }
      #expect(try fixture.storage.channelRests().isEmpty)
    },

    ConformanceCheck("dead letters are counted by channel and code") { fixture in
      for number in 1...3 { _ = try fixture.notifiedAlert(number, channels: .push, .email) }
      let now = try time("2026-03-01T07:00:10Z")
      for (channel, codes) in [
        (PlannedNotification.Channel.push, ["exit_1", "exit_1", "exit_2"]), (.email, ["smtp_550"]),
      ] {
        let rows = try fixture.claim(at: "2026-03-01T07:00:00Z", on: channel)
        _ = try fixture.storage.settle(
          zip(rows, codes).map { .init(.failed(DeliveryErrorCode($1)), of: $0.lease) }, at: now)
      }
      #expect(
        try fixture.storage.deadLetters(since: now) == [
          .init(channel: .push, error: .init("exit_1"), count: 2),
          .init(channel: .email, error: .init("smtp_550"), count: 1),
          .init(channel: .push, error: .init("exit_2"), count: 1),
        ])
      #expect(try fixture.storage.deadLetters(since: now.adding(seconds: 1)).isEmpty)
    },

    ConformanceCheck("the backlog is what is due, and since when") { fixture in
      for number in 1...3 { _ = try fixture.notifiedAlert(number, channels: .push, .inApp) }
      try fixture.execute(
        """
        UPDATE notification_queue SET priority = 'critical', scheduled_for = '2026-03-01T07:30:00.000000Z'
        WHERE member_user_id = '\(person(1).lowercased)'
        """)
      func backlog(_ instant: String, limit: Int = 9) throws -> DispatchBacklog {
        try fixture.storage.dispatchBacklog(on: [.push, .email], at: time(instant), limit: limit)
      }
      #expect(try backlog("2026-03-01T06:00:00Z") == DispatchBacklog())
      #expect(
        try backlog("2026-03-01T07:10:00Z")
          == DispatchBacklog(due: 2, oldestDue: try time("2026-03-01T07:00:00Z")))
      #expect(try backlog("2026-03-01T08:00:00Z").due == 3)
      #expect(try backlog("2026-03-01T08:00:00Z", limit: 2).due == 2)
    },

    ConformanceCheck("an operator sends a row again, or cancels it, where its state allows that") {
      fixture in
      let now = try time("2026-03-05T00:00:00Z")
      _ = try fixture.notifiedAlert(1)
      let claimed = try #require(try fixture.claim(at: "2026-03-01T07:00:00Z").first)
      for action in [fixture.storage.retryNotification, fixture.storage.cancelNotification] {
        expectStorageError(.ended) { try action(claimed.id, now) }
        expectStorageError(.notFound) { try action(person(7), now) }
      }
      _ = try fixture.storage.settle(
        [DispatchOutcome(.failed(DeliveryErrorCode("http_400")), of: claimed.lease)], at: now)
      expectStorageError(.ended) { try fixture.storage.cancelNotification(claimed.id, at: now) }
      try fixture.storage.retryNotification(claimed.id, at: now)
      let again = try #require(try fixture.claim(at: "2026-03-05T00:00:00Z").first)
      #expect(again.attempts == 1)
      #expect(try again.expiresAt == time("2026-03-06T00:00:00Z"))
      _ = try fixture.storage.settle([DispatchOutcome(.released, of: again.lease)], at: now)
      try fixture.storage.cancelNotification(claimed.id, at: now)
      #expect(try fixture.row(claimed.id, "status || ' ' || status_reason") == "cancelled operator")
      try fixture.storage.retryNotification(claimed.id, at: now)
      #expect(
        try fixture.row(claimed.id, "status || ' ' || coalesce(status_reason, '-')") == "pending -")
    },

    ConformanceCheck("a row is about an alert and a level, and its error is a code") { fixture in
      _ = try fixture.notifiedAlert(1)
      for assignments in [
        "alert_state_id = NULL", "level = NULL", "last_error = 'away: anna@example.org'",
      ] {
        #expect(throws: (any Error).self) {
          try fixture.execute("UPDATE notification_queue SET \(assignments)")
        }
      }
    },
  ]
}

extension StorageFixture {
  /// Takes rows of a channel for a minute.
  fileprivate func claim(
    at instant: String, limit: Int = 5, on channel: PlannedNotification.Channel = .push
  ) throws -> [ClaimedNotification] {
    let now = try time(instant)
    return try storage.claim(
      DispatchClaim(
        channel: channel, owner: "sender", limit: limit, leaseUntil: now.adding(seconds: 60)),
      at: now)
  }

  /// An expression over a row of the queue.
  func row(_ id: UUID, _ expression: String) throws -> String? {
    try strings("SELECT \(expression) FROM notification_queue WHERE id = '\(id.lowercased)'").first
      ?? nil
  }

  /// False, as both databases take it for a column of theirs.
  fileprivate var falseText: String { "(1 = 0)" }
}

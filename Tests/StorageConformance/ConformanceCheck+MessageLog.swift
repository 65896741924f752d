import Foundation
import TestSupport
import Testing
import VigilAlerts
import VigilModel
import VigilStorage

extension ConformanceCheck {
  /// The log of text messages, the reports of providers, and the use of a month's quota.
  static let messageLog = [
    ConformanceCheck("a text message is logged with its type, number, parts and cost") { fixture in
      let row = try #require(try fixture.claimedMessages(1).first)
      let price = try #require(MessageCost(micros: 79_000, currency: "EUR"))
      let digest = String(repeating: "0a", count: 32)
      #expect(
        try fixture.log(
          LoggedMessage(row, numberDigest: digest, segments: 2, cost: price.times(2))))
      #expect(
        try fixture.logged(
          "sms_type", "number_digest", "segments", "cost_micros", "currency", "delivery_status",
          "provider_message_id")
          == ["alert", digest, "2", "158000", "EUR", "queued", nil])
      // The provider knows better.
      var outcome = DispatchOutcome(.sent, of: row.lease, message: .sent)
      outcome.receipt = MessageReceipt(
        id: "SM30ad", segments: 3, cost: MessageCost(micros: 240_000, currency: "USD"))
      _ = try fixture.storage.settle([outcome], at: time("2026-03-01T07:00:10Z"))
      #expect(
        try fixture.logged(
          "status", "delivery_status", "delivery_status_at", "provider_message_id", "segments",
          "cost_micros", "currency")
          == ["sent", "sent", "2026-03-01T07:00:10.000000Z", "SM30ad", "3", "240000", "USD"])
    },

    ConformanceCheck("a text message that was not sent has failed, and begins anew") { fixture in
      let first = try #require(try fixture.claimedMessages(1).first)
      #expect(try fixture.log(LoggedMessage(first)))
      _ = try fixture.storage.settle(
        [
          .init(
            .retry(at: try time("2026-03-01T07:01:00Z"), error: .init("http_503")), of: first.lease,
            message: .notSent)
        ], at: time("2026-03-01T07:00:10Z"))
      #expect(try fixture.logged("status", "delivery_status") == ["not_sent", "failed"])
      let second = try #require(try fixture.claimMessages(at: "2026-03-01T07:02:00Z").first)
      #expect(try fixture.log(LoggedMessage(second), at: "2026-03-01T07:02:00Z"))
      #expect(
        try fixture.logged("status", "delivery_status", "delivery_status_at")
          == ["attempting", "queued", "2026-03-01T07:02:00.000000Z"])
    },

    ConformanceCheck("reports of a provider go forward, and the first that is final stays") {
      fixture in
      let row = try #require(try fixture.claimedMessages(1).first)
      #expect(try fixture.log(LoggedMessage(row)))
      // Before the answer of the provider is recorded, the notification's id is all there is.
      #expect(try fixture.report(row.id.lowercased, .queued, "2026-03-01T07:00:06Z") == .queued)
      #expect(
        try fixture.report(row.id.uuidString, .delivered, "2026-03-01T07:00:08Z") == .delivered)
      var outcome = DispatchOutcome(.sent, of: row.lease, message: .sent)
      outcome.receipt = MessageReceipt(id: "SM30ad")
      _ = try fixture.storage.settle([outcome], at: time("2026-03-01T07:00:10Z"))
      for late in [MessageDelivery.queued, .sent, .failed, .undelivered, .delivered] {
        #expect(try fixture.report("SM30ad", late, "2026-03-02T07:00:00Z") == .delivered)
      }
      #expect(
        try fixture.logged("status", "delivery_status", "delivery_status_at")
          == ["sent", "delivered", "2026-03-01T07:00:08.000000Z"])
    },

    ConformanceCheck("of each pair of reports, in either order, one state is the result") {
      fixture in
      let rows = try fixture.claimedMessages(25)
      var pairs: [(MessageDelivery, MessageDelivery)] = []
      for first in MessageDelivery.allCases {
        for second in MessageDelivery.allCases { pairs.append((first, second)) }
      }
      for (row, (first, second)) in zip(rows, pairs) {
        #expect(try fixture.log(LoggedMessage(row)))
        #expect(try fixture.report(row.id.lowercased, first, "2026-03-01T09:00:00Z") == first)
        let isFinal = first != .queued && first != .sent
        let expected = isFinal || second == .queued ? first : second
        // A clock that is slow does not take the time back.
        #expect(try fixture.report(row.id.lowercased, second, "2026-03-01T08:00:00Z") == expected)
      }
      #expect(
        try fixture.strings("SELECT count(*) FROM sms_log WHERE delivery_status_at < created_at")
          .first??.hasPrefix("0") == true)
    },

    ConformanceCheck("a report about no message, or of a time to come, is refused") { fixture in
      let row = try #require(try fixture.claimedMessages(1).first)
      for unknown in [
        row.id.lowercased, "", "SM30ad", "' OR '1'='1", "%", "00000000-0000-0000-0000-000000000000",
      ] {
        expectStorageError(.notFound) {
          _ = try fixture.report(unknown, .sent, "2026-03-01T07:00:00Z")
        }
      }
      #expect(try fixture.log(LoggedMessage(row)))
      expectStorageError(.constraint) {
        _ = try fixture.report(row.id.lowercased, .sent, "2999-01-01T00:00:00Z")
      }
      #expect(try fixture.logged("delivery_status") == ["queued"])
    },

    ConformanceCheck("a person's use of the month is theirs, and says what is left") { fixture in
      try fixture.addPersons(2)
      let rows = try fixture.claimedMessages(3)
      for row in rows { #expect(try fixture.log(LoggedMessage(row))) }
      let (now, first) = (try time("2026-03-31T23:59:59Z"), try day("2026-03-01"))
      func use(_ number: Int, at now: Timestamp) throws -> MessageUse {
        try fixture.storage.messageUse(of: person(number), at: now)
      }
      #expect(try use(1, at: now) == MessageUse(month: first, used: 3, allowed: nil))
      let allowance = MessageAllowance(perMonth: 4, warningPercent: 80)
      for _ in 1...2 { try fixture.storage.record(allowance, at: now) }
      #expect(try use(1, at: now).remaining == 1)
      #expect(try use(2, at: now).remaining == 4)
      try fixture.storage.record(MessageAllowance(perMonth: 2, warningPercent: 50), at: now)
      #expect(try use(1, at: now).remaining == 0)
      #expect(try use(1, at: now).startsAgain == (try time("2026-04-01T00:00:00Z")))
      #expect(try use(1, at: time("2026-04-01T00:00:00Z")).used == 0)
      try fixture.storage.record(nil as MessageAllowance?, at: now)
      #expect(try use(1, at: now).allowed == nil)
      expectStorageError(.notFound) { _ = try use(9, at: now) }
    },

    ConformanceCheck(
      "who has had most of the month's text messages is notified once, and not by one"
    ) { fixture in
      let rows = try fixture.claimedMessages(4)
      try fixture.execute(
        """
        INSERT INTO user_profiles (user_id, is_champion, champion_notify_sms, notify_call, notify_push)
        VALUES ('\(person(1).lowercased)', (1 = 1), (1 = 1), (1 = 1), (1 = 1))
        """)
      let now = try time("2026-03-10T12:00:00Z")
      func due(at now: Timestamp) throws -> [Prompt] {
        try fixture.storage.duePrompts(of: Prompt.Kind.allCases, at: now, limit: 9)
      }
      for row in rows.prefix(3) { #expect(try fixture.log(LoggedMessage(row))) }
      #expect(try due(at: now).isEmpty)
      try fixture.storage.record(MessageAllowance(perMonth: 5, warningPercent: 80), at: now)
      #expect(try due(at: now).isEmpty)
      #expect(try fixture.log(LoggedMessage(rows[3])))
      let prompts = try due(at: now)
      let prompt = try #require(prompts.first)
      #expect(prompts.count == 1 && prompt.kind == .quotaWarning && prompt.person == person(1))
      let notices = prompt.notices(zones: .system, at: now)
      #expect(notices.map(\.channel) == [.push, .email, .inApp])
      #expect(notices.allSatisfy { $0.expiresAt == prompt.expiresAt })
      #expect(prompt.expiresAt == (try time("2026-04-01T00:00:00Z")))
      // Of two senders one plans it.
      let other = try fixture.reopened()
      #expect(try other.plan(prompt, notices, at: now))
      #expect(try !fixture.storage.plan(prompt, notices, at: now))
      #expect(try due(at: now).isEmpty)
      #expect(
        try fixture.strings(
          "SELECT channel FROM notification_queue WHERE notification_type = 'quota_warning' ORDER BY channel"
        ) == ["email", "in_app", "push"])
      // The next month is another one.
      let april = try time("2026-04-02T12:00:00Z")
      try fixture.execute("UPDATE sms_log SET month = '2026-04-01'")
      #expect(try due(at: april).map(\.id) != [prompt.id])
      #expect(try due(at: april).count == 1)
    },

    ConformanceCheck("devices keep their use and refusals, and ten in a row leave one out") {
      fixture in
      try fixture.addPersons(1)
      try fixture.execute(
        """
        INSERT INTO push_tokens (platform, token, user_id, device_model, app_version) VALUES
          ('fcm', 'a', '\(person(1).lowercased)', 'Pixel 8', '2.4.1'),
          ('apns', 'b', '\(person(1).lowercased)', 'iPhone15,4', NULL)
        """)
      let lease = DispatchLease(id: person(9), fencingToken: 1)
      func report(_ states: [DeviceReport.State], at instant: String) throws {
        let outcomes = states.map { state in
          var outcome = DispatchOutcome(.sent, of: lease)
          outcome.devices = [DeviceReport("fcm", "a", state), DeviceReport("apns", "b", .reached)]
          return outcome
        }
        _ = try fixture.storage.settle(outcomes, at: time(instant))
      }
      func state() throws -> [String?] {
        try fixture.strings(
          "SELECT failures || ' ' || coalesce(CAST(last_used_at AS TEXT), '-') FROM push_tokens WHERE token = 'a'"
        )
      }
      func reachable() throws -> [String] {
        try fixture.storage.addresses(of: [person(1)], on: .push)[person(1), default: []]
          .map(\.address).sorted()
      }
      #expect(try state() == ["0 -"])
      let refused = [DeviceReport.State](repeating: .refused, count: 9)
      try report(refused, at: "2026-03-01T07:00:00Z")
      #expect(try state() == ["9 -"] && reachable() == ["a", "b"])
      try report([.reached], at: "2026-03-01T08:00:00Z")
      #expect(try state().first??.hasPrefix("0 2026-03-01") == true)
      try report(refused + [.refused], at: "2026-03-01T09:00:00Z")
      #expect(try reachable() == ["b"])
      // An app that registers it again sets 0.
      try fixture.execute("UPDATE push_tokens SET failures = 0 WHERE token = 'a'")
      #expect(try reachable() == ["a", "b"])
      try report([.gone], at: "2026-03-01T10:00:00Z")
      #expect(try reachable() == ["b"])
    },
  ]
}

extension StorageFixture {
  /// Logs one message; false where there is no place for it.
  fileprivate func log(
    _ message: LoggedMessage, at instant: String = "2026-03-01T07:00:05Z"
  ) throws -> Bool {
    try storage.logMessages(
      [message], in: day("2026-03-01"), quota: nil, at: time(instant)) == [message.row.id]
  }

  fileprivate func report(
    _ message: String, _ delivery: MessageDelivery, _ instant: String
  ) throws -> MessageDelivery {
    let at = try time(instant)
    return try storage.recordDelivery(
      MessageReport(message, delivery, at: at), at: time("2026-03-02T08:00:00Z"))
  }

  /// Columns of the only row of the log, as texts.
  fileprivate func logged(_ columns: String...) throws -> [String?] {
    try columns.flatMap { column in
      try strings("SELECT CAST(\(column) AS TEXT) FROM sms_log").map { text in
        // PostgreSQL writes instants in its own way.
        text.flatMap { Timestamp($0.replacing(" ", with: "T").replacing("+00", with: "Z")) }?
          .description ?? text
      }
    }
  }
}

import Foundation
import InMemoryLogging
import Logging
import Synchronization
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage
import VigilTransfers

@testable import VigilDispatch

/// Senders on real databases, with a real server as provider.
@Suite("The queue worker")
struct DispatcherTests {
  private static let noon = Timestamp(microseconds: 1_782_907_200_000_000)

  /// A database with rows that are due at noon.
  private func database(
    _ kind: DatabaseKind, _ people: Int = 1, in folder: TemporaryDirectory,
    _ change: (inout QueuedPeople) -> Void = { _ in }
  ) throws -> TestDatabase {
    let database = try kind.makeMigratedDatabase(in: folder.path)
    var queued = QueuedPeople(people, dueAt: Self.noon)
    change(&queued)
    try database.fill(queued)
    return database
  }

  /// Sends what is due once, to a path of a server.
  @discardableResult
  private func send(
    _ database: TestDatabase, to path: String = "ok", of server: ProviderServer,
    at now: Timestamp = noon,
    logger: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
    patience: Duration = .seconds(10), _ change: (inout ChannelSettings) -> Void = { _ in }
  ) async throws -> DispatchTally {
    var settings = ChannelSettings(channel: .push, timeout: .seconds(20))
    change(&settings)
    let client = TransferClient()
    let provider = WebhookProvider(
      client: client, url: server.url(path), signature: nil, timeout: settings.timeout, now: { now }
    )
    let dispatcher = Dispatcher(
      channels: [(settings, provider)], storage: try database.open(),
      zones: .system,
      messages: try MessageCatalog(), owner: "test", isOnce: true, recordingPatience: patience,
      now: { now }, isStopping: { false },
      logger: logger)
    do {
      try await dispatcher.run()
    } catch {
      await client.close()
      throw error
    }
    await client.close()
    return dispatcher.tallies[settings.channel] ?? DispatchTally()
  }

  private func states(_ database: TestDatabase) throws -> [String] {
    try database.rows(
      """
      SELECT status, status_reason, attempts, last_error FROM notification_queue
      ORDER BY member_user_id, channel
      """)
  }

  @Test("each due row is sent once, and recorded", arguments: DatabaseKind.allCases)
  func sends(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 60, in: folder) {
        $0.channels = ["push", "in_app", "email"]
      }
      let server = try ProviderServer()
      let tally = try await send(database, of: server)
      #expect(tally.sent == 60 && tally.failed + tally.retried + tally.uncertain + tally.lost == 0)
      #expect(try Set(server.requests().map(\.key)) == Set((1...60).map { "\($0):push" }))
      #expect(try server.requests().count == 60)
      #expect(
        try database.rows(
          "SELECT channel, status, attempts, count(*) FROM notification_queue GROUP BY 1, 2, 3 ORDER BY 1"
        )
          == ["email|pending|0|60", "in_app|pending|0|60", "push|sent|1|60"])
      #expect(
        try database.rows(
          "SELECT DISTINCT sent_at, lease_owner, fencing_token FROM notification_queue WHERE channel = 'push'"
        ) == ["\(Self.noon)||1"])
      #expect(try await send(database, of: server).sent == 0)
    }
  }

  @Test(
    "an error that may pass is tried again until the last attempt", arguments: DatabaseKind.allCases
  )
  func retries(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, in: folder)
      let server = try ProviderServer()
      var now = Self.noon
      let expected = ["pending||1|http_500", "pending||2|http_500", "failed||3|http_500"]
      for (attempt, state) in expected.enumerated() {
        let tally = try await send(database, to: "500", of: server, at: now)
        #expect((tally.retried, tally.failed) == (attempt < 2 ? 1 : 0, attempt < 2 ? 0 : 1))
        #expect(try states(database) == [state])
        #expect(try await send(database, of: server, at: now).sent == 0)
        now = now.adding(seconds: 240)
      }
      #expect(try server.requests().count == 3)
      #expect(try await send(database, of: server, at: now.adding(seconds: 80_000)).sent == 0)
    }
  }

  @Test("a provider that asks for a pause gets it", arguments: DatabaseKind.allCases)
  func retryAfter(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, in: folder)
      let server = try ProviderServer()
      _ = try await send(database, to: "429", of: server) {
        $0.retry = RetrySchedule(firstSeconds: 0.01, longestSeconds: 1)
      }
      #expect(
        try database.rows("SELECT next_attempt_at, last_error FROM notification_queue")
          == ["\(Self.noon.adding(seconds: 1))|http_429"])
      #expect(try await send(database, of: server).sent == 0)
      #expect(try await send(database, of: server, at: Self.noon.adding(seconds: 1)).sent == 1)
      #expect(try states(database) == ["sent||2|http_429"])
    }
  }

  @Test("what the provider refuses is a dead letter at once", arguments: DatabaseKind.allCases)
  func refused(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, in: folder)
      let server = try ProviderServer()
      #expect(try await send(database, to: "400", of: server).failed == 1)
      #expect(try states(database) == ["failed||1|http_400"])
    }
  }

  /// Changes by a member, a recipient or an operator after a night has planned the row.
  private static let changes: [(String, String)] = [
    (
      "UPDATE pattern_alert_state SET dismissed_at = '2026-07-01T11:00:00.000000Z'",
      "cancelled|dismissed|0|"
    ),
    ("UPDATE pattern_alert_state SET snooze_until = '2026-07-05'", "cancelled|snoozed|0|"),
    (
      "UPDATE pattern_alert_state SET episode_status = 'resolved', resolved_on = '2026-07-01', resolution_reason = 'recovered'",
      "cancelled|resolved|0|"
    ),
    ("UPDATE family_members SET invite_status = 'declined'", "cancelled|not_recipient|0|"),
    ("UPDATE family_members SET role = 'member'", "cancelled|not_recipient|0|"),
    (
      "DELETE FROM family_members WHERE user_id = '\(QueuedPeople.person(1))'",
      "cancelled|not_recipient|0|"
    ),
    (
      "UPDATE notification_queue SET priority = 'critical'; INSERT INTO user_profiles (user_id, notify_push, quiet_hours_start, quiet_hours_end, quiet_hours_apply_critical) VALUES ('\(QueuedPeople.person(1))', (1 = 1), '11:00', '13:30', (1 = 1))",
      "pending|quiet_hours|0|"
    ),
    (
      "INSERT INTO user_profiles (user_id, notify_push, quiet_hours_start, quiet_hours_end, timezone) VALUES ('\(QueuedPeople.person(1))', (1 = 1), '20:30', '22:30', 'Asia/Tokyo')",
      "pending|quiet_hours|0|"
    ),
    (
      "INSERT INTO alert_recipient_exclusions (subject_user_id, excluded_user_id) VALUES ('\(QueuedPeople.person(2))', '\(QueuedPeople.person(1))')",
      "cancelled|excluded|0|"
    ),
    (
      "INSERT INTO user_profiles (user_id, notify_push) VALUES ('\(QueuedPeople.person(1))', (1 = 0))",
      "cancelled|preference_off|0|"
    ),
    (
      "INSERT INTO user_profiles (user_id, notify_push, quiet_hours_start, quiet_hours_end) VALUES ('\(QueuedPeople.person(1))', (1 = 1), '11:00', '13:30')",
      "pending|quiet_hours|0|"
    ),
    (
      "INSERT INTO do_not_disturb (user_id, weekday, starts_at, ends_at) VALUES ('\(QueuedPeople.person(1))', 3, '11:00', '13:30')",
      "pending|quiet_hours|0|"
    ),
    (
      "INSERT INTO do_not_disturb (user_id, weekday, starts_at, ends_at) VALUES ('\(QueuedPeople.person(1))', 2, '14:00', '12:30'), ('\(QueuedPeople.person(1))', 3, '12:30', '13:30')",
      "pending|quiet_hours|0|"
    ),
    (
      "INSERT INTO do_not_disturb (user_id, weekday, starts_at, ends_at) SELECT '\(QueuedPeople.person(1))', weekday.column1, '00:00', '00:00' FROM (VALUES (0), (1), (2), (3), (4), (5), (6)) AS weekday",
      "cancelled|expired|0|"
    ),
    ("UPDATE notification_queue SET expires_at = scheduled_for", "cancelled|expired|0|"),
  ]

  @Test(
    "what has changed after a row was planned counts", arguments: DatabaseKind.allCases, changes)
  func changedAfterPlanning(kind: DatabaseKind, change: (sql: String, state: String)) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 2, in: folder) { $0.recipient = 1 }
      // Person 1 is notified of person 2, of whose family they are the administrator.
      try database.execute(
        """
        DELETE FROM notification_queue WHERE member_user_id = '\(QueuedPeople.person(1))';
        INSERT INTO family_members (family_id, user_id, role, invite_status) VALUES
          ('\(QueuedPeople.alert(9))', '\(QueuedPeople.person(1))', 'admin', 'accepted'),
          ('\(QueuedPeople.alert(9))', '\(QueuedPeople.person(2))', 'member', 'accepted')
        """)
      let copy = try database.copy(in: TemporaryDirectory().path)
      let server = try ProviderServer()
      #expect(try await send(copy, of: server).sent == 1)
      try database.execute(change.sql)
      let tally = try await send(database, of: server)
      #expect(tally.sent == 0)
      #expect(try states(database) == [change.state])
      #expect(try server.requests().count == 1)
      if change.state.hasPrefix("pending") {
        let end = try #require(Timestamp("2026-07-01T13:30:00Z"))
        #expect(try database.rows("SELECT next_attempt_at FROM notification_queue") == ["\(end)"])
        #expect(try await send(database, of: server, at: end).sent == 1)
      }
    }
  }

  /// Changes that leave a row to be sent.
  private static let harmless = [
    "UPDATE pattern_alert_state SET snooze_until = '2026-07-01'",
    "UPDATE notification_queue SET priority = 'critical'; INSERT INTO user_profiles (user_id, notify_push, quiet_hours_start, quiet_hours_end) VALUES ('\(QueuedPeople.person(1))', (1 = 1), '11:00', '13:30')",
    "INSERT INTO do_not_disturb (user_id, weekday, starts_at, ends_at) VALUES ('\(QueuedPeople.person(1))', 2, '11:00', '13:30'), ('\(QueuedPeople.person(2))', 3, '11:00', '13:30')",
    "INSERT INTO alert_recipient_exclusions (subject_user_id, excluded_user_id) VALUES ('\(QueuedPeople.person(1))', '\(QueuedPeople.person(2))')",
    "UPDATE pattern_alert_state SET episode_status = 'resolved', resolved_on = '2026-07-01', resolution_reason = 'recovered'; UPDATE notification_queue SET notification_type = 'pattern_recovery'",
  ]

  @Test(
    "a change that does not concern a row leaves it", arguments: DatabaseKind.allCases, harmless)
  func changedAndSent(kind: DatabaseKind, change: String) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 2, in: folder) { $0.recipient = 1 }
      try database.execute(
        """
        DELETE FROM notification_queue WHERE member_user_id = '\(QueuedPeople.person(1))';
        INSERT INTO family_members (family_id, user_id, role, invite_status) VALUES
          ('\(QueuedPeople.alert(9))', '\(QueuedPeople.person(1))', 'admin', 'accepted'),
          ('\(QueuedPeople.alert(9))', '\(QueuedPeople.person(2))', 'member', 'accepted');
        \(change)
        """)
      #expect(try await send(database, of: ProviderServer()).sent == 1)
      #expect(try states(database) == ["sent||1|"])
    }
  }

  @Test(
    "a recipient gets no more than a day allows; critical ones come through",
    arguments: DatabaseKind.allCases)
  func recipientLimit(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 8, in: folder) {
        $0.recipient = 1
        $0.expiresAt = Self.noon.adding(seconds: 72 * 3600)
      }
      try database.execute(
        """
        INSERT INTO family_members (family_id, user_id, role, invite_status) VALUES
        """ + " "
          + (1...8).map {
            "('\(QueuedPeople.alert(9))', '\(QueuedPeople.person($0))', 'admin', 'accepted')"
          }.joined(separator: ",")
          + "; UPDATE notification_queue SET priority = 'critical' WHERE member_user_id = '\(QueuedPeople.person(8))'"
      )
      let server = try ProviderServer()
      func sendSome(at now: Timestamp) async throws -> Int {
        try await send(database, of: server, at: now) {
          $0.perRecipientAndDay = 3
          $0.concurrency = 1
        }.sent
      }
      #expect(try await sendSome(at: Self.noon) == 4)
      #expect(try await sendSome(at: Self.noon.adding(seconds: 61)) == 0)
      #expect(try await sendSome(at: Self.noon.adding(seconds: 23 * 3600)) == 0)
      #expect(try await sendSome(at: Self.noon.adding(seconds: 24 * 3600 + 1)) == 3)
      #expect(try await sendSome(at: Self.noon.adding(seconds: 49 * 3600)) == 1)
      #expect(try await sendSome(at: Self.noon.adding(seconds: 71 * 3600)) == 0)
    }
  }

  @Test(
    "without a verified address a row is a dead letter; with one the provider gets it",
    arguments: DatabaseKind.allCases)
  func addresses(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 2, in: folder)
      try database.execute(
        "INSERT INTO push_tokens (platform, token, user_id, language, created_at) VALUES ('apns', 'secret-token', '\(QueuedPeople.person(1))', 'es', '\(Self.noon)')"
      )
      let server = try ProviderServer()
      let tally = try await send(database, of: server) { $0.needsAddress = true }
      #expect((tally.sent, tally.failed) == (1, 1))
      #expect(try states(database) == ["sent||1|", "failed||1|no_address"])
      let body = try #require(try server.requests().first?.body)
      #expect(body.contains(#""addresses":[{"address":"secret-token","platform":"apns"}]"#))
      #expect(body.contains(#""language":"es""#))
    }
  }

  @Test(
    "a row whose sender is gone is sent by another one, when its lease has ended",
    arguments: DatabaseKind.allCases)
  func deadSender(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 3, in: folder)
      let gone = try database.open()
      let end = Self.noon.adding(seconds: 60)
      let claimed = try gone.claim(
        DispatchClaim(channel: .push, owner: "gone", limit: 2, leaseUntil: end), at: Self.noon)
      #expect(claimed.count == 2)
      let server = try ProviderServer()
      #expect(try await send(database, of: server).sent == 1)
      #expect(try await send(database, of: server, at: end).sent == 0)
      let tally = try await send(database, of: server, at: end.adding(seconds: 5))
      #expect((tally.sent, tally.takenBack) == (2, 2))
      #expect(
        try gone.settle(
          claimed.map { DispatchOutcome(.failed(DeliveryErrorCode("late")), of: $0.lease) }, at: end
        ).isEmpty)
      // The attempts of the sender that is gone count: it may have made them.
      #expect(try states(database).sorted() == ["sent||1|", "sent||2|", "sent||2|"])
    }
  }

  // MARK: Outcomes that cannot be recorded

  /// Lets the database take rows, and none of their outcomes.
  private func refuseOutcomes(_ database: TestDatabase) throws {
    let ends = "OLD.status = 'processing' AND NEW.status <> 'processing'"
    switch database.kind {
    case .sqlite:
      try database.execute(
        "CREATE TRIGGER refuses BEFORE UPDATE ON notification_queue WHEN \(ends)"
          + " BEGIN SELECT RAISE(ABORT, 'full'); END")
    case .postgres:
      try database.execute(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
        BEGIN
          RAISE EXCEPTION 'full' USING ERRCODE = '53100';
        END
        $$;
        CREATE TRIGGER refuses BEFORE UPDATE ON notification_queue FOR EACH ROW WHEN (\(ends))
        EXECUTE FUNCTION refuse()
        """)
    }
  }

  private func takeOutcomes(_ database: TestDatabase) throws {
    try database.execute(
      database.kind == .sqlite
        ? "DROP TRIGGER refuses" : "DROP TRIGGER refuses ON notification_queue")
  }

  @Test(
    "a sender that cannot record outcomes sends nothing more, and each attempt counts",
    arguments: DatabaseKind.allCases)
  func unrecorded(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 20, in: folder)
      try refuseOutcomes(database)
      let server = try ProviderServer()
      var now = Self.noon
      for attempt in 1...2 {
        let error = await #expect(throws: UnrecordedOutcomes.self) {
          try await send(database, of: server, at: now, patience: .milliseconds(300)) {
            $0.concurrency = 1
            $0.leaseSeconds = 60
          }
        }
        let lost = try #require(error)
        // It has taken four rows, and sent the first ones before it knew.
        #expect(lost.sent >= 1 && lost.count >= lost.sent)
        let sent = try server.requests().map(\.key)
        #expect(sent.count == Set(sent).count, "attempt \(attempt): \(sent)")
        #expect(
          try database.rows(
            "SELECT DISTINCT attempts FROM notification_queue WHERE status = 'processing'")
            == ["1"])
        now = now.adding(seconds: 1)
      }
      try takeOutcomes(database)
      let before = Set(try server.requests().map(\.key))
      let tally = try await send(database, of: server, at: Self.noon.adding(seconds: 120))
      #expect(tally.sent == 20 && tally.takenBack >= before.count)
      // Whatever was sent and not recorded was sent once more, with the same key.
      let counts = Dictionary(grouping: try server.requests(), by: \.key).mapValues(\.count)
      #expect(
        counts.count == 20 && counts.allSatisfy { $0.value == (before.contains($0.key) ? 2 : 1) })
    }
  }

  @Test("a running sender remembers what it could not record, and sends nothing twice")
  func remembers() async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(.postgres, 3, in: folder)
      try refuseOutcomes(database)
      let server = try ProviderServer()
      let isStopping = Mutex(false)
      let client = TransferClient()
      let provider = WebhookProvider(
        client: client, url: server.url("ok"), signature: nil, timeout: .seconds(20),
        now: { Self.noon })
      let dispatcher = Dispatcher(
        channels: [(ChannelSettings(channel: .push), provider)], storage: try database.open(),
        zones: .system, messages: try MessageCatalog(), owner: "test", isOnce: false,
        pollSeconds: 1,
        now: { Self.noon }, isStopping: { isStopping.withLock { $0 } },
        logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
      async let running: Void = dispatcher.run()
      func wait(until isSo: () throws -> Bool) async throws {
        for _ in 1...15_000 {
          if try isSo() { return }
          try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("it never came to be so")
      }
      try await wait { try server.requests().count >= 3 }
      // A few tries to record, and a few polls.
      try await Task.sleep(for: .seconds(3))
      try takeOutcomes(database)
      try await wait {
        try database.rows("SELECT DISTINCT status FROM notification_queue") == ["sent"]
      }
      isStopping.withLock { $0 = true }
      try await running
      await client.close()
      #expect(try server.requests().count == 3)
      #expect(Set(try states(database)) == ["sent||1|"])
      #expect(dispatcher.tallies[.push]?.uncertain == 0)
    }
  }

  // MARK: Providers that refuse everything

  @Test(
    "a channel whose provider refuses everything rests, and its rows wait",
    arguments: DatabaseKind.allCases)
  func rests(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 30, in: folder)
      let server = try ProviderServer()
      let first = try await send(database, to: "400", of: server)
      #expect((first.failed, first.retried, first.sent) == (4, 1, 0))
      #expect(first.isFailing && first.attempts == 5)
      #expect(try server.requests().count == 5)
      let rests = "SELECT channel, rests, failures, last_error FROM channel_rests"
      #expect(try database.rows(rests) == ["push|1|5|http_400"])
      #expect(
        try database.rows(
          "SELECT status, count(*), max(attempts) FROM notification_queue GROUP BY 1 ORDER BY 1")
          == ["failed|4|1", "pending|26|1"])
      // Another sender knows of it, too.
      let second = try await send(database, of: server)
      #expect(second.isFailing && second.attempts == 0)
      #expect(try server.requests().count == 5)
      // After the rest one attempt shows that nothing has changed; its row waits as well.
      let third = try await send(database, to: "400", of: server, at: Self.noon.adding(seconds: 61))
      #expect((third.failed, third.retried, third.attempts) == (0, 1, 1))
      #expect(try database.rows(rests) == ["push|2|6|http_400"])
      // Then the channel works.
      let last = try await send(database, of: server, at: Self.noon.adding(seconds: 1000))
      #expect(last.sent == 26 && !last.isFailing)
      #expect(try database.rows(rests).isEmpty)
    }
  }

  @Test(
    "an operator who sends a row again ends the rest of its channel",
    arguments: DatabaseKind.allCases)
  func operatorEndsRest(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 10, in: folder)
      let server = try ProviderServer()
      _ = try await send(database, to: "400", of: server)
      let id = try #require(
        try database.rows("SELECT id FROM notification_queue WHERE status = 'failed'").first)
      try database.open().retryNotification(try #require(UUID(uuidString: id)), at: Self.noon)
      // The row that was tried last waits for its next attempt.
      #expect(try await send(database, of: server).sent == 6)
    }
  }

  @Test(
    "after a sender that is gone rows are sent one by one, and its own at last",
    arguments: DatabaseKind.allCases)
  func oneByOne(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 8, in: folder)
      let end = Self.noon.adding(seconds: 60)
      let claimed = try database.open().claim(
        DispatchClaim(channel: .push, owner: "gone", limit: 4, leaseUntil: end), at: Self.noon)
      let provider = CountingProvider(database)
      let dispatcher = Dispatcher(
        channels: [(ChannelSettings(channel: .push), provider)], storage: try database.open(),
        zones: .system, messages: try MessageCatalog(), owner: "test", isOnce: true,
        now: { end.adding(seconds: 5) }, isStopping: { false },
        logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
      try await dispatcher.run()
      let attempts = provider.attempts.withLock { $0 }
      #expect(attempts.count == 8)
      // As many as it had taken: one of them may be the reason. When the last one is looked at, others may be taken.
      #expect(attempts.prefix(3).allSatisfy { $0.taken == 1 }, "\(attempts)")
      #expect(Set(attempts.suffix(4).map(\.id)) == Set(claimed.map(\.id)))
      #expect(
        try states(database).sorted()
          == Array(repeating: "sent||1|", count: 4) + Array(repeating: "sent||2|", count: 4))
    }
  }

  /// Notes how many rows are taken whenever one is delivered.
  private final class CountingProvider: DeliveryProvider {
    let attempts = Mutex<[(id: UUID, taken: Int)]>([])
    private let database: TestDatabase

    init(_ database: TestDatabase) { self.database = database }

    func deliver(_ delivery: Delivery) async -> DeliveryAnswer {
      let taken = try? database.rows(
        "SELECT count(*) FROM notification_queue WHERE status = 'processing'"
      ).first.flatMap { Int($0) }
      attempts.withLock { $0.append((delivery.row.id, taken ?? -1)) }
      return DeliveryAnswer(.delivered)
    }
  }

  @Test(
    "a row that no sender can read is a dead letter, and the others are sent",
    arguments: DatabaseKind.allCases)
  func unreadableRow(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 5, in: folder)
      switch kind {
      case .sqlite: try database.execute("PRAGMA ignore_check_constraints = ON; \(Self.spoiling)")
      case .postgres:
        let checks = try database.rows(
          """
          SELECT conname FROM pg_constraint
          WHERE conrelid = 'notification_queue'::regclass AND contype = 'c'
          """)
        for check in checks {
          try database.execute("ALTER TABLE notification_queue DROP CONSTRAINT \(check)")
        }
        try database.execute(Self.spoiling)
      }
      let server = try ProviderServer()
      #expect(try await send(database, of: server).sent == 3)
      #expect(
        try states(database).sorted() == [
          "failed||0|unreadable", "failed||0|unreadable", "sent||1|", "sent||1|", "sent||1|",
        ])
    }
  }

  /// No level has so many days.
  private static let spoiling = """
    UPDATE notification_queue SET level = 2147483647
    WHERE member_user_id IN ('\(QueuedPeople.person(1))', '\(QueuedPeople.person(4))')
    """

  @Test("nothing of a message, an address or a person is logged", arguments: DatabaseKind.allCases)
  func canaries(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 4, in: folder)
      try database.execute(
        (1...3).map {
          "INSERT INTO push_tokens (platform, token, user_id, created_at) VALUES ('fcm', 'canary-token-\($0)', '\(QueuedPeople.person($0))', '\(Self.noon)')"
        }.joined(separator: ";"))
      let handler = InMemoryLogHandler()
      var logger = Logger(label: "test", factory: { _ in handler })
      logger.logLevel = .trace
      let server = try ProviderServer()
      var texts: [String] = []
      for path in ["500", "400", "reset"] {
        let tally = try await send(
          database, to: path, of: server, at: Self.noon.adding(seconds: Int64(texts.count) * 3600),
          logger: logger
        ) { $0.needsAddress = true }
        texts.append(
          DispatchMetrics(
            channels: [.push], tallies: [.push: tally], backlog: DispatchBacklog(), at: Self.noon
          ).text)
        texts += try database.rows("SELECT last_error, lease_owner FROM notification_queue")
      }
      texts += handler.entries.map { "\($0.message) \($0.metadata)" }
      for text in texts {
        for canary in [
          "canary", "anna", "example.org", "steps", "36 %", "0.3624", QueuedPeople.person(1),
          "drop",
        ] {
          #expect(!text.contains(canary), "\(canary) in \(text)")
        }
      }
    }
  }

  @Test(
    "a sender that waits is woken, and ends when it is asked to", arguments: DatabaseKind.allCases)
  func service(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 1, in: folder)
      let server = try ProviderServer()
      let isStopping = Mutex(false)
      let stopping: @Sendable () -> Bool = { isStopping.withLock { $0 } }
      let client = TransferClient()
      let provider = WebhookProvider(
        client: client, url: server.url("ok"), signature: nil, timeout: .seconds(20),
        now: { Self.noon })
      let polls = kind == .sqlite ? 1 : 3600
      let start = Timestamp(microseconds: Self.noon.microseconds)
      let begun = ContinuousClock.now
      let clock: @Sendable () -> Timestamp = {
        start.adding(seconds: ContinuousClock.now.duration(to: begun).components.seconds * -1)
      }
      let dispatcher = Dispatcher(
        channels: [(ChannelSettings(channel: .push), provider)], storage: try database.open(),
        zones: .system, messages: try MessageCatalog(), owner: "test",
        isOnce: false,
        pollSeconds: Int64(polls), now: clock, isStopping: stopping,
        logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
      async let running: Void = dispatcher.run()
      func wait(for count: Int) async throws {
        // Counts looks, not seconds: other tests may block all threads for long.
        for _ in 1...15_000 {
          if try server.requests().count >= count { break }
          try await Task.sleep(for: .milliseconds(20))
        }
        try #require(try server.requests().count >= count)
      }
      try await wait(for: 1)
      try await Task.sleep(for: .milliseconds(600))
      let row = QueuedPeople.alert(7)
      try database.execute(
        """
        INSERT INTO notification_queue (
          id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id, level, channel,
          payload, priority, scheduled_for, expires_at, dedupe_key, run_id, created_at, updated_at
        )
        SELECT '\(row)', recipient_user_id, member_user_id, alert_state_id, notification_type, template_id,
          level, channel, payload, priority, scheduled_for, expires_at, 'another', run_id, created_at, updated_at
        FROM notification_queue
        """)
      try await wait(for: 2)
      isStopping.withLock { $0 = true }
      try await running
      await client.close()
      #expect(try database.rows("SELECT DISTINCT status FROM notification_queue") == ["sent"])
    }
  }
}

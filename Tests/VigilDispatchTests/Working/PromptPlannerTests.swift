import Foundation
import Logging
import Synchronization
import TestDatabases
import TestSupport
import Testing
import VigilAlerts
import VigilModel
import VigilStorage
import VigilTransfers

@testable import VigilDispatch

/// Prompts from the act of a person to the provider, on real databases.
@Suite("Prompts by a sender")
struct PromptPlannerTests {
  private static func person(_ number: Int) throws -> UUID {
    try #require(UUID(uuidString: QueuedPeople.person(number)))
  }

  /// Sends once, some minutes after noon, and returns template and recipient of each message so far.
  private func send(
    _ database: TestDatabase, to server: ProviderServer, minutes: Int64
  ) async throws -> [String] {
    let now = EscalatorTests.noon.adding(seconds: minutes * 60)
    let client = TransferClient()
    let provider = WebhookProvider(
      client: client, url: server.url("ok"), signature: nil, timeout: .seconds(20), now: { now })
    let dispatcher = Dispatcher(
      channels: [(ChannelSettings(channel: .push), provider)], storage: try database.open(),
      zones: .system, messages: try MessageCatalog(), owner: "test", isOnce: true,
      escalation: EscalationPolicy(
        alerts: [:], missedStreaks: [:], raisedAlerts: 15, callsContacts: true),
      now: { now }, isStopping: { false },
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    do {
      try await dispatcher.run()
    } catch {
      await client.close()
      throw error
    }
    await client.close()
    struct Body: Decodable {
      struct Words: Decodable { var subject: String }
      var recipient_user_id: String
      var template_id: String
      var message: Words
    }
    return try server.requests().map {
      let body = try JSONDecoder().decode(Body.self, from: Data($0.body.utf8))
      #expect(!body.message.subject.isEmpty)
      return "\(body.template_id) \(body.recipient_user_id.suffix(1))"
    }
  }

  @Test(
    "a raised alert reaches the responder, then the next caregiver, until it is resolved",
    arguments: DatabaseKind.allCases)
  func raisedAlert(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try EscalatorTests.database(kind, in: folder)
      let server = try ProviderServer()
      let storage = try database.open()
      let raised = try storage.raiseAlert(by: Self.person(1), at: EscalatorTests.noon)
      var expected = ["raised_alert 2"]
      #expect(try await send(database, to: server, minutes: 1) == expected)
      #expect(try await send(database, to: server, minutes: 14) == expected)
      expected.append("escalation.caregiver 3")
      #expect(try await send(database, to: server, minutes: 16) == expected)
      _ = try storage.resolveRaisedAlert(
        raised.id, by: Self.person(3), at: EscalatorTests.noon.adding(seconds: 1_000))
      #expect(try await send(database, to: server, minutes: 60) == expected)
      #expect(
        try database.rows(
          """
          SELECT step, status FROM escalation_log WHERE escalation_type = 'panic_button' ORDER BY step
          """) == ["0|expired", "1|resolved"])
    }
  }

  @Test(
    "a raised alert that reaches no one is the person's to know, and the emergency contact's",
    arguments: DatabaseKind.allCases, [true, false])
  func alone(kind: DatabaseKind, isReachable: Bool) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try EscalatorTests.database(kind, in: folder)
      try database.execute("UPDATE family_members SET invite_status = 'declined'")
      if !isReachable { try database.execute("UPDATE user_profiles SET notify_push = (1 = 0)") }
      let server = try ProviderServer()
      _ = try database.open().raiseAlert(by: Self.person(1), at: EscalatorTests.noon)
      let expected = isReachable ? ["raised_alert 1"] : []
      #expect(try await send(database, to: server, minutes: 1) == expected)
      #expect(try await send(database, to: server, minutes: 17) == expected)
      #expect(
        try database.rows(
          """
          SELECT channel, notification_type FROM notification_queue
          WHERE emergency_contact_id IS NOT NULL
          """) == ["sms|emergency_contact"])
    }
  }

  @Test(
    "what ends before it is sent is not sent", arguments: DatabaseKind.allCases,
    [
      ("UPDATE raised_alerts SET status = 'resolved', resolved_at = raised_at", "resolved"),
      ("UPDATE family_members SET role = 'dependent'", "not_recipient"),
      (
        "INSERT INTO alert_recipient_exclusions (subject_user_id, excluded_user_id) VALUES ('\(QueuedPeople.person(1))', '\(QueuedPeople.person(2))')",
        "excluded"
      ),
      ("UPDATE user_profiles SET notify_push = (1 = 0)", "preference_off"),
    ])
  func recheck(kind: DatabaseKind, change: (sql: String, reason: String)) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try EscalatorTests.database(kind, in: folder)
      let server = try ProviderServer()
      let storage = try database.open()
      _ = try storage.raiseAlert(by: Self.person(1), at: EscalatorTests.noon)
      #expect(
        try PromptPlanner(storage: storage, zones: .system).run(at: EscalatorTests.noon) == 1)
      try database.execute(change.sql)
      #expect(try await send(database, to: server, minutes: 1).isEmpty)
      #expect(
        try database.rows("SELECT status, status_reason FROM notification_queue")
          == ["cancelled|\(change.reason)"])
    }
  }

  @Test(
    "a ping and a reminder reach the person alone", arguments: DatabaseKind.allCases)
  func ofPersons(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try EscalatorTests.database(kind, in: folder)
      let server = try ProviderServer()
      let storage = try database.open()
      try database.execute(
        """
        INSERT INTO check_in_plans (user_id, interval_minutes, starts_at, reminder_minutes) VALUES
          ('\(QueuedPeople.person(4))', 60, '\(EscalatorTests.noon)', 20)
        """)
      _ = try storage.ping(Self.person(1), by: Self.person(3), at: EscalatorTests.noon)
      #expect(try await send(database, to: server, minutes: 39) == ["ping 1"])
      #expect(
        try await send(database, to: server, minutes: 40) == ["ping 1", "check_in_reminder 4"])
      #expect(try await send(database, to: server, minutes: 50).count == 2)
    }
  }

  @Test(
    "a check-in between the plan and the sending ends a reminder",
    arguments: DatabaseKind.allCases)
  func checkedIn(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try EscalatorTests.database(kind, in: folder)
      let server = try ProviderServer()
      let storage = try database.open()
      try database.execute(
        """
        INSERT INTO check_in_plans (user_id, interval_minutes, starts_at, reminder_minutes) VALUES
          ('\(QueuedPeople.person(4))', 60, '\(EscalatorTests.noon)', 20)
        """)
      let later = EscalatorTests.noon.adding(seconds: 45 * 60)
      #expect(try PromptPlanner(storage: storage, zones: .system).run(at: later) == 1)
      try storage.record(CheckIn(of: Self.person(4), at: later))
      #expect(try await send(database, to: server, minutes: 46).isEmpty)
      #expect(
        try database.rows("SELECT status, status_reason FROM notification_queue")
          == ["cancelled|resolved"])
    }
  }

  @Test(
    "prompts of persons are looked for each time, those of the clock once a minute",
    arguments: DatabaseKind.allCases)
  func onceAMinute(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try EscalatorTests.database(kind, in: folder)
      let storage = try database.open()
      let seconds = Atomic<Int64>(0)
      let work = DispatchWork(
        storage, zones: .system, messages: try MessageCatalog(), owner: "test", pollSeconds: 10,
        recordingPatience: .zero,
        now: { EscalatorTests.noon.adding(seconds: seconds.load(ordering: .relaxed)) },
        isStopping: { false },
        logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
      #expect(try await work.planPrompts() == 0)
      let start = EscalatorTests.noon.adding(seconds: -120)
      try database.execute(
        """
        INSERT INTO check_in_plans (user_id, interval_minutes, starts_at, reminder_minutes) VALUES
          ('\(QueuedPeople.person(4))', 60, '\(start)', 59)
        """)
      seconds.store(59, ordering: .relaxed)
      #expect(try await work.planPrompts() == 0)
      _ = try storage.raiseAlert(by: Self.person(1), at: EscalatorTests.noon)
      #expect(try await work.planPrompts() == 1)
      seconds.store(60, ordering: .relaxed)
      #expect(try await work.planPrompts() == 1)
      #expect(try await work.planPrompts() == 0)
    }
  }

  @Test("senders at once plan a prompt once", arguments: DatabaseKind.allCases)
  func atOnce(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try EscalatorTests.database(kind, in: folder)
      _ = try database.open().raiseAlert(by: Self.person(1), at: EscalatorTests.noon)
      let planned = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 1...4 {
          group.addTask {
            try PromptPlanner(storage: try database.open(), zones: .system)
              .run(at: EscalatorTests.noon)
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(planned == 1)
      #expect(try database.rows("SELECT count(*) FROM notification_queue") == ["1"])
    }
  }
}

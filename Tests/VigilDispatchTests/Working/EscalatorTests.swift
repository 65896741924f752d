import Foundation
import Logging
import TestDatabases
import TestSupport
import Testing
import VigilAlerts
import VigilModel
import VigilStorage
import VigilTransfers

@testable import VigilDispatch

/// Calls upon caregivers and contacts, on real databases and with a real server as provider.
@Suite("Escalation by a sender")
struct EscalatorTests {
  static let noon = Timestamp(microseconds: 1_782_907_200_000_000)
  private static let person = QueuedPeople.person(1)
  private static let alert = QueuedPeople.alert(1)

  /// Person 1 has an alert of level 14, and a night has notified person 2.
  ///
  /// Person 3 is the next caregiver by priority, then
  /// person 4; neither is an administrator. The person has agreed to one emergency contact of two.
  static func database(_ kind: DatabaseKind, in folder: TemporaryDirectory) throws -> TestDatabase {
    let database = try kind.makeMigratedDatabase(in: folder.path)
    try database.fill(QueuedPeople(5, dueAt: noon))
    let family = QueuedPeople.alert(90)
    func member(_ number: Int, _ role: String) -> String {
      "('\(family)', '\(QueuedPeople.person(number))', '\(role)', 'accepted')"
    }
    let empty = kind == .sqlite ? "'[]'" : "'{}'"
    try database.execute(
      """
      DELETE FROM notification_queue;
      UPDATE pattern_alert_state SET current_level = 14, severity = 'critical';
      INSERT INTO family_members (family_id, user_id, role, invite_status) VALUES
        \(member(1, "member")), \(member(2, "admin")), \(member(3, "member")), \(member(4, "member"));
      INSERT INTO user_profiles (user_id, notify_in_app, notify_push)
        SELECT id, (1 = 0), (1 = 1) FROM users;
      INSERT INTO caregiver_priority (user_id, caregiver_id, priority) VALUES
        ('\(person)', '\(QueuedPeople.person(4))', 2), ('\(person)', '\(QueuedPeople.person(3))', 1);
      INSERT INTO emergency_contacts (id, user_id, priority, channel, address, opted_in_at) VALUES
        ('\(QueuedPeople.alert(71))', '\(person)', 1, 'sms', '+34600000001', NULL),
        ('\(QueuedPeople.alert(72))', '\(person)', 2, 'sms', '+34600000002', '\(noon)');
      INSERT INTO escalation_log (
        id, patient_id, caregiver_id, escalation_type, related_blob_id, triggered_at, window_minutes,
        channels_used, created_at, expires_at, level
      ) VALUES (
        '\(QueuedPeople.alert(80))', '\(person)', '\(QueuedPeople.person(2))', 'pattern_anomaly', '\(alert)',
        '\(noon)', 20160, \(empty), '\(noon)', '\(noon.adding(seconds: 4 * 3600))', 14
      )
      """)
    return database
  }

  /// Sends once, some hours after noon; returns what the sender has recorded of calls.
  @discardableResult
  private func send(
    _ database: TestDatabase, to server: ProviderServer, hours: Int64,
    policy: EscalationPolicy? = EscalationPolicy(callsContacts: true)
  ) async throws -> EscalationTally? {
    let now = Self.noon.adding(seconds: hours * 3600)
    let client = TransferClient()
    func provider(_ path: String) -> WebhookProvider {
      WebhookProvider(
        client: client, url: server.url(path), signature: nil, timeout: .seconds(20), now: { now })
    }
    let dispatcher = Dispatcher(
      channels: [
        (ChannelSettings(channel: .push), provider("ok")),
        (ChannelSettings(channel: .sms, needsAddress: true), provider("ok")),
      ], storage: try database.open(), zones: .system, messages: try MessageCatalog(),
      owner: "test", isOnce: true, escalation: policy, now: { now }, isStopping: { false },
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    do {
      try await dispatcher.run()
    } catch {
      await client.close()
      throw error
    }
    await client.close()
    return dispatcher.escalationTally
  }

  /// The lines of the metrics file about calls.
  private func figures(_ tally: EscalationTally?) -> [String] {
    let text = DispatchMetrics(
      channels: [], tallies: [:], escalation: tally, backlog: DispatchBacklog(), at: Self.noon
    ).text
    let name = "vigil_dispatch_escalation_calls_total{result="
    return text.split(separator: "\n").filter { $0.hasPrefix(name) }
      .map { String($0.dropFirst(name.count).filter { $0 != "\"" && $0 != "}" }) }
  }

  private func log(_ database: TestDatabase) throws -> [String] {
    try database.rows(
      """
      SELECT step, caregiver_id, emergency_contact_id, status, resolution FROM escalation_log
      ORDER BY level, step
      """)
  }

  private func notified(_ server: ProviderServer) throws -> [String] {
    struct Body: Decodable {
      var recipient_user_id: String
      var emergency_contact_id: String?
      var addresses: [[String: String]]?
      var template_id: String
    }
    return try server.requests().map {
      let body = try JSONDecoder().decode(Body.self, from: Data($0.body.utf8))
      return [
        body.template_id, body.emergency_contact_id ?? body.recipient_user_id,
        body.addresses?.first?["address"],
      ].compactMap { $0 }.joined(separator: " ")
    }
  }

  @Test(
    "caregivers are called by priority, then the contact; all is in the log",
    arguments: DatabaseKind.allCases)
  func course(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try Self.database(kind, in: folder)
      let server = try ProviderServer()
      var tally = try #require(try await send(database, to: server, hours: 3))
      #expect(try notified(server).isEmpty && tally == EscalationTally())
      for hours in stride(from: 4, through: 24, by: 4) {
        // Repeated calls within a window change nothing.
        for _ in 1...2 {
          tally += try #require(try await send(database, to: server, hours: Int64(hours)))
        }
      }
      // The call of the night was not sent through this queue.
      #expect(
        figures(tally) == [
          "made 3", "notified 3", "no_response 4", "acknowledged 0", "resolved 0",
        ])
      #expect(
        try notified(server) == [
          "escalation.caregiver \(QueuedPeople.person(3))",
          "escalation.caregiver \(QueuedPeople.person(4))",
          "escalation.contact \(QueuedPeople.alert(72)) +34600000002",
        ])
      #expect(
        try log(database) == [
          "0|\(QueuedPeople.person(2))||expired|no_response",
          "1|\(QueuedPeople.person(3))||expired|no_response",
          "2|\(QueuedPeople.person(4))||expired|no_response",
          "3||\(QueuedPeople.alert(72))|expired|no_response",
        ])
      for request in try server.requests() {
        for word in ["steps", "drop", "0.5", "4500"] { #expect(!request.body.contains(word)) }
      }
    }
  }

  @Test("without settings there are no calls", arguments: DatabaseKind.allCases)
  func off(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try Self.database(kind, in: folder)
      let server = try ProviderServer()
      #expect(try await send(database, to: server, hours: 8, policy: nil) == nil)
      #expect(figures(nil).isEmpty)
      try await send(
        database, to: server, hours: 8, policy: EscalationPolicy(alerts: [.day21: 5]))
      #expect(try notified(server).isEmpty)
      #expect(try log(database).count == 1)
    }
  }

  /// The choice of the person, and the number of calls after 1, 4 and 30 hours; what was due more than a day ago is not
  /// followed.
  private static let choices: [(minutes: Int?, calls: [Int])] = [
    (nil, [0, 0, 0]), (60, [1, 2, 2]), (240, [0, 1, 2]), (1_800, [0, 0, 1]),
  ]

  @Test(
    "the choice of the person goes before the sender's windows", arguments: DatabaseKind.allCases,
    choices)
  func choice(kind: DatabaseKind, choice: (minutes: Int?, calls: [Int])) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try Self.database(kind, in: folder)
      let server = try ProviderServer()
      let person = try #require(UUID(uuidString: Self.person))
      _ = try database.open().choose(
        EscalationChoice(minutes: choice.minutes), at: [.day14], by: person)
      var calls: [Int] = []
      for hours: Int64 in [1, 4, 30] {
        try await send(database, to: server, hours: hours)
        calls.append(try log(database).count - 1)
      }
      #expect(calls == choice.calls)
    }
  }

  @Test(
    "who has turned calls off is helped all the same when they ask for it",
    arguments: DatabaseKind.allCases)
  func choiceAndRaisedAlert(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try Self.database(kind, in: folder)
      let server = try ProviderServer()
      let person = try #require(UUID(uuidString: Self.person))
      let storage = try database.open()
      _ = try storage.choose(.off, at: AlertLevel.allCases, by: person)
      _ = try storage.raiseAlert(by: person, at: Self.noon)
      for hours: Int64 in [1, 2, 3, 4, 8] { try await send(database, to: server, hours: hours) }
      #expect(
        try database.rows(
          "SELECT escalation_type, max(step) FROM escalation_log GROUP BY 1 ORDER BY 1")
          == ["panic_button|3", "pattern_anomaly|0"])
    }
  }

  /// The changes by a member, an operator or a night after the first call, and the log after it.
  private static let answers: [(sql: String, status: String)] = [
    ("", "notified"),
    (
      "INSERT INTO alert_actions (id, alert_state_id, action, actor_user_id, acted_at) VALUES ('\(QueuedPeople.alert(60))', '\(alert)', 'acknowledge', '\(QueuedPeople.person(3))', '\(noon.adding(seconds: 5 * 3600))')",
      "acknowledged"
    ),
    (
      "UPDATE pattern_alert_state SET dismissed_at = '2026-07-01T16:30:00.000000Z'", "resolved"
    ),
    ("UPDATE pattern_alert_state SET snooze_until = '2026-07-05'", "resolved"),
    (
      "UPDATE pattern_alert_state SET episode_status = 'resolved', resolved_on = '2026-07-01', resolution_reason = 'retracted'",
      "resolved"
    ),
  ]

  @Test(
    "an answer, a snooze, a dismissal and the end of the alert end the course",
    arguments: DatabaseKind.allCases, answers)
  func endings(kind: DatabaseKind, answer: (sql: String, status: String)) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try Self.database(kind, in: folder)
      let server = try ProviderServer()
      try await send(database, to: server, hours: 4)
      #expect(try notified(server).count == 1)
      var tally = EscalationTally()
      if !answer.sql.isEmpty { try database.execute(answer.sql) }
      for hours in answer.sql.isEmpty ? [5] : [8, 12] {
        tally += try #require(try await send(database, to: server, hours: Int64(hours)))
      }
      #expect(figures(tally).filter { !$0.hasSuffix(" 0") } == ["\(answer.status) 1"])
      #expect(try notified(server).count == 1)
      #expect(
        try log(database) == [
          "0|\(QueuedPeople.person(2))||expired|no_response",
          "1|\(QueuedPeople.person(3))||\(answer.status)|",
        ])
    }
  }

  @Test(
    "what changes between the call and its sending counts", arguments: DatabaseKind.allCases,
    [
      (
        "INSERT INTO alert_recipient_exclusions (subject_user_id, excluded_user_id) VALUES ('\(QueuedPeople.person(1))', '\(QueuedPeople.person(3))')",
        "cancelled|excluded"
      ),
      ("DELETE FROM caregiver_priority", "cancelled|not_recipient"),
      ("UPDATE user_profiles SET notify_push = (1 = 0)", "cancelled|preference_off"),
      ("UPDATE escalation_log SET status = 'acknowledged' WHERE step = 1", "cancelled|resolved"),
      ("UPDATE pattern_alert_state SET snooze_until = '2026-07-05'", "cancelled|snoozed"),
    ])
  func recheck(kind: DatabaseKind, change: (sql: String, state: String)) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try Self.database(kind, in: folder)
      let server = try ProviderServer()
      let later = Self.noon.adding(seconds: 4 * 3600)
      let escalator = Escalator(
        storage: try database.open(), policy: EscalationPolicy(), zones: .system)
      #expect(try escalator.made(at: later) == 1)
      try database.execute(change.sql)
      try await send(database, to: server, hours: 4)
      #expect(try notified(server).isEmpty)
      #expect(
        try database.rows("SELECT status, status_reason FROM notification_queue") == [change.state])
    }
  }

  @Test("a contact whose consent is withdrawn is not called", arguments: DatabaseKind.allCases)
  func consent(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try Self.database(kind, in: folder)
      try database.execute(
        "DELETE FROM caregiver_priority; DELETE FROM family_members WHERE role = 'member' AND user_id <> '\(Self.person)'"
      )
      let server = try ProviderServer()
      let escalator = Escalator(
        storage: try database.open(), policy: EscalationPolicy(callsContacts: true),
        zones: .system)
      #expect(try escalator.made(at: Self.noon.adding(seconds: 4 * 3600)) == 1)
      try database.execute(
        "UPDATE emergency_contacts SET revoked_at = '\(Self.noon)'")
      try await send(database, to: server, hours: 4)
      #expect(try notified(server).isEmpty)
      #expect(
        try database.rows("SELECT status, status_reason FROM notification_queue") == [
          "cancelled|not_recipient"
        ])
    }
  }

  @Test("senders at once make each step once", arguments: DatabaseKind.allCases)
  func atOnce(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try Self.database(kind, in: folder)
      for hours in [4, 8, 12] {
        let now = Self.noon.adding(seconds: Int64(hours) * 3600)
        let made = try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 1...4 {
            group.addTask {
              try Escalator(
                storage: try database.open(), policy: EscalationPolicy(callsContacts: true),
                zones: .system
              ).made(at: now)
            }
          }
          return try await group.reduce(0, +)
        }
        #expect(made == 1)
      }
      #expect(try log(database).count == 4)
      #expect(try database.rows("SELECT count(*) FROM notification_queue") == ["3"])
    }
  }

  @Test("a stale decision of a sender changes nothing", arguments: DatabaseKind.allCases)
  func stale(kind: DatabaseKind) throws {
    try TemporaryDirectory.with { folder in
      let database = try Self.database(kind, in: folder)
      let storage = try database.open()
      let now = Self.noon.adding(seconds: 4 * 3600)
      let alert = try #require(UUID(uuidString: Self.alert))
      let course = try #require(
        try storage.escalationCourse(of: alert, .alert, at: .day14, asOf: now))
      let step = course.next(by: EscalationPolicy(), zones: .system, at: now)
      // A member answers before the step is written.
      _ = try storage.carryOut(
        AlertAction(
          .acknowledge, alert: alert, by: try #require(UUID(uuidString: QueuedPeople.person(2))),
          at: now.adding(seconds: -1)))
      #expect(try storage.carryOut(step, of: course, at: now) == nil)
      #expect(try database.rows("SELECT count(*) FROM notification_queue") == ["0"])
      #expect(try log(database) == ["0|\(QueuedPeople.person(2))||acknowledged|"])
    }
  }
}

extension Escalator {
  /// The number of calls that it makes.
  fileprivate func made(at now: Timestamp) throws -> Int {
    var made = 0
    try run(at: now) { made += $0.made }
    return made
  }
}

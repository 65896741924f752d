import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// `vigil dispatch` that calls upon caregivers, also where it is killed between two steps.
@Suite struct EscalatorTests {
  private struct Fixture {
    let folder: TemporaryFolder
    let server: ProviderServer

    /// Alerts of level 14 of persons from 2 on, about each of which a night has notified its person without an answer;
    /// person 1 is the administrator of all of them.
    ///
    /// - Parameters:
    ///   - channels: Channels besides push in JSON, each with a comma before it.
    ///   - callsContacts: Whether emergency contacts are called upon.
    init(
      _ kind: DatabaseKind, alerts: Int, now: Timestamp, channels: String = "",
      callsContacts: Bool = false
    ) throws {
      folder = try TemporaryFolder.migrated(kind)
      server = try ProviderServer()
      let start = now.adding(seconds: -600)
      try folder.database.fill(QueuedPeople(alerts + 1, dueAt: start))
      let empty = kind == .sqlite ? "'[]'" : "'{}'"
      let administrator = QueuedPeople.person(1)
      let family = "'\(QueuedPeople.alert(999_999))'"
      try folder.database.execute(
        """
        DELETE FROM notification_queue;
        UPDATE pattern_alert_state SET current_level = 14, severity = 'critical';
        INSERT INTO family_members (family_id, user_id, role, invite_status)
          SELECT \(family), id, CASE CAST(id AS text) WHEN '\(administrator)' THEN 'admin' ELSE 'member' END,
            'accepted' FROM users;
        INSERT INTO user_profiles (user_id, notify_in_app, notify_push) VALUES
          ('\(administrator)', (1 = 0), (1 = 1));
        INSERT INTO escalation_log (
          id, patient_id, caregiver_id, escalation_type, related_blob_id, triggered_at, window_minutes,
          channels_used, created_at, expires_at, level
        )
        SELECT id, user_id, user_id, 'pattern_anomaly', id, '\(start)', 20160, \(empty), '\(start)',
          '\(start.adding(seconds: 4 * 3600))', 14
        FROM pattern_alert_state WHERE CAST(user_id AS text) <> '\(administrator)'
        """)
      try folder.write(
        """
        {"channels": {"push": {"webhook": {"url": "\(server.url("ok"))"}}\(channels)},
         "escalation": {"alerts": {"14": 5}, "contacts": \(callsContacts)}, "poll_seconds": 1}
        """, to: "providers.json")
    }

    func count(_ condition: String) throws -> Int {
      let rows = try folder.database.rows("SELECT count(*) FROM escalation_log WHERE \(condition)")
      return rows.first.flatMap { Int($0) } ?? 0
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func sendersThatAreKilledMakeEachCallOnce(kind: DatabaseKind) async throws {
    let alerts = Repetitions.count(fast: 60, long: 600)
    let fixture = try Fixture(kind, alerts: alerts, now: .ofMachine)
    var kills = 0
    let deadline = Date(timeIntervalSinceNow: 480)
    while try fixture.count("step = 1") < alerts {
      try #require(Date() < deadline, "the calls are not made")
      let before = try fixture.count("step = 1")
      let processes = try (1...2).map { _ in try fixture.folder.startDispatcher() }
      // Killed as soon as some calls are made, at any place in a step.
      while try fixture.count("step = 1") < min(alerts, before + 8) {
        try #require(Date() < deadline, "the calls are not made")
        try await Task.sleep(for: .milliseconds(2))
      }
      for process in processes {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        kills += 1
      }
    }
    #expect(kills >= 2)
    #expect(try fixture.count("step > 1") == 0)
    // A step is whole: the call, its row of the queue, and the end of the call before.
    #expect(try fixture.count("step = 0 AND resolution = 'no_response'") == alerts)
    #expect(
      try fixture.folder.database.rows(
        """
        SELECT count(*), count(DISTINCT run_id), count(DISTINCT alert_state_id) FROM notification_queue
        WHERE run_id IN (SELECT id FROM escalation_log WHERE step = 1)
        """) == ["\(alerts)|\(alerts)|\(alerts)"])
  }

  @Test(arguments: DatabaseKind.allCases)
  func onceCallsSendsAndShowsTheCourse(kind: DatabaseKind) async throws {
    let start = TestClock.now
    let fixture = try Fixture(kind, alerts: 1, now: start)
    var figures: [String] = []
    // Within the window of five minutes, however long the commands take.
    for now in [start, start.adding(seconds: 60)] {
      let run = try await CommandRun.vigil(
        "dispatch", "--providers", "providers.json", "--once", "--metrics-file", "vigil.prom",
        "--now", "\(now)", in: fixture.folder)
      #expect(run.status == 0, "\(run.errors)")
      let text = try String(
        contentsOf: fixture.folder.url.appending(path: "vigil.prom"), encoding: .utf8)
      let name = "vigil_dispatch_escalation_calls_total{"
      figures.append(
        text.split(separator: "\n").filter { $0.hasPrefix(name) }
          .compactMap { $0.split(separator: "\"", maxSplits: 1).last }.joined(separator: " "))
    }
    // The first makes the call and sends it, the second finds that it was sent.
    #expect(
      figures == [
        "made\"} 1 notified\"} 0 no_response\"} 1 acknowledged\"} 0 resolved\"} 0",
        "made\"} 0 notified\"} 1 no_response\"} 0 acknowledged\"} 0 resolved\"} 0",
      ])
    #expect(try fixture.server.requests().count == 1)
    let body = try #require(try fixture.server.requests().first?.body)
    #expect(body.contains("escalation.caregiver") && !body.contains("steps"))
    let shown = try await CommandRun.vigil(
      "alerts", "show", QueuedPeople.alert(2), in: fixture.folder)
    #expect(shown.output.contains("Calls\n"), "\(shown)")
    #expect(shown.output.contains("no response"), "\(shown.output)")
    #expect(shown.output.contains("notified"), "\(shown.output)")
    let json = try await CommandRun.vigil(
      "alerts", "show", QueuedPeople.alert(2), "--format", "json", in: fixture.folder)
    #expect(json.output.contains(#""resolution" : "no_response""#), "\(json.output)")
  }

  /// The kind of provider that delivers to an emergency contact.
  enum Provider: String, CaseIterable {
    case webhook
    case command
    case smtp

    var channel: String { self == .smtp ? "email" : "sms" }
    var address: String { self == .smtp ? "neighbour@example.org" : "+34600471108" }
    var otherAddress: String { self == .smtp ? "friend@example.org" : "+34600471109" }
    var isInstalled: Bool { self != .smtp || MailServerProcess.isInstalled }
  }

  /// The words of a call upon a contact, which name neither the person nor anything about health.
  private static let canaries = ["steps", "drop", "4500", "0.5", QueuedPeople.alert(2)]

  @Test(arguments: DatabaseKind.allCases, Provider.allCases.filter(\.isInstalled))
  func callsTheEmergencyContact(kind: DatabaseKind, provider: Provider) async throws {
    let mail = provider == .smtp ? try await MailServerProcess.start() : nil
    let sms = try ProviderServer()
    let channel =
      switch provider {
      case .webhook: #""sms": {"webhook": {"url": "\#(sms.url("ok"))"}, "addresses": true}"#
      case .command:
        #""sms": {"command": ["/bin/sh", "-c", "cat >>sms"], "addresses": true}"#
      case .smtp:
        """
        "email": {"smtp": {"url": "\(mail?.url ?? "")", "from": "vigil@example.org",
          "certificates_file": "\(mail?.certificates ?? "")"}}
        """
      }
    let fixture = try Fixture(
      kind, alerts: 1, now: TestClock.now, channels: ", \(channel)", callsContacts: true)
    let contact = QueuedPeople.alert(70)
    let person = QueuedPeople.person(2)
    // Others come first, to whom the person has not agreed, or not yet.
    try fixture.folder.database.execute(
      """
      INSERT INTO emergency_contacts (id, user_id, priority, channel, address, language, opted_in_at)
      VALUES
        ('\(QueuedPeople.alert(69))', '\(person)', 1, '\(provider.channel)', '\(provider.otherAddress)', NULL,
          NULL),
        ('\(QueuedPeople.alert(68))', '\(person)', 1, '\(provider.channel)', '\(provider.otherAddress)', NULL,
          '2030-06-01T00:00:00.000000Z'),
        ('\(contact)', '\(person)', 2, '\(provider.channel)', '\(provider.address)', 'es',
          '2026-06-01T00:00:00.000000Z')
      """)
    // The caregiver is called upon, then the contact, and then no one is left.
    for minutes in [0, 10, 20, 30] {
      let now = TestClock.now.adding(seconds: Int64(minutes * 60))
      let run = try await CommandRun.vigil(
        "dispatch", "--providers", "providers.json", "--once", "--now", "\(now)",
        in: fixture.folder)
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(
      try fixture.folder.database.rows(
        """
        SELECT step, caregiver_id, emergency_contact_id, status, resolution FROM escalation_log
        ORDER BY step
        """) == [
          "0|\(person)||expired|no_response", "1|\(QueuedPeople.person(1))||expired|no_response",
          "2||\(contact)|expired|no_response",
        ])
    #expect(
      try fixture.folder.database.rows(
        """
        SELECT status, channel, attempts FROM notification_queue
        WHERE notification_type = 'emergency_contact'
        """) == ["sent|\(provider.channel)|1"])
    let delivered: [String]
    switch provider {
    case .webhook: delivered = try sms.requests().map(\.body)
    case .command:
      delivered = [
        try String(contentsOf: fixture.folder.url.appending(path: "sms"), encoding: .utf8)
      ]
    case .smtp:
      let mails = try #require(try mail?.mails())
      #expect(mails.map { $0.header("To") } == ["<\(provider.address)>"])
      delivered = mails.map { $0.text + ($0.body ?? "") }
    }
    let message = try #require(delivered.first)
    #expect(delivered.count == 1 && message.contains(provider.address), "\(delivered)")
    #expect(!message.contains("x\(provider.address)"))
    if provider != .smtp {
      let body = try JSON(text: message)
      #expect(body["template_id"] == .string("escalation.contact"))
      #expect(body["emergency_contact_id"] == .string(contact))
      #expect(body["message"]?["language"] == .string("es"))
    }
    let words = provider == .smtp ? Self.canaries + [person] : Array(Self.canaries.dropLast())
    for word in words {
      // Not within a longer number, such as the fraction of a second.
      let isNamed =
        message.range(
          of: "(?<![0-9A-Za-z])\(NSRegularExpression.escapedPattern(for: word))(?![0-9A-Za-z])",
          options: .regularExpression) != nil
      #expect(!isNamed, "\(word) in \(message)")
    }
  }
}

import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// `vigil dispatch` that calls upon caregivers, also where it is killed between two steps.
@Suite struct EscalationTests {
  private struct Fixture {
    let folder: TemporaryFolder
    let server: ProviderServer

    /// Alerts of level 14 of persons from 2 on, about each of which a night has notified its person without an answer;
    /// person 1 is the administrator of all of them.
    init(_ kind: DatabaseKind, alerts: Int, now: Timestamp) throws {
      folder = try TemporaryFolder(kind)
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
      try Data(
        """
        {"channels": {"push": {"webhook": {"url": "\(server.url("ok"))"}}},
         "escalation": {"alerts": {"14": 5}}, "poll_seconds": 1}
        """.utf8
      ).write(to: folder.url.appending(path: "providers.json"))
    }

    func dispatcher() throws -> Process {
      let process = Process()
      process.executableURL = try BuiltExecutable.url("vigil")
      process.arguments = ["dispatch", "--providers", "providers.json", "--quiet"]
      process.currentDirectoryURL = folder.url
      process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.url.path]
        .merging(folder.database.environment) { $1 }
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try Process.startingAlone { try process.run() }
      return process
    }

    func count(_ condition: String) throws -> Int {
      let rows = try folder.database.rows("SELECT count(*) FROM escalation_log WHERE \(condition)")
      return rows.first.flatMap { Int($0) } ?? 0
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func sendersThatAreKilledMakeEachCallOnce(kind: DatabaseKind) async throws {
    // The clock of the machine, which all processes share.
    let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1e6))
    let alerts = Repetitions.count(fast: 60, long: 600)
    let fixture = try Fixture(kind, alerts: alerts, now: now)
    var kills = 0
    let deadline = Date(timeIntervalSinceNow: 480)
    while try fixture.count("step = 1") < alerts {
      try #require(Date() < deadline, "the calls are not made")
      let before = try fixture.count("step = 1")
      let processes = try (1...2).map { _ in try fixture.dispatcher() }
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
    let fixture = try Fixture(kind, alerts: 1, now: TestClock.now)
    for _ in 1...2 {
      let run = try await CommandRun.vigil(
        "dispatch", "--providers", "providers.json", "--once", in: fixture.folder)
      #expect(run.status == 0, "\(run.errors)")
    }
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
}

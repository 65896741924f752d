import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// `vigil dispatch`, and what an operator does with the queue.
@Suite struct DispatchTests {
  /// A database with due notifications, and a file of providers.
  private func folder(
    _ kind: DatabaseKind, people: Int = 3, providers: String
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder.migrated(kind)
    var queued = QueuedPeople(people, dueAt: TestClock.now.adding(seconds: -60))
    queued.channels = ["push", "sms", "in_app"]
    try folder.database.fill(queued)
    try Data(providers.utf8).write(to: folder.url.appending(path: "providers.json"))
    return folder
  }

  private static func webhook(_ server: ProviderServer, _ path: String = "ok", more: String = "")
    -> String
  {
    #"{"channels": {"push": {"webhook": {"url": "\#(server.url(path))"\#(more)}}}}"#
  }

  @Test(arguments: DatabaseKind.allCases)
  func sendsWhatIsDueAndSaysSo(kind: DatabaseKind) async throws {
    let server = try ProviderServer()
    let folder = try folder(kind, providers: Self.webhook(server))
    let dry = try await CommandRun.vigil(
      "dispatch", "--providers", "providers.json", "--dry-run", "--format", "json", in: folder)
    #expect(dry.status == 0, "\(dry.errors)")
    #expect(dry.output.split(separator: #""decision" : "send""#).count == 4, "\(dry.output)")
    #expect(try server.requests().isEmpty)
    #expect(
      try folder.database.rows("SELECT DISTINCT status FROM notification_queue") == ["pending"])
    let run = try await CommandRun.vigil(
      "dispatch", "--providers", "providers.json", "--once", "--metrics-file", "dispatch.prom",
      in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output == """
        Channel  Sent  To retry  Failed  Cancelled  Postponed
        push     3     0         0       0          0

        """)
    #expect(try server.requests().count == 3)
    #expect(
      try folder.database.rows(
        "SELECT channel, status, count(*) FROM notification_queue GROUP BY 1, 2 ORDER BY 1")
        == ["in_app|pending|3", "push|sent|3", "sms|pending|3"])
    let metrics = try String(
      contentsOf: folder.url.appending(path: "dispatch.prom"), encoding: .utf8)
    #expect(metrics.contains("\nvigil_dispatch_sent_total{channel=\"push\"} 3\n"))
    #expect(metrics.contains("\nvigil_dispatch_oldest_due_age_seconds 0.0\n"))
    #expect(metrics.contains("\nvigil_dispatch_latency_seconds_count{channel=\"push\"} 3\n"))
  }

  @Test func sendsToAMessengerByItsTemplateAndByOneOfOnesOwn() async throws {
    let server = try ProviderServer()
    let folder = try folder(
      .sqlite,
      providers: """
        {"channels": {"push": {"webhook":
          {"template": "ntfy", "url": "\(server.url("ok"))", "values": {"topic": "family"}}}}}
        """)
    let dry = try await CommandRun.vigil(
      "dispatch", "--providers", "providers.json", "--dry-run", in: folder)
    #expect(dry.output.contains("ntfy 127.0.0.1"), "\(dry.output)")
    let run = try await CommandRun.vigil(
      "dispatch", "--providers", "providers.json", "--once", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let requests = try server.requests()
    #expect(requests.count == 3)
    #expect(requests.allSatisfy { $0.body.contains(#""topic":"family""#) })

    let own =
      #"{"channels": {"sms": {"webhook": {"template": "./own.json", "url": "http://a.org"}}}}"#
    try Data(own.utf8).write(to: folder.url.appending(path: "own-providers.json"))
    func refused() async throws -> CommandRun {
      try await CommandRun.vigil(
        "dispatch", "--providers", "own-providers.json", "--once", in: folder)
    }
    try await refused().expectFailure(65, mentioning: "./own.json cannot be read")
    let template = folder.url.appending(path: "own.json")
    try Data("{}".utf8).write(to: template)
    try await refused().expectFailure(65, mentioning: "body: is missing")
    try Data(#"{"body": "{{address}}"}"#.utf8).write(to: template)
    try await refused().expectFailure(65, mentioning: #"give "addresses": true"#)
    try Data(#"{"channels": {"sms": {"webhook": {"template": "slack", "url_file": "url"}}}}"#.utf8)
      .write(to: folder.url.appending(path: "own-providers.json"))
    try Data("not-an-address".utf8).write(to: folder.url.appending(path: "url"))
    let unusable = try await refused()
    unusable.expectFailure(65, mentioning: "the address in url is no URL")
    #expect(!unusable.errors.contains("not-an-address"))
  }

  @Test(arguments: DatabaseKind.allCases)
  func deliversByACommand(kind: DatabaseKind) async throws {
    let folder = try folder(
      kind,
      providers:
        #"{"channels": {"push": {"command": ["/bin/sh", "-c", "cat >>sent; echo >>sent"], "concurrency": 1}}}"#
    )
    let run = try await CommandRun.vigil(
      "dispatch", "--once", in: folder, environment: ["VIGIL_PROVIDERS": "providers.json"])
    #expect(run.status == 0, "\(run.errors)")
    let sent = try String(contentsOf: folder.url.appending(path: "sent"), encoding: .utf8).split(
      separator: "\n")
    #expect(sent.count == 3)
    for line in sent {
      let row = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(row["channel"] as? String == "push")
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func providerThatRefusesEverythingIsNamed(kind: DatabaseKind) async throws {
    let folder = try folder(
      kind, people: 12, providers: #"{"channels": {"push": {"command": ["/bin/false"]}}}"#)
    // The rest of the channel is not over, however long the commands take.
    let now = "\(TestClock.now)"
    let run = try await CommandRun.vigil(
      "dispatch", "--providers", "providers.json", "--once", "--now", now, in: folder)
    #expect(run.status == 69, "\(run)")
    #expect(
      run.errors.contains(
        "nothing was delivered on push: all 5 attempts failed; after 5 failures in a row")
        && run.errors.contains("(exit_1) it rests until"), "\(run.errors)")
    #expect(run.output.hasPrefix("Channel  Sent  To retry  Failed"), "\(run.output)")
    #expect(
      try folder.database.rows(
        "SELECT status, count(*) FROM notification_queue WHERE channel = 'push' GROUP BY 1 ORDER BY 1"
      )
        == ["failed|4", "pending|8"])
    let again = try await CommandRun.vigil(
      "dispatch", "--providers", "providers.json", "--once", "--metrics-file", "dispatch.prom",
      "--now", now, in: folder)
    #expect(again.status == 69 && again.errors.contains("push: no attempt was made"), "\(again)")
    let metrics = try String(
      contentsOf: folder.url.appending(path: "dispatch.prom"), encoding: .utf8)
    #expect(metrics.contains("\nvigil_dispatch_resting{channel=\"push\"} 1\n"))
    let doctor = try await CommandRun.vigil("doctor", "--now", now, in: folder)
    #expect(
      doctor.output.contains("4 notifications failed in the last day: 4 push exit_1"),
      "\(doctor.output)")
    #expect(doctor.output.contains("vigil queue list --status failed"), "\(doctor.output)")
    #expect(doctor.output.contains("after 5 attempts that failed (exit_1)"), "\(doctor.output)")
  }

  @Test(arguments: DatabaseKind.allCases)
  func fewDescriptorsSendAllTheSame(kind: DatabaseKind) async throws {
    let folder = try folder(
      kind, people: 120,
      providers: #"{"channels": {"push": {"command": ["/bin/true"], "concurrency": 64}}}"#)
    let run = try await CommandRun.vigil(
      arguments: ["dispatch", "--providers", "providers.json", "--once"], in: folder,
      launcher: ["/bin/sh", "-c", "ulimit -n 40; exec \"$@\"", "sh"], timeout: 600)
    #expect(run.status == 0, "\(run)")
    #expect(run.errors.contains("The limit of open files allows fewer attempts"), "\(run.errors)")
    #expect(
      try folder.database.rows(
        "SELECT status, attempts, count(*) FROM notification_queue WHERE channel = 'push' GROUP BY 1, 2"
      )
        == ["sent|1|120"])
  }

  @Test(arguments: DatabaseKind.allCases)
  func operatorSendsAgainOrCancels(kind: DatabaseKind) async throws {
    let server = try ProviderServer()
    let folder = try folder(kind, people: 1, providers: Self.webhook(server, "400"))
    _ = try await CommandRun.vigil(
      "dispatch", "--providers", "providers.json", "--once", in: folder)
    let id = try #require(
      try folder.database.rows(
        "SELECT id FROM notification_queue WHERE channel = 'push' AND status = 'failed'"
      ).first)
    let other = try #require(
      try folder.database.rows("SELECT id FROM notification_queue WHERE channel = 'sms'").first)
    let refused = try await CommandRun.vigil("queue", "cancel", id, in: folder)
    #expect(refused.status == 64 || refused.status == 75 || refused.status == 65, "\(refused)")
    #expect(
      refused.errors.contains("is failed; only one that is waiting can be cancelled"),
      "\(refused.errors)")
    let retried = try await CommandRun.vigil("queue", "retry", String(id.prefix(8)), in: folder)
    #expect(retried.status == 0, "\(retried.errors)")
    #expect(retried.output == "Notification \(id.prefix(8)) on channel push will be sent again.\n")
    let cancelled = try await CommandRun.vigil("queue", "cancel", other, in: folder)
    #expect(cancelled.status == 0, "\(cancelled.errors)")
    #expect(
      try folder.database.rows(
        "SELECT status, status_reason FROM notification_queue WHERE channel <> 'in_app' ORDER BY channel"
      )
        == ["pending|", "cancelled|operator"])
    let unknown = try await CommandRun.vigil("queue", "retry", "00000000", in: folder)
    #expect(unknown.status == 64 && unknown.errors.contains("vigil queue list"))
  }

  @Test func badSettingsAreNamedBeforeAnythingIsSent() async throws {
    let server = try ProviderServer()
    let folder = try folder(
      .sqlite, providers: Self.webhook(server, more: #", "secret_file": "key""#))
    let without = try await CommandRun.vigil("dispatch", "--once", in: folder)
    #expect(without.status == 64 && without.errors.contains("--providers FILE"), "\(without)")
    let missing = try await CommandRun.vigil(
      "dispatch", "--once", "--providers", "no.json", in: folder)
    #expect(missing.status == 65 && missing.errors.contains("no.json cannot be read"), "\(missing)")
    let noKey = try await CommandRun.vigil(
      "dispatch", "--once", "--providers", "providers.json", in: folder)
    #expect(
      noKey.status == 65 && noKey.errors.contains("the secret in key cannot be read"), "\(noKey)")
    try Data("short\n".utf8).write(to: folder.url.appending(path: "key"))
    let short = try await CommandRun.vigil(
      "dispatch", "--once", "--providers", "providers.json", in: folder)
    #expect(short.status == 65 && short.errors.contains("shorter than 16 bytes"), "\(short)")
    try Data(#"{"channels": {"fax": {}}, "languages": 1}"#.utf8)
      .write(to: folder.url.appending(path: "bad.json"))
    let bad = try await CommandRun.vigil(
      "dispatch", "--once", "--providers", "bad.json", in: folder)
    #expect(bad.status == 65)
    #expect(
      bad.errors.contains("channels.fax") && bad.errors.contains("languages"), "\(bad.errors)")
    try Data(#"{"channels": {"sms": {"command": ["/no/such/command"]}}}"#.utf8)
      .write(to: folder.url.appending(path: "command.json"))
    let command = try await CommandRun.vigil(
      "dispatch", "--once", "--providers", "command.json", in: folder)
    #expect(command.status == 65 && command.errors.contains("may execute"), "\(command)")
    #expect(try server.requests().isEmpty)
    #expect(
      try folder.database.rows("SELECT DISTINCT status FROM notification_queue") == ["pending"])
  }
}

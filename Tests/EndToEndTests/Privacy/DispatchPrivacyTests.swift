import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// Senders give addresses and words to providers, and to nothing else.
@Suite struct DispatchPrivacyTests {
  private static let address = "unknown@ombrelune.example"
  private static let telephone = "+34600471108"
  private static let token = "quetzalina-device-token"
  /// A measured deviation, as in the payload and in words.
  private static let values = ["0.3624", "36 %", "steps", "drop_vs_baseline", "lower than usual"]

  private static let reference = """
    {"alert_state_id":"\(QueuedPeople.alert(1))","detail":"reference","level":7,\
    "template_id":"pattern_alert.level_7"}
    """

  /// A recipient with an address on each channel, and due rows.
  private func folder(_ kind: DatabaseKind, payload: String?) throws -> TemporaryFolder {
    let folder = try TemporaryFolder.migrated(kind)
    var queued = QueuedPeople(1, dueAt: TestClock.now.adding(seconds: -60))
    queued.channels = ["push", "sms", "call", "email"]
    if let payload { queued.payload = payload }
    try folder.database.fill(queued)
    let person = QueuedPeople.person(1)
    try folder.database.execute(
      """
      INSERT INTO user_profiles (
        user_id, notify_push, notify_email, notify_call, is_champion, champion_notify_email,
        champion_notify_sms
      ) VALUES ('\(person)', (1 = 1), (1 = 1), (1 = 1), (1 = 1), (1 = 1), (1 = 1));
      INSERT INTO contact_points (user_id, channel, address, verified_at) VALUES
        ('\(person)', 'email', '\(Self.address)', '2026-06-01T00:00:00.000000Z'),
        ('\(person)', 'sms', '\(Self.telephone)', '2026-06-01T00:00:00.000000Z'),
        ('\(person)', 'call', '\(Self.telephone)', '2026-06-01T00:00:00.000000Z');
      INSERT INTO push_tokens (platform, token, user_id) VALUES ('fcm', '\(Self.token)', '\(person)')
      """)
    return folder
  }

  private func send(
    _ folder: TemporaryFolder, by server: ProviderServer, _ path: String,
    mail: MailServerProcess? = nil
  ) async throws -> String {
    let smtp =
      mail.map {
        """
        , "email": {"smtp": {
          "url": "\($0.url)", "from": "vigil@example.org", "certificates_file": "\($0.certificates)",
          "user": "vigil", "password_file": "mail.password"
        }}
        """
      } ?? ""
    try folder.write(
      """
      {"channels": {
        "push": {"webhook": {"url": "\(server.url(path))"}, "addresses": true},
        "sms": {
          "command": ["/bin/sh", "-c", "tee -a sms; cat sms >&2; exit 1"], "addresses": true,
          "number_key_file": "numbers.key", "price_per_segment": 0.07, "currency": "EUR"
        },
        "call": {"command": ["/bin/sh", "-c", "tee -a call; cat call >&2"], "addresses": true}
        \(smtp)
      }}
      """, to: "providers.json")
    try folder.write("open sesame\n", to: "mail.password")
    try folder.write("0123456789abcdef\n", to: "numbers.key")
    let run = try await CommandRun.vigil(
      "dispatch", "--once", "--providers", "providers.json", "--log-level", "trace",
      "--metrics-file", "dispatch.prom", in: folder)
    // No text message is ever delivered.
    #expect(run.status == 69, "\(run.errors)")
    let metrics = try String(
      contentsOf: folder.url.appending(path: "dispatch.prom"), encoding: .utf8)
    let rows = try folder.database.rows(
      "SELECT status, status_reason, last_error, lease_owner FROM notification_queue ORDER BY channel"
    )
    let logged = try folder.database.rows(
      "SELECT sms_type, number_digest, segments, cost_micros, currency, status, delivery_status FROM sms_log"
    )
    #expect(logged.count == 1 && logged[0].hasSuffix("|EUR|not_sent|failed"), "\(logged)")
    return ([run.output, run.errors, metrics] + rows + logged).joined(separator: "\n")
  }

  @Test(arguments: DatabaseKind.allCases)
  func nothingOfAPersonIsLoggedRecordedOrCounted(kind: DatabaseKind) async throws {
    let server = try ProviderServer()
    let mail = MailServerProcess.isInstalled ? try await MailServerProcess.start() : nil
    for path in ["ok", "500", "400", "reset"] {
      let folder = try folder(kind, payload: nil)
      let text = try await send(folder, by: server, path, mail: mail)
      #expect(text.contains("exit_1"))
      if mail != nil { #expect(text.contains("smtp_550")) }
      for canary in [
        Self.address, Self.telephone, Self.token, "anna", "open sesame", "vigil@example.org",
        QueuedPeople.person(1),
      ] + Self.values {
        #expect(!text.lowercased().contains(canary), "\(path): \(canary) in \(text)")
      }
      // They did come to those who need them.
      #expect(
        try String(contentsOf: folder.url.appending(path: "sms"), encoding: .utf8)
          .contains(Self.telephone))
      // A voice says nothing about health.
      let call = try String(contentsOf: folder.url.appending(path: "call"), encoding: .utf8)
      #expect(call.contains(Self.telephone))
      for value in Self.values { #expect(!call.contains(value), "\(value) in \(call)") }
    }
    #expect(try server.requests().allSatisfy { $0.body.contains(Self.token) })
    #expect(try server.requests().allSatisfy { $0.body.contains("36 %") })
    if let mail { #expect(mail.log.contains(Self.address)) }
  }

  @Test(arguments: DatabaseKind.allCases)
  func aReferenceSaysNothingAboutHealth(kind: DatabaseKind) async throws {
    let server = try ProviderServer()
    let folder = try folder(kind, payload: Self.reference)
    _ = try await send(folder, by: server, "ok")
    let body = try #require(try server.requests().first?.body)
    #expect(body.contains(#""detail":"reference""#))
    for canary in Self.values + ["Steps", "usual", "day", "%"] {
      #expect(!body.contains(canary), "\(canary) in \(body)")
    }
  }
}

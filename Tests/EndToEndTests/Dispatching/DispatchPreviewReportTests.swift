import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// `vigil dispatch --dry-run` decides as a real run does, and leaves the database as it is.
@Suite struct DispatchPreviewReportTests {
  /// Every table that a sender could change, or a trigger of it.
  private static let tables = [
    "notification_queue", "sms_log", "pattern_alert_state", "escalation_log", "contact_points",
    "push_tokens", "user_profiles", "schema_migrations",
  ]

  /// Text messages to person 1 and push messages to each, of which some are to be sent and some not.
  private func folder(_ kind: DatabaseKind, _ server: ProviderServer) throws -> TemporaryFolder {
    let folder = try TemporaryFolder.migrated(kind)
    var queued = QueuedPeople(9, dueAt: TestClock.now.adding(seconds: -600))
    queued.channels = ["sms", "push"]
    queued.recipient = 1
    try folder.database.fill(queued)
    try folder.database.letPersonOneReceiveMessages(about: 9)
    let rows = { (number: Int) in "member_user_id = '\(QueuedPeople.person(number))'" }
    try folder.database.execute(
      """
      INSERT INTO contact_points (user_id, channel, address, verified_at)
      VALUES ('\(QueuedPeople.person(1))', 'sms', '+34600471108', '2026-06-01T00:00:00.000000Z');
      UPDATE user_profiles SET notify_push = (1 = 1);
      UPDATE notification_queue SET expires_at = scheduled_for WHERE \(rows(2));
      UPDATE pattern_alert_state SET dismissed_at = '2026-07-01T00:00:00.000000Z'
      WHERE user_id = '\(QueuedPeople.person(3))';
      UPDATE notification_queue SET next_attempt_at = '2026-07-01T20:00:00.000000Z', attempts = 1
      WHERE \(rows(4));
      UPDATE notification_queue SET priority = 'critical' WHERE \(rows(5));
      UPDATE notification_queue SET status = 'processing', lease_owner = 'gone:1:sms', fencing_token = 1,
        lease_until = '2026-07-01T09:00:00.000000Z' WHERE \(rows(6)) AND channel = 'sms';
      UPDATE notification_queue SET status = 'processing', lease_owner = 'busy:1:push', fencing_token = 1,
        lease_until = '2026-07-01T23:00:00.000000Z' WHERE \(rows(7)) AND channel = 'push'
      """)
    try folder.write(
      """
      {"channels": {
        "sms": {"webhook": {"url": "\(server.url("ok"))"}, "addresses": true, "per_recipient_and_month": 3},
        "push": {"command": ["/bin/false"], "addresses": true}
      }, "per_recipient_and_day": 100}
      """, to: "providers.json")
    return folder
  }

  private func everything(_ folder: TemporaryFolder) throws -> [String] {
    try Self.tables.flatMap { table in
      try [table] + folder.database.rows("SELECT * FROM \(table)").sorted()
    }
  }

  private struct Output: Decodable {
    struct Channel: Decodable {
      struct Notification: Decodable {
        var id: String
        var decision: String
        var reason: String?
        var until: String?
      }

      var channel: String
      var provider: String
      var notifications: [Notification]
    }

    var channels: [Channel]
  }

  @Test(arguments: DatabaseKind.allCases)
  func decidesAsARealRunAndChangesNothing(kind: DatabaseKind) async throws {
    let server = try ProviderServer()
    let folder = try folder(kind, server)
    let before = try everything(folder)
    let file = folder.url.appending(path: "vigil.sqlite")
    let bytes = kind == .sqlite ? try Data(contentsOf: file) : nil
    let dry = try await CommandRun.vigil(
      "dispatch", "--providers", "providers.json", "--dry-run", "--format", "json", in: folder)
    try #require(dry.status == 0, "\(dry.errors)")
    let text = try await CommandRun.vigil(
      "dispatch", "--providers", "providers.json", "--dry-run", in: folder)
    #expect(text.status == 0, "\(text.errors)")
    #expect(try everything(folder) == before)
    if let bytes { #expect(try Data(contentsOf: file) == bytes) }
    #expect(try server.requests().isEmpty)

    let decoder = JSONDecoder()
    let output = try decoder.decode(Output.self, from: Data(dry.output.utf8))
    #expect(output.channels.map(\.channel) == ["push", "sms"])
    #expect(output.channels.map(\.provider) == ["command /bin/false", "webhook 127.0.0.1"])
    #expect(output.channels.map { $0.notifications.count { $0.decision == "send" } } == [0, 3])
    #expect(
      Set(output.channels.flatMap(\.notifications).map { "\($0.decision) \($0.reason ?? "")" })
        == [
          "send ", "cancel expired", "cancel dismissed", "wait monthly_quota", "fail no_address",
        ])
    #expect(text.output.contains("webhook 127.0.0.1"), "\(text.output)")
    #expect(text.output.contains("monthly_quota"), "\(text.output)")

    let real = try await CommandRun.vigil(
      "dispatch", "--providers", "providers.json", "--once", in: folder)
    #expect(real.status == 0, "\(real.errors)")
    let ended = try folder.database.rows(
      "SELECT id, status, status_reason, last_error, fencing_token FROM notification_queue")
    for notification in output.channels.flatMap(\.notifications) {
      let row = try #require(ended.first { $0.hasPrefix(notification.id) })
        .split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      switch notification.decision {
      case "send": #expect(row[1] == "sent", "\(row)")
      case "cancel": #expect(row[1...2] == ["cancelled", notification.reason ?? ""], "\(row)")
      case "wait": #expect(row[1...2] == ["pending", notification.reason ?? ""], "\(row)")
      default: #expect((row[1], row[3]) == ("failed", notification.reason ?? ""), "\(row)")
      }
    }
    // Rows that the dry run does not name are not touched: another sender's, and one that is not due.
    let named = Set(output.channels.flatMap(\.notifications).map(\.id))
    #expect(named.count == 15)
    let others = ended.filter { row in !named.contains { row.hasPrefix($0) } }
    #expect(others.allSatisfy { $0.contains("|pending||") || $0.contains("|processing||") })
  }

  @Test(arguments: DatabaseKind.allCases)
  func namesWhenQuietHoursEnd(kind: DatabaseKind) async throws {
    let server = try ProviderServer()
    let folder = try folder(kind, server)
    try folder.database.execute(
      "UPDATE user_profiles SET quiet_hours_start = '09:00', quiet_hours_end = '12:30'")
    let dry = try await CommandRun.vigil(
      "dispatch", "--providers", "providers.json", "--dry-run", in: folder)
    #expect(dry.output.contains("quiet_hours"), "\(dry.output)")
    #expect(dry.output.contains("2026-07-01 12:30 UTC"), "\(dry.output)")
    #expect(try folder.database.count("sms_log") == 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func queueShowsTheSender(kind: DatabaseKind) async throws {
    let folder = try folder(kind, ProviderServer())
    func show(_ condition: String, _ format: String = "text") async throws -> String {
      let id = try #require(
        try folder.database.rows("SELECT id FROM notification_queue WHERE \(condition)").first)
      let run = try await CommandRun.vigil("queue", "show", id, "--format", format, in: folder)
      #expect(run.status == 0, "\(run.errors)")
      return run.output
    }
    let busy = try await show("lease_owner = 'busy:1:push'")
    #expect(busy.contains("busy:1:push") && busy.contains("2026-07-01T23:00:00"), "\(busy)")
    #expect(busy.contains("1 time\n"), "\(busy)")
    let waiting = try await show("next_attempt_at IS NOT NULL AND channel = 'sms'")
    #expect(waiting.contains("2026-07-01T20:00:00"), "\(waiting)")
    let json = try await show("lease_owner = 'busy:1:push'", "json")
    #expect(json.contains(#""lease_owner" : "busy:1:push""#), "\(json)")
    #expect(json.contains(#""fencing_token" : 1"#), "\(json)")
  }
}

import Foundation
import Logging
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage
import VigilTransfers

@testable import VigilDispatch

/// Telephone calls on real databases, with a real server as provider.
@Suite("The queue worker: telephone calls")
struct CallDispatchTests {
  private static let noon = Timestamp(microseconds: 1_782_907_200_000_000)

  /// A critical row for person 1 about person 2, of which person 1 is called.
  private func database(
    _ kind: DatabaseKind, in folder: TemporaryDirectory
  ) throws -> TestDatabase {
    let database = try kind.makeMigratedDatabase(in: folder.path)
    var queued = QueuedPeople(2, dueAt: Self.noon)
    queued.channels = ["call"]
    queued.priority = "critical"
    queued.recipient = 1
    try database.fill(queued)
    try database.letPersonOneReceiveMessages(about: 2)
    try database.execute(
      """
      DELETE FROM notification_queue WHERE member_user_id = '\(QueuedPeople.person(1))';
      UPDATE user_profiles SET notify_call = (1 = 1);
      INSERT INTO contact_points (user_id, channel, address, verified_at)
      VALUES ('\(QueuedPeople.person(1))', 'call', '+34600000000', '\(Self.noon)');
      INSERT INTO escalation_log (
        id, patient_id, caregiver_id, escalation_type, related_blob_id, triggered_at, created_at,
        expires_at, level
      ) VALUES (
        '\(QueuedPeople.alert(9))', '\(QueuedPeople.person(2))', '\(QueuedPeople.person(1))',
        'pattern_anomaly', '\(QueuedPeople.alert(2))', '\(Self.noon)', '\(Self.noon)',
        '\(Self.noon.adding(seconds: 14_400))', 7
      )
      """)
    return database
  }

  private func send(
    _ database: TestDatabase, to path: String, of server: ProviderServer, seconds: Int64 = 0
  ) async throws {
    let now = Self.noon.adding(seconds: seconds)
    let settings = ChannelSettings(
      channel: .call, timeout: path == "hang" ? .milliseconds(500) : .seconds(20),
      needsAddress: true)
    let client = TransferClient()
    let provider = WebhookProvider(
      client: client, url: server.url(path),
      signature: WebhookSignature(secret: Data("0123456789abcdef".utf8)), timeout: settings.timeout,
      now: { now })
    let dispatcher = Dispatcher(
      channels: [(settings, provider)], storage: try database.open(), zones: .system,
      messages: try MessageCatalog(), owner: "test", isOnce: true, now: { now },
      isStopping: { false },
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    try await dispatcher.run()
    await client.close()
  }

  private func state(_ database: TestDatabase) throws -> [String] {
    try database.rows(
      "SELECT status, coalesce(status_reason, last_error, '-'), attempts FROM notification_queue")
  }

  @Test(
    "a call speaks the text, to a number, and says nothing about health",
    arguments: DatabaseKind.allCases)
  func call(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, in: folder)
      let server = try ProviderServer()
      try await send(database, to: "ok", of: server)
      #expect(try state(database) == ["sent|-|1"])
      let request = try #require(try server.requests().first)
      #expect(request.headers["vigil-signature"]?.hasPrefix("v1=") == true)
      let body = try #require(
        try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any])
      #expect(body["payload"] as? [String: String] == ["detail": "reference"])
      #expect((body["message"] as? [String: String])?["text"]?.hasPrefix("Hello.") == true)
      #expect(
        (body["addresses"] as? [[String: String]])?.first == ["address": "+34600000000"])
      for word in ["steps", "deviation", "36"] { #expect(!request.body.contains(word)) }
      // It is no text message.
      #expect(try database.count("sms_log") == 0)
    }
  }

  @Test(
    "a call that may have been made is not made again for five minutes, and not after an answer",
    arguments: DatabaseKind.allCases, ["reset", "hang"])
  func uncertain(kind: DatabaseKind, path: String) async throws {
    for isAnswered in [false, true] {
      try await TemporaryDirectory.with { folder in
        let database = try database(kind, in: folder)
        let server = try ProviderServer()
        try await send(database, to: path, of: server)
        try await send(database, to: "ok", of: server, seconds: 299)
        #expect(try server.requests().count == 1)
        if isAnswered {
          try database.execute(
            "UPDATE escalation_log SET status = 'acknowledged', acknowledged_at = triggered_at")
        }
        try await send(database, to: "ok", of: server, seconds: 301)
        #expect(
          try state(database) == [
            isAnswered
              ? "cancelled|resolved|1"
              : "sent|\(path == "hang" ? "timeout" : "connection_closed")|2"
          ])
        let keys = try server.requests().map(\.key)
        #expect(Set(keys).count == 1 && keys.count == (isAnswered ? 1 : 2))
      }
    }
  }

  @Test(
    "a call of a sender that was killed waits for five minutes, too",
    arguments: DatabaseKind.allCases)
  func killed(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, in: folder)
      let storage = try database.open()
      let claimed = try storage.claim(
        DispatchClaim(
          channel: .call, owner: "killed", limit: 9, leaseUntil: Self.noon.adding(seconds: 60)),
        at: Self.noon)
      #expect(claimed.count == 1)
      let server = try ProviderServer()
      for seconds: Int64 in [70, 350] {
        try await send(database, to: "ok", of: server, seconds: seconds)
        #expect(try server.requests().isEmpty)
      }
      try await send(database, to: "ok", of: server, seconds: 400)
      #expect(try server.requests().count == 1)
    }
  }

  @Test("what a provider has refused or not got is tried again as ever")
  func failed() async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(.sqlite, in: folder)
      let server = try ProviderServer()
      try await send(database, to: "500", of: server)
      try await send(database, to: "ok", of: server, seconds: 61)
      #expect(try state(database) == ["sent|http_500|2"])
    }
  }

  @Test("a redirection is not followed: none may send the call elsewhere")
  func redirected() async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(.sqlite, in: folder)
      let server = try ProviderServer()
      try await send(database, to: "302", of: server)
      #expect(try state(database) == ["failed|http_302|1"])
      #expect(try server.requests().map(\.answer) == ["302"])
    }
  }
}

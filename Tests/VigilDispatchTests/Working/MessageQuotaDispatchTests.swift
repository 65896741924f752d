import Foundation
import Logging
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage
import VigilTransfers

@testable import VigilDispatch

/// Senders of text messages on real databases, with a real server as provider.
@Suite("The queue worker: text messages and their quota")
struct MessageQuotaDispatchTests {
  private static let noon = Timestamp(microseconds: 1_782_907_200_000_000)

  /// A database with text messages to person 1 about `people` persons of their family, due at noon.
  private func database(
    _ kind: DatabaseKind, _ people: Int, in folder: TemporaryDirectory,
    for seconds: Int64 = 24 * 3600
  ) throws -> TestDatabase {
    let database = try kind.makeMigratedDatabase(in: folder.path)
    var queued = QueuedPeople(people, dueAt: Self.noon)
    queued.channels = ["sms"]
    queued.recipient = 1
    queued.expiresAt = Self.noon.adding(seconds: seconds)
    try database.fill(queued)
    try database.letPersonOneReceiveMessages(about: people)
    return database
  }

  private func send(
    _ database: TestDatabase, to path: String = "ok", of server: ProviderServer, quota: Int?,
    at now: Timestamp = noon, dispatchers: Int = 1
  ) async throws -> DispatchTally {
    let settings = ChannelSettings(
      channel: .sms, timeout: .seconds(20), perRecipientAndMonth: quota)
    let client = TransferClient()
    let provider = WebhookProvider(
      client: client, url: server.url(path), signature: nil, timeout: settings.timeout, now: { now }
    )
    let tally = try await withThrowingTaskGroup(of: DispatchTally.self) { group in
      for number in 1...dispatchers {
        let dispatcher = Dispatcher(
          channels: [(settings, provider)], storage: try database.open(), zones: .system,
          messages: try MessageCatalog(), owner: "test\(number)", isOnce: true, now: { now },
          isStopping: { false },
          logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        group.addTask {
          try await dispatcher.run()
          return dispatcher.tallies[.sms] ?? DispatchTally()
        }
      }
      return try await group.reduce(into: DispatchTally()) { $0 += $1 }
    }
    await client.close()
    return tally
  }

  private func states(_ database: TestDatabase, _ table: String = "notification_queue") throws
    -> [String]
  {
    // A warning of the quota is no text message.
    let condition = table == "notification_queue" ? "WHERE channel = 'sms'" : ""
    return try database.rows(
      "SELECT status, count(*) FROM \(table) \(condition) GROUP BY 1 ORDER BY 1")
  }

  @Test(
    "messages are sent up to the quota, by several dispatchers at once",
    arguments: DatabaseKind.allCases)
  func several(kind: DatabaseKind) async throws {
    for _ in 1...Repetitions.count(fast: 2, long: 20) {
      try await TemporaryDirectory.with { folder in
        let database = try database(kind, 60, in: folder)
        let server = try ProviderServer()
        _ = try await send(database, of: server, quota: 7, dispatchers: 4)
        // Who had to wait for what was under way knows more a minute later.
        let tally = try await send(
          database, of: server, quota: 7, at: Self.noon.adding(seconds: 61))
        #expect(tally.sent == 0)
        #expect(try server.requests().count == 7)
        #expect(try states(database) == ["cancelled|53", "sent|7"])
        #expect(try states(database, "sms_log") == ["sent|7"])
        #expect(
          try database.rows(
            "SELECT DISTINCT status_reason FROM notification_queue WHERE status = 'cancelled'")
            == ["monthly_quota"])
      }
    }
  }

  @Test("critical messages come through, and count", arguments: DatabaseKind.allCases)
  func critical(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 5, in: folder)
      try database.execute(
        """
        UPDATE notification_queue SET priority = 'critical'
        WHERE member_user_id IN ('\(QueuedPeople.person(2))', '\(QueuedPeople.person(3))')
        """)
      let server = try ProviderServer()
      #expect(try await send(database, of: server, quota: 1).sent == 2)
      #expect(Set(try server.requests().map(\.key)) == ["2:sms", "3:sms"])
      #expect(
        try await send(database, of: server, quota: 1, at: Self.noon.adding(seconds: 60)).sent == 0)
      #expect(try states(database) == ["cancelled|3", "sent|2"])
    }
  }

  @Test("a month later there is room again", arguments: DatabaseKind.allCases)
  func nextMonth(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 5, in: folder, for: 60 * 24 * 3600)
      let server = try ProviderServer()
      #expect(try await send(database, of: server, quota: 2).sent == 2)
      #expect(
        try await send(database, of: server, quota: 2, at: Self.noon.adding(seconds: 60)).sent == 0)
      let next = try #require(Timestamp("2026-08-01T00:00:00Z"))
      #expect(
        try database.rows(
          "SELECT DISTINCT status_reason, next_attempt_at FROM notification_queue WHERE status = 'pending' AND channel = 'sms'"
        ) == ["monthly_quota|\(next)"])
      // The night of 1 August is quiet.
      #expect(
        try await send(database, of: server, quota: 2, at: next.adding(seconds: -1)).sent == 0)
      #expect(
        try await send(database, of: server, quota: 2, at: next.adding(seconds: 8 * 3600)).sent == 2
      )
      #expect(
        try database.rows("SELECT month, count(*) FROM sms_log GROUP BY 1 ORDER BY 1")
          == ["2026-07-01|2", "2026-08-01|2"])
    }
  }

  @Test(
    "what a provider refuses leaves its place; what may have been sent keeps it",
    arguments: DatabaseKind.allCases, [("400", "not_sent", 2), ("reset", "unknown", 1)])
  func ends(kind: DatabaseKind, end: (path: String, status: String, sent: Int)) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 4, in: folder)
      try database.execute(
        "UPDATE notification_queue SET next_attempt_at = '\(Self.noon.adding(seconds: 60))' WHERE member_user_id <> '\(QueuedPeople.person(1))'"
      )
      let server = try ProviderServer()
      #expect(try await send(database, to: end.path, of: server, quota: 2).sent == 0)
      #expect(try states(database, "sms_log") == ["\(end.status)|1"])
      try database.execute(
        "UPDATE notification_queue SET status = 'cancelled', next_attempt_at = NULL WHERE status = 'pending' AND attempts > 0"
      )
      let later = Self.noon.adding(seconds: 60)
      #expect(try await send(database, of: server, quota: 2, at: later).sent == end.sent)
    }
  }

  @Test("without a quota all are sent and logged", arguments: DatabaseKind.allCases)
  func noQuota(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 6, in: folder)
      #expect(try await send(database, of: ProviderServer(), quota: nil).sent == 6)
      #expect(try states(database, "sms_log") == ["sent|6"])
    }
  }
}

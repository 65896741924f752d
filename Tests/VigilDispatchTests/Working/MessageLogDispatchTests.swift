import Foundation
import Logging
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage
import VigilTransfers

@testable import VigilDispatch

/// The log of text messages, and the warning of a quota; on real databases, with a real server as provider.
@Suite("The queue worker: the log of text messages")
struct MessageLogDispatchTests {
  private static let noon = Timestamp(microseconds: 1_782_907_200_000_000)
  private static let number = "+34600000000"
  private static let key = NumberKey(secret: Data("0123456789abcdef".utf8))

  private func database(
    _ kind: DatabaseKind, _ people: Int, in folder: TemporaryDirectory
  ) throws -> TestDatabase {
    let database = try kind.makeMigratedDatabase(in: folder.path)
    var queued = QueuedPeople(people, dueAt: Self.noon)
    queued.channels = ["sms"]
    queued.recipient = 1
    try database.fill(queued)
    try database.letPersonOneReceiveMessages(about: people)
    try database.execute(
      """
      INSERT INTO contact_points (user_id, channel, address, verified_at)
      VALUES ('\(QueuedPeople.person(1))', 'sms', '\(Self.number)', '\(Self.noon)')
      """)
    return database
  }

  private func send(
    _ database: TestDatabase, to path: String, of server: ProviderServer, quota: Int? = nil,
    dispatchers: Int = 1, at now: Timestamp = noon
  ) async throws {
    var settings = ChannelSettings(
      channel: .sms, timeout: .seconds(20), needsAddress: true, perRecipientAndMonth: quota)
    settings.numberKey = Self.key
    settings.messagePrice = MessageCost(micros: 70_000, currency: "EUR")
    let client = TransferClient()
    let provider = WebhookProvider(
      client: client, url: server.url(path), signature: nil, timeout: settings.timeout, now: { now }
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...dispatchers {
        let dispatcher = Dispatcher(
          channels: [(settings, provider)], storage: try database.open(), zones: .system,
          messages: try MessageCatalog(), owner: "test\(number)", isOnce: true, now: { now },
          isStopping: { false },
          logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        group.addTask { try await dispatcher.run() }
      }
      try await group.waitForAll()
    }
    await client.close()
  }

  private func logged(_ database: TestDatabase) throws -> [String] {
    try database.rows(
      """
      SELECT sms_type, segments, cost_micros, currency, status, delivery_status,
        coalesce(substr(provider_message_id, 1, 2), '-')
      FROM sms_log
      """)
  }

  @Test(
    "the provider's answer is kept, and nothing that names the number",
    arguments: DatabaseKind.allCases)
  func receipt(kind: DatabaseKind) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 1, in: folder)
      let server = try ProviderServer()
      try await send(database, to: "receipt", of: server)
      #expect(try logged(database) == ["alert|3|240000|EUR|sent|sent|SM"])
      let digest = try #require(Self.key).digest(of: Self.number)
      #expect(try database.rows("SELECT number_digest FROM sms_log") == [digest])
      let row = try database.rows("SELECT * FROM sms_log").joined()
      #expect(!row.contains("600000000"))
      #expect(try server.requests().first?.body.contains(Self.number) == true)
    }
  }

  @Test(
    "without an answer about it, Vigil counts the parts and their price",
    arguments: DatabaseKind.allCases,
    [
      ("ok", "sent|sent|-"), ("half", "sent|sent|-"), ("400", "not_sent|failed|-"),
      ("reset", "unknown|queued|-"),
    ])
  func counted(kind: DatabaseKind, end: (path: String, states: String)) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try database(kind, 1, in: folder)
      let server = try ProviderServer()
      try await send(database, to: end.path, of: server)
      struct Body: Decodable {
        struct Words: Decodable { var text: String }
        var message: Words
      }
      let body = try #require(try server.requests().first?.body)
      let text = try JSONDecoder().decode(Body.self, from: Data(body.utf8)).message.text
      let parts = MessageSegments.count(of: text)
      #expect(try logged(database) == ["alert|\(parts)|\(70_000 * parts)|EUR|\(end.states)"])
    }
  }

  @Test(
    "who has had most of a month's messages is warned once, by several senders at once",
    arguments: DatabaseKind.allCases)
  func warning(kind: DatabaseKind) async throws {
    for _ in 1...Repetitions.count(fast: 2, long: 20) {
      try await TemporaryDirectory.with { folder in
        let database = try database(kind, 20, in: folder)
        let server = try ProviderServer()
        let warnings =
          "SELECT channel, status FROM notification_queue WHERE notification_type = 'quota_warning' ORDER BY 1"
        // A sender looks for prompts when it begins: before the messages, or after those of a faster one.
        try await send(database, to: "receipt", of: server, quota: 5, dispatchers: 3)
        for _ in 1...2 {
          try await send(
            database, to: "receipt", of: server, quota: 5, dispatchers: 3,
            at: Self.noon.adding(seconds: 61))
        }
        #expect(try database.rows(warnings) == ["email|pending", "in_app|pending"])
        #expect(try database.rows("SELECT per_month, warning_percent FROM sms_quota") == ["5|80"])
        #expect(try server.requests().count == 5)
        try await send(database, to: "receipt", of: server, at: Self.noon.adding(seconds: 62))
        #expect(try database.count("sms_quota") == 0)
      }
    }
  }

  @Test(
    "an answer of another form says nothing, and puts no words into the log",
    arguments: [
      ("", nil), ("ok", nil), ("[]", nil), ("{}", nil), (#"{"id": ""}"#, nil),
      (#"{"id": "sent to Anna"}"#, nil), (#"{"id": "+34600000000"}"#, nil),
      (#"{"id": "x-34600000000"}"#, nil), (#"{"id": "a'; DROP TABLE sms_log; --"}"#, nil),
      (#"{"id": "SM1", "segments": "2", "cost": "free"}"#, MessageReceipt(id: "SM1")),
      (#"{"id": 4711, "segments": 0}"#, MessageReceipt(id: "4711")),
      (#"{"segments": 2, "cost": 1}"#, MessageReceipt(segments: 2)),
      (#"{"segments": 2, "cost": -1, "currency": "EUR"}"#, MessageReceipt(segments: 2)),
      (#"{"segments": 2, "cost": 1e300, "currency": "EUR"}"#, MessageReceipt(segments: 2)),
      (#"{"segments": 2, "cost": 1, "currency": "euro"}"#, MessageReceipt(segments: 2)),
      (
        #"{"id": "SM1", "segments": 2, "cost": 0.158, "currency": "EUR", "to": "+34600000000"}"#,
        MessageReceipt(
          id: "SM1", segments: 2, cost: MessageCost(micros: 158_000, currency: "EUR"))
      ),
    ] as [(String, MessageReceipt?)])
  func answers(text: String, receipt: MessageReceipt?) {
    #expect(MessageReceipt(answer: Data(text.utf8), number: Self.number) == receipt)
  }
}

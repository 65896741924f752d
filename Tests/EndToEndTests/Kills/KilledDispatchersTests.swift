import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// Three dispatchers at once, which are killed at random moments, and so are the provider and the database.
@Suite struct KilledDispatchersTests {
  private struct Fixture {
    let folder: TemporaryFolder
    let provider: ProviderServer
    let rows: Int

    /// - Parameter rows: Due rows, critical ones: those know no quiet hours.
    init(_ folder: TemporaryFolder, rows: Int) throws {
      self.folder = folder
      self.rows = rows
      provider = try ProviderServer()
      var queued = QueuedPeople(rows, dueAt: Timestamp.ofMachine.adding(seconds: -60))
      queued.maxAttempts = 1000
      queued.priority = "critical"
      try folder.database.fill(queued)
      try folder.database.recordQueueChanges()
      let providers = """
        {"channels": {"push": {
          "webhook": {"url": "\(provider.url("mixed"))"}, "timeout_seconds": 1, "lease_seconds": 6,
          "concurrency": 4, "per_second": 20, "retry_first_seconds": 0.05, "retry_longest_seconds": 0.2
        }}, "poll_seconds": 1}
        """
      try Data(providers.utf8).write(to: folder.url.appending(path: "providers.json"))
    }

    func dispatcher() throws -> Process { try folder.startDispatcher(log: log()) }

    private var logURL: URL { folder.url.appending(path: "log") }

    /// A file to which all dispatchers add their words.
    private func log() throws -> FileHandle {
      if !FileManager.default.fileExists(atPath: logURL.path) { try Data().write(to: logURL) }
      let handle = try FileHandle(forWritingTo: logURL)
      try handle.seekToEnd()
      return handle
    }

    /// Returns when the database answers.
    func waitForDatabase() async throws {
      let deadline = Date(timeIntervalSinceNow: 120)
      while (try? folder.database.rows("SELECT 1")) == nil {
        try #require(Date() < deadline, "the database does not come back")
        try await Task.sleep(for: .milliseconds(20))
      }
    }

    /// Returns when all rows are sent.
    func waitUntilSent(_ processes: [Process]) async throws {
      let deadline = Date(timeIntervalSinceNow: 900)
      while true {
        let left = try? folder.database.rows(
          "SELECT count(*) FROM notification_queue WHERE status <> 'sent'")
        if left == ["0"] { return }
        try #require(Date() < deadline, "\(left ?? []) rows are not sent")
        let areRunning = processes.allSatisfy(\.isRunning)
        try #require(
          areRunning,
          "a dispatcher has ended: \((try? String(contentsOf: logURL, encoding: .utf8)) ?? "")")
        try await Task.sleep(for: .milliseconds(200))
      }
    }

    /// Each row was delivered; each delivery but the last of a row has an outcome that was recorded as unknown,
    /// or could not be recorded because its dispatcher, or the database, was killed.
    func check(_ kills: Kills) throws -> DeliveryAccount {
      let requests = try provider.requests()
      let account = DeliveryAccount(
        requests, endings: try folder.database.queueChanges(),
        ids: try folder.database.rows(
          "SELECT dedupe_key, id, fencing_token FROM notification_queue"),
        kills: kills)
      #expect(account.unexplained.isEmpty, "\(account.unexplained.joined(separator: "\n"))")
      #expect(account.delivered == rows)
      let byKey = Dictionary(grouping: requests, by: \.key)
      #expect(byKey.count == rows)
      #expect(byKey.values.allSatisfy { Set($0.map(\.body)).count == 1 })
      return account
    }
  }

  private static func end(_ processes: [Process]) {
    for process in processes { process.terminate() }
    for process in processes {
      process.waitUntilExit()
      // The signal ends one that has just begun, and has taken nothing yet.
      let hasJustBegun =
        process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM
      #expect(
        process.terminationReason == .exit && process.terminationStatus == 0 || hasJustBegun,
        "\(process.terminationReason) \(process.terminationStatus)")
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func undisturbedTheyDeliverEachRowOnce(kind: DatabaseKind) async throws {
    let fixture = try Fixture(TemporaryFolder(kind), rows: 60)
    let processes = try (1...3).map { _ in try fixture.dispatcher() }
    try await fixture.waitUntilSent(processes)
    Self.end(processes)
    let account = try fixture.check(Kills())
    #expect(account.afterKills == 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func killedTheyDeliverEachRow(kind: DatabaseKind) async throws {
    let count = Repetitions.count(fast: 9, long: 300)
    // A server of its own is killed too.
    let server = kind == .postgres ? try PostgresServer.migrated() : nil
    let folder =
      if let server {
        try TemporaryFolder { _ in .postgres(try .migrated(on: server)) }
      } else {
        try TemporaryFolder(kind)
      }
    let fixture = try Fixture(folder, rows: 60 + 15 * count)
    var random = SeededGenerator(seed: 20)
    var processes = try (1...3).map { _ in try fixture.dispatcher() }
    var kills = Kills()
    for number in 1...count {
      try await Task.sleep(for: .seconds(.random(in: 0.02...0.35, using: &random)))
      switch number % 6 {
      case 2:
        kills.provider += 1
        try fixture.provider.restart()
      case 4 where server != nil:
        let start = Date().timeIntervalSince1970
        if Bool.random(using: &random), fixture.folder.database.killSession() {
          try await fixture.waitForDatabase()
        } else {
          try server?.stop(immediately: true)
          try await Task.sleep(for: .seconds(.random(in: 0...0.3, using: &random)))
          try server?.start()
        }
        kills.database.append(start...Date().timeIntervalSince1970)
      default:
        let victim = Int.random(in: 0..<3, using: &random)
        let process = processes[victim]
        kills.dispatchers.insert(Int(process.processIdentifier))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        processes[victim] = try fixture.dispatcher()
      }
    }
    try await fixture.waitUntilSent(processes)
    Self.end(processes)
    let account = try fixture.check(kills)
    print(
      "\(kind): \(kills.dispatchers.count) dispatchers, \(kills.provider) providers and"
        + " \(kills.database.count) databases killed; of \(fixture.rows) rows, deliveries that were"
        + " repeated: \(account.afterUnknown) after an unknown answer, \(account.afterKills) after a kill"
    )
  }
}

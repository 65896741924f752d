import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// Three dispatchers at once, which are killed at random moments, and so are the provider and the database.
@Suite struct KilledDispatchersTests {
  /// An end of a process in the middle of its work, in seconds since 1970.
  private typealias Kill = (at: Double, of: String)

  private struct Fixture {
    let folder: TemporaryFolder
    let provider = try? ProviderServer()
    let rows: Int

    init(_ folder: TemporaryFolder, rows: Int) throws {
      self.folder = folder
      self.rows = rows
      var queued = QueuedPeople(rows, dueAt: TestClock.now.adding(seconds: -60))
      queued.maxAttempts = 1000
      try folder.database.fill(queued)
      let url = try #require(provider).url("mixed")
      let providers = """
        {"channels": {"push": {
          "webhook": {"url": "\(url)"}, "timeout_seconds": 1, "lease_seconds": 6, "concurrency": 4,
          "per_second": 25, "retry_first_seconds": 0.05, "retry_longest_seconds": 0.2
        }}, "poll_seconds": 1}
        """
      try Data(providers.utf8).write(to: folder.url.appending(path: "providers.json"))
    }

    func dispatcher() throws -> Process {
      let process = Process()
      process.executableURL = try BuiltExecutable.url("vigil")
      process.arguments = [
        "dispatch", "--providers", "providers.json", "--now", TestClock.now.description, "--quiet",
      ]
      process.currentDirectoryURL = folder.url
      process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.url.path]
        .merging(folder.database.environment) { $1 }
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }

    /// Blocks until all rows are sent.
    func waitUntilSent(_ processes: [Process]) throws {
      let deadline = Date(timeIntervalSinceNow: 180)
      while true {
        let left = try? folder.database.rows(
          "SELECT count(*) FROM notification_queue WHERE status <> 'sent'")
        if left == ["0"] { return }
        try #require(Date() < deadline, "\(left ?? []) rows are not sent")
        let areRunning = processes.allSatisfy(\.isRunning)
        try #require(areRunning, "a dispatcher has ended")
        Thread.sleep(forTimeInterval: 0.05)
      }
    }

    /// Every row was accepted; more than once only where a kill, or a late answer, hid the outcome.
    ///
    /// - Returns: The number of repeated deliveries.
    func check(_ kills: [Kill]) throws -> Int {
      let requests = try #require(provider).requests()
      let accepted = Dictionary(grouping: requests.filter(\.isAccepted), by: \.key)
      #expect(accepted.count == rows)
      var repeated = 0
      for (key, requests) in accepted where requests.count > 1 {
        for (first, second) in zip(requests, requests.dropFirst()) {
          repeated += 1
          // An answer that comes after the timeout of a second is one that the sender does not see.
          let isLate = second.time - first.time >= 1
          let isKilled = kills.contains {
            (first.time - 0.5...second.time).contains($0.at) && $0.at < first.time + 5
          }
          #expect(
            isLate || isKilled, "\(key) was accepted at \(first.time) and \(second.time)")
        }
        #expect(Set(requests.map(\.body)).count == 1)
      }
      return repeated
    }
  }

  private static func end(_ processes: [Process]) {
    for process in processes { process.terminate() }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
  }

  private static func onOwnThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func undisturbedTheyDeliverEachRowOnce(kind: DatabaseKind) async throws {
    try await Self.onOwnThread {
      let fixture = try Fixture(TemporaryFolder(kind), rows: 60)
      let processes = try (1...3).map { _ in try fixture.dispatcher() }
      try fixture.waitUntilSent(processes)
      Self.end(processes)
      _ = try fixture.check([])
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func killedTheyDeliverEachRow(kind: DatabaseKind) async throws {
    try await Self.onOwnThread {
      let count = Repetitions.count(fast: 6, long: 150)
      let fixture = try Fixture(TemporaryFolder(kind), rows: 60 + 12 * count)
      var random = SeededGenerator(seed: 20)
      var processes = try (1...3).map { _ in try fixture.dispatcher() }
      var kills: [Kill] = []
      for number in 1...count {
        Thread.sleep(forTimeInterval: .random(in: 0.02...0.35, using: &random))
        if number % 6 == 0 {
          kills.append((Date().timeIntervalSince1970, "provider"))
          try fixture.provider?.restart()
          continue
        }
        let victim = Int.random(in: 0..<3, using: &random)
        kills.append((Date().timeIntervalSince1970, "dispatcher"))
        kill(processes[victim].processIdentifier, SIGKILL)
        processes[victim].waitUntilExit()
        processes[victim] = try fixture.dispatcher()
      }
      try fixture.waitUntilSent(processes)
      Self.end(processes)
      let repeated = try fixture.check(kills)
      print("\(kind): \(kills.count) kills, \(repeated) of \(fixture.rows) rows delivered again")
    }
  }

  @Test func withADatabaseThatIsKilledTheyDeliverEachRow() async throws {
    try await Self.onOwnThread {
      let server = try PostgresServer()
      let count = Repetitions.count(fast: 2, long: 20)
      let fixture = try Fixture(
        TemporaryFolder { _ in .postgres(try PostgresSchema(on: server)) }, rows: 80 + 40 * count)
      var random = SeededGenerator(seed: 21)
      let processes = try (1...3).map { _ in try fixture.dispatcher() }
      var kills: [Kill] = []
      for _ in 1...count {
        Thread.sleep(forTimeInterval: .random(in: 0.2...0.8, using: &random))
        kills.append((Date().timeIntervalSince1970, "database"))
        try server.stop(immediately: true)
        Thread.sleep(forTimeInterval: .random(in: 0...0.3, using: &random))
        try server.start()
        kills.append((Date().timeIntervalSince1970, "database"))
      }
      try fixture.waitUntilSent(processes)
      Self.end(processes)
      let repeated = try fixture.check(kills)
      print("\(count) kills of the database, \(repeated) of \(fixture.rows) rows delivered again")
    }
  }
}

import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// The quota of text messages with three dispatchers at once, which are killed at random moments.
@Suite struct KilledQuotaTests {
  private static let quota = 8

  private func folder(_ kind: DatabaseKind, _ provider: ProviderServer) throws -> TemporaryFolder {
    let folder = try TemporaryFolder.migrated(kind)
    var queued = QueuedPeople(60, dueAt: Timestamp.ofMachine.adding(seconds: -60))
    queued.channels = ["sms"]
    queued.recipient = 1
    queued.maxAttempts = 1000
    try folder.database.fill(queued)
    try folder.database.letPersonOneReceiveMessages(about: 60)
    // No hour of the day is quiet.
    try folder.database.execute(
      "UPDATE user_profiles SET quiet_hours_start = '00:00', quiet_hours_end = '00:00'")
    try folder.write(
      """
      {"channels": {"sms": {
        "webhook": {"url": "\(provider.url("mixed"))"}, "timeout_seconds": 1, "lease_seconds": 6,
        "concurrency": 4, "per_second": 10, "retry_first_seconds": 0.05, "retry_longest_seconds": 0.2,
        "per_recipient_and_month": \(Self.quota)
      }}, "poll_seconds": 1}
      """, to: "providers.json")
    return folder
  }

  @Test(arguments: DatabaseKind.allCases)
  func holds(kind: DatabaseKind) async throws {
    let provider = try ProviderServer()
    let folder = try folder(kind, provider)
    var random = SeededGenerator(seed: 21)
    var processes = try (1...3).map { _ in try folder.startDispatcher() }
    for _ in 1...Repetitions.count(fast: 9, long: 100) {
      try await Task.sleep(for: .seconds(.random(in: 0.02...0.3, using: &random)))
      let victim = Int.random(in: 0..<3, using: &random)
      kill(processes[victim].processIdentifier, SIGKILL)
      processes[victim].waitUntilExit()
      processes[victim] = try folder.startDispatcher()
    }
    // Rows end, or wait for what is under way or the next month.
    let deadline = Date(timeIntervalSinceNow: 300)
    while true {
      let left = try folder.database.rows(
        """
        SELECT count(*) FROM notification_queue
        WHERE channel = 'sms' AND (
          status = 'processing' OR status = 'pending' AND coalesce(status_reason, '') <> 'monthly_quota'
        )
        """)
      if left == ["0"] { break }
      try #require(Date() < deadline, "\(left) rows are not decided")
      try await Task.sleep(for: .milliseconds(200))
    }
    for process in processes {
      process.terminate()
      process.waitUntilExit()
    }
    let delivered = Set(try provider.requests().filter(\.mayBeDelivered).map(\.key))
    // Two, where a month has ended meanwhile.
    let months = try folder.database.rows("SELECT DISTINCT month FROM sms_log").count
    #expect(delivered.count >= Self.quota && delivered.count <= Self.quota * months)
    let sent = try folder.database.rows(
      "SELECT count(*) FROM notification_queue WHERE status = 'sent'")
    #expect(sent == ["\(delivered.count)"])
  }
}

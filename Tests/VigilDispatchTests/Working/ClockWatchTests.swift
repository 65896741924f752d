import Foundation
import InMemoryLogging
import Logging
import Synchronization
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage
import VigilTransfers

@testable import VigilDispatch

@Suite struct ClockWatchTests {
  private static let noon = Timestamp(microseconds: 1_782_907_200_000_000)

  @Test(
    "a step is what the clock shows more or less than has passed",
    arguments: [
      (1, 1, nil), (61, 1, nil), (62, 1, 61), (-5399, 1, -5400), (300, 300, nil),
      (400_000_000, 1, 399_999_999),
    ] as [(Int64, Int64, Double?)])
  func step(shown: Int64, passed: Int64, expected: Double?) {
    let start = ContinuousClock.now
    var watch = ClockWatch(wall: Self.noon, instant: start)
    let (wall, instant) = (Self.noon.adding(seconds: shown), start + .seconds(passed))
    #expect(watch.step(wall: wall, instant: instant) == expected)
    // Once only.
    #expect(watch.step(wall: wall, instant: instant) == nil)
  }

  @Test("a clock that is brought right bit by bit takes no step")
  func slew() {
    let start = ContinuousClock.now
    var watch = ClockWatch(wall: Self.noon, instant: start)
    for second in 1...200 {
      let wall = Self.noon.adding(seconds: Int64(second * 2))
      #expect(watch.step(wall: wall, instant: start + .seconds(second)) == nil)
    }
  }

  /// The queue is looked at each hour only, so that the rows are found because the clock was set, or not at all.
  @Test("a sender whose clock is set looks for rows that are due by it", arguments: [-5400, 5400])
  func sender(seconds: Int64) async throws {
    try await TemporaryDirectory.with { folder in
      let database = try DatabaseKind.sqlite.makeDatabase(in: folder.path)
      try database.fill(QueuedPeople(3, dueAt: Self.noon.adding(seconds: -7200)))
      try database.execute(
        "UPDATE notification_queue SET scheduled_for = '\(Self.noon.adding(seconds: 3600))'"
          + " WHERE recipient_user_id = '\(QueuedPeople.person(3))'")
      let server = try ProviderServer()
      let client = TransferClient()
      let shift = Mutex<Int64>(0)
      let begun = ContinuousClock.now
      let clock: @Sendable () -> Timestamp = {
        let passed = Int64((ContinuousClock.now - begun) / .microseconds(1))
        return Timestamp(
          microseconds: Self.noon.microseconds + passed + shift.withLock { $0 } * 1_000_000)
      }
      let isStopping = Mutex(false)
      let log = InMemoryLogHandler()
      let dispatcher = Dispatcher(
        channels: [
          (
            ChannelSettings(channel: .push),
            WebhookProvider(
              client: client, url: server.url("ok"), signature: nil, timeout: .seconds(20),
              now: clock)
          )
        ], storage: try database.open(), zones: .system, messages: try MessageCatalog(),
        owner: "test", isOnce: false, pollSeconds: 3600, now: clock,
        isStopping: { isStopping.withLock { $0 } }, logger: Logger(label: "test") { _ in log })
      async let running: Void = dispatcher.run()
      func wait(for count: Int) async throws {
        for _ in 1...90_000 {
          if try server.requests().count >= count { break }
          try await Task.sleep(for: .milliseconds(20))
        }
        try #require(try server.requests().count == count)
      }
      try await wait(for: 2)
      if seconds < 0 {
        try database.execute(
          "UPDATE notification_queue SET scheduled_for = '\(Self.noon.adding(seconds: -7200))'")
      }
      shift.withLock { $0 = seconds }
      try await wait(for: 3)
      isStopping.withLock { $0 = true }
      try await running
      await client.close()
      #expect(log.entries.contains { "\($0.message)" == "The clock was set" })
    }
  }
}

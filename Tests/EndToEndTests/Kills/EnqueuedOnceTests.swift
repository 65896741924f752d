import Foundation
import TestDatabases
import TestSupport
import Testing

/// However often, and at whatever moments, a live day is run: everything is enqueued once.
@Suite struct EnqueuedOnceTests {
  private static let night = ["run", "--date", "2026-06-30", "--live"]

  /// A database whose queue is watched, and what one undisturbed run enqueues.
  private struct Prepared {
    let imported: TemporaryFolder
    let expected: [String]

    init(_ kind: DatabaseKind) async throws {
      imported = try SampleDatabase.imported(kind)
      let undisturbed = try imported.watchedCopy()
      let run = try await CommandRun.vigil(arguments: night, in: undisturbed)
      try #require(run.status == 0, "\(run.errors)")
      expected = try undisturbed.database.everEnqueued()
      try #require(expected.count > 5 && Set(expected).count == expected.count)
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func tenMoreRunsEnqueueNothing(kind: DatabaseKind) async throws {
    let prepared = try await Prepared(kind)
    let folder = try prepared.imported.watchedCopy()
    for repetition in 0...10 {
      let run = try await CommandRun.vigil(arguments: Self.night, in: folder)
      #expect(run.status == 0, "\(run.errors)")
      // What was sent may be deleted from the queue.
      if repetition == 5 { try folder.database.execute("DELETE FROM notification_queue") }
    }
    #expect(try folder.database.everEnqueued() == prepared.expected)
    #expect(
      try folder.database.rows("SELECT DISTINCT status FROM batch_runs") == ["succeeded"])
  }

  @Test(
    arguments: DatabaseKind.allCases,
    [[[], []], [["--shard", "1/2"], ["--shard", "2/2"], ["--shard", "1/2"]]])
  func runsThatAreStartedTogetherEnqueueOnce(
    kind: DatabaseKind, commands: [[String]]
  ) async throws {
    let prepared = try await Prepared(kind)
    for repetition in 1...Repetitions.count(fast: 2, long: 10) {
      let folder = try prepared.imported.watchedCopy()
      let runs = try await withThrowingTaskGroup(of: (Int, CommandRun).self) { group in
        for (index, flags) in commands.enumerated() {
          group.addTask {
            (index, try await CommandRun.vigil(arguments: Self.night + flags, in: folder))
          }
        }
        return try await group.reduce(into: [Int: CommandRun]()) { $0[$1.0] = $1.1 }
      }
      for (index, flags) in commands.enumerated() {
        let run = try #require(runs[index])
        #expect([0, 75].contains(run.status), "\(repetition): \(flags) \(run.errors)")
        // Who is alone in doing its part is not refused.
        if commands.count(where: { $0 == flags }) == 1 { #expect(run.status == 0) }
      }
      for flags in Set(commands) {
        let did = commands.indices.filter { commands[$0] == flags && runs[$0]?.status == 0 }
        #expect(!did.isEmpty, "\(repetition): \(flags)")
      }
      #expect(try folder.database.everEnqueued() == prepared.expected, "\(repetition)")
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func liveRunThatIsKilledAtAnyMomentEnqueuesOnce(kind: DatabaseKind) async throws {
    let prepared = try await Prepared(kind)
    var random = SeededGenerator(seed: 5)
    for moment in 1...Repetitions.count(fast: 3, long: 25) {
      let folder = try prepared.imported.watchedCopy()
      let database = folder.database
      let isHolding = random.chance(0.5)
      let delay = Double.random(in: 0...(isHolding ? 0.01 : 0.1), using: &random)
      let run = try await CommandRun.vigil(
        arguments: Self.night, in: folder,
        whileRunning: { process in
          let awaited = isHolding ? "held_notifications" : "batch_runs"
          while process.isRunning, (try? database.count(awaited)) ?? 0 == 0 {
            Thread.sleep(forTimeInterval: 0.001)
          }
          Thread.sleep(forTimeInterval: delay)
          kill(process.processIdentifier, SIGKILL)
        })
      #expect([0, SIGKILL].contains(run.status), "\(moment): \(run.errors)")
      for _ in 1...2 {
        let again = try await CommandRun.vigil(arguments: Self.night, in: folder)
        #expect(again.status == 0, "\(moment): \(again.errors)")
        #expect(try database.everEnqueued() == prepared.expected, "\(moment)")
      }
    }
  }
}

extension TemporaryFolder {
  /// Another folder, with a copy of the database that lists what enters the queue.
  fileprivate func watchedCopy() throws -> TemporaryFolder {
    let copy = try copyOfDatabase()
    try copy.database.logEnqueued()
    return copy
  }
}

import Foundation
import PostgresTestServer
import Synchronization
import TestDatabases
import TestSupport
import Testing

/// Servers and runs that are killed, and two runs at once.
@Suite(.serialized) struct PostgresFaultTests {
  /// So long that each person of the sample is a batch of its own.
  private static let backfill = [
    "backfill", "--from", "1800-01-01", "--to", "2026-06-30", "--only", "patterns",
  ]
  private static let night = ["run", "--date", "2026-06-30", "--live"]

  /// The sample on a server that may be killed.
  private struct Prepared {
    let server: PostgresServer
    let imported: TemporaryFolder

    init() async throws {
      let server = try PostgresServer.migrated()
      self.server = server
      imported = try TemporaryFolder { _ in .postgres(try .migrated(on: server)) }
      try SampleDatabase.importWithoutDoses(into: imported)
    }

    /// The result of an undisturbed run.
    func result(of command: [String]) async throws -> (outcome: [String], record: [String]) {
      let folder = try imported.copyOfDatabase()
      let run = try await CommandRun.vigil(arguments: command, in: folder)
      try #require(run.status == 0, "\(run.errors)")
      return (try folder.database.outcome(), try PostgresFaultTests.records(in: folder))
    }
  }

  /// When to strike; the same moments in every run of the tests.
  private struct Moment: CustomStringConvertible {
    /// After how many batches.
    var batches: Int
    /// The point at which the run is held then; nil to strike at any point.
    var point: BatchGate.Point?
    /// The delay in seconds.
    var delay = 0.0

    var description: String {
      "after \(batches) batches, \(point.map { "\($0)" } ?? "anywhere"), and \(delay) s"
    }

    static func random(seed: Int) -> [Moment] {
      var random = SeededGenerator(seed: seed)
      return (0..<Repetitions.count(fast: 4, long: 12)).map { _ in
        Moment(
          batches: Int.random(in: 0...10, using: &random),
          point: random.pick([nil, .uncommitted, .unacknowledged]),
          delay: Double.random(in: 0...0.03, using: &random))
      }
    }
  }

  /// Runs `command`, and calls `strike` with its process when the moment has come.
  private func run(
    _ command: [String], in folder: TemporaryFolder, environment: [String: String] = [:],
    strikingAt moment: Moment, _ strike: @escaping @Sendable (Process, BatchGate) throws -> Void
  ) async throws -> CommandRun {
    guard case .postgres(let schema) = folder.database else { throw NoSchema() }
    let gate = try BatchGate(in: schema, at: moment.point, afterBatches: moment.batches)
    return try await CommandRun.vigil(
      arguments: command, in: folder, environment: environment,
      whileRunning: { process in
        try gate.waitForRun()
        Thread.sleep(forTimeInterval: moment.delay)
        try strike(process, gate)
      })
  }

  private struct NoSchema: Error {}

  /// The final records of runs, in the order in which they began.
  private static func records(in folder: TemporaryFolder) throws -> [String] {
    try folder.database.rows(
      """
      SELECT status, persons, series, days_evaluated, rows_read, episodes_opened,
        episodes_escalated, episodes_resolved, notifications_enqueued, error IS NULL
      FROM batch_runs ORDER BY started_at
      """)
  }

  // MARK: The server

  @Test func backfillOutlivesAServerThatIsKilledAndComesBack() async throws {
    let prepared = try await Prepared()
    let undisturbed = try await prepared.result(of: Self.backfill)
    for moment in Moment.random(seed: 1) {
      let folder = try prepared.imported.copyOfDatabase()
      let run = try await runWhileServerIsKilled(Self.backfill, at: moment, prepared, in: folder)
      #expect(run.status == 0, "\(moment): \(run.errors)")
      #expect(try folder.database.outcome() == undisturbed.outcome, "\(moment)")
      #expect(try Self.records(in: folder) == undisturbed.record, "\(moment)")
    }
  }

  @Test(arguments: BatchGate.Point.allCases)
  func liveNightEnqueuesOnceThoughItsServerIsKilled(point: BatchGate.Point) async throws {
    let prepared = try await Prepared()
    let undisturbed = try await prepared.result(of: Self.night)
    let folder = try prepared.imported.copyOfDatabase()
    let run = try await runWhileServerIsKilled(
      Self.night, at: Moment(batches: 0, point: point), prepared, in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.database.outcome() == undisturbed.outcome)
    #expect(try Self.records(in: folder) == undisturbed.record)
    #expect(try folder.database.count("notification_queue") > 0)
  }

  private func runWhileServerIsKilled(
    _ command: [String], at moment: Moment, _ prepared: Prepared, in folder: TemporaryFolder
  ) async throws -> CommandRun {
    let server = prepared.server
    return try await run(command, in: folder, strikingAt: moment) { process, _ in
      try server.stop(immediately: true)
      let isStillRunning = process.isRunning
      try server.start()
      // A run that was held cannot have come to an end.
      if moment.point != nil, !isStillRunning { throw EndedTooEarly() }
    }
  }

  private struct EndedTooEarly: Error {}

  @Test func serverThatStaysAwayEndsTheRunAndTheSameCommandCompletesIt() async throws {
    let prepared = try await Prepared()
    let undisturbed = try await prepared.result(of: Self.backfill)
    let folder = try prepared.imported.copyOfDatabase()
    let server = prepared.server
    let run = try await run(
      Self.backfill + ["--quiet"], in: folder, environment: ["VIGIL_DATABASE_RETRY": "0.5"],
      strikingAt: Moment(batches: 4, point: .uncommitted)
    ) { _, _ in try server.stop(immediately: true) }
    run.expectFailure(69, mentioning: "postgres://", "run the same command again")
    try server.start()
    #expect(try Self.records(in: folder).allSatisfy { $0.hasPrefix("running|") })
    let again = try await CommandRun.vigil(arguments: Self.backfill, in: folder)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try folder.database.outcome() == undisturbed.outcome)
    #expect(
      try folder.database.rows("SELECT status FROM batch_runs ORDER BY started_at")
        == ["succeeded"])
  }

  // MARK: The run

  @Test func backfillThatIsKilledIsCompletedByTheSameCommand() async throws {
    let prepared = try await Prepared()
    let undisturbed = try await prepared.result(of: Self.backfill)
    for moment in Moment.random(seed: 2) {
      let folder = try prepared.imported.copyOfDatabase()
      try await runAndKill(Self.backfill, at: moment, in: folder)
      let again = try await CommandRun.vigil(arguments: Self.backfill, in: folder)
      #expect(again.status == 0, "\(moment): \(again.errors)")
      #expect(try folder.database.outcome() == undisturbed.outcome, "\(moment)")
      let statuses = try folder.database.rows("SELECT status FROM batch_runs ORDER BY started_at")
      #expect(
        statuses == ["succeeded"]
          || moment.point == nil && statuses == ["succeeded", "succeeded"], "\(moment)")
    }
  }

  @Test(arguments: BatchGate.Point.allCases)
  func liveNightThatIsKilledEnqueuesNothingTwice(point: BatchGate.Point) async throws {
    let prepared = try await Prepared()
    let undisturbed = try await prepared.result(of: Self.night)
    let folder = try prepared.imported.copyOfDatabase()
    try folder.database.logEnqueued()
    try await runAndKill(Self.night, at: Moment(batches: 0, point: point), in: folder)
    #expect(try folder.database.everEnqueued().isEmpty)
    for _ in 1...2 {
      let again = try await CommandRun.vigil(arguments: Self.night, in: folder)
      #expect(again.status == 0, "\(again.errors)")
      #expect(try folder.database.outcome() == undisturbed.outcome)
      let enqueued = try folder.database.everEnqueued()
      #expect(Set(enqueued).count == enqueued.count)
      #expect(try enqueued.count == folder.database.count("notification_queue"))
    }
  }

  /// The server finishes a commit whose process is gone; meanwhile the run is continued.
  @Test func runIsContinuedWhileItsLastBatchIsStillBeingCommitted() async throws {
    let prepared = try await Prepared()
    let undisturbed = try await prepared.result(of: Self.backfill)
    let folder = try prepared.imported.copyOfDatabase()
    let others = Mutex<CommandRun?>(nil)
    let killed = try await run(
      Self.backfill, in: folder, strikingAt: Moment(batches: 3, point: .unacknowledged)
    ) { process, gate in
      kill(process.processIdentifier, SIGKILL)
      let successor = try CommandRun.blocking(
        Self.backfill, in: folder,
        whileRunning: { _ in
          try gate.waitForSuccessor()
          try gate.open()
        })
      others.withLock { $0 = successor }
    }
    #expect(killed.status == SIGKILL)
    let successor = try #require(others.withLock { $0 })
    #expect(successor.status == 0, "\(successor.errors)")
    #expect(try folder.database.outcome() == undisturbed.outcome)
    #expect(try Self.records(in: folder) == undisturbed.record)
  }

  /// Kills a run at a moment; its server lives on.
  private func runAndKill(
    _ command: [String], at moment: Moment, in folder: TemporaryFolder
  ) async throws {
    let run = try await run(command, in: folder, strikingAt: moment) { process, gate in
      kill(process.processIdentifier, SIGKILL)
      try gate.open()
    }
    #expect(run.status == SIGKILL || moment.point == nil, "\(moment): \(run.errors)")
  }

  @Test func secondRunNamesTheFirstAndMayRunOnceThatIsKilled() async throws {
    let prepared = try await Prepared()
    let folder = prepared.imported
    // In shadow mode: what the killed backfill has committed may hold an active alert, and a live
    // night would ask for golive.
    let night = ["run", "--date", "2026-06-30"]
    let others = Mutex<[CommandRun]>([])
    let first = try await run(
      Self.backfill, in: folder, strikingAt: Moment(batches: 2, point: .uncommitted)
    ) { process, gate in
      let second = try CommandRun.blocking(night, in: folder)
      kill(process.processIdentifier, SIGKILL)
      try gate.open()
      let third = try CommandRun.blocking(night, in: folder)
      others.withLock { $0 = [second, third] }
    }
    #expect(first.status == SIGKILL)
    let id = try #require(
      try folder.database.rows("SELECT id FROM batch_runs WHERE kind = 'backfill'").first)
    let (second, third) = try others.withLock { try (#require($0.first), #require($0.last)) }
    second.expectFailure(75, mentioning: "locked by run \(id)", "try again")
    #expect(third.status == 0, "\(third.errors)")
  }
}

import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

@Suite struct MetricsFileTests {
  private static let night = ["run", "--date", "2026-06-30", "--metrics-file", "vigil.prom"]
  private static let success = "vigil_last_success_timestamp_seconds"
  private static let attempt = "vigil_last_attempt_timestamp_seconds"

  private func metrics(_ name: String = "vigil.prom", in folder: TemporaryFolder) throws
    -> PrometheusText
  {
    try PrometheusText(String(contentsOf: folder.url.appending(path: name), encoding: .utf8))
  }

  /// Names of files in the folder, apart from the database.
  private func leftFiles(in folder: TemporaryFolder) throws -> [String] {
    try folder.names.filter { !$0.hasPrefix("vigil.sqlite") }
  }

  // MARK: What the file holds

  private func seconds(_ time: Timestamp) -> Double { Double(time.microseconds) / 1_000_000 }

  @Test(arguments: DatabaseKind.allCases)
  func successfulRunLeavesWhatItHasRecorded(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    let before = TestClock.now
    let run = try await CommandRun.vigil(arguments: Self.night, in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let read = try metrics(in: folder)
    let recorded = try folder.database.rows(
      """
      SELECT persons, series, days_evaluated, rows_read, values_rejected, episodes_opened,
        episodes_escalated, episodes_resolved, notifications_enqueued FROM batch_runs
      """)
    let names = [
      "persons", "series", "series_evaluations", "rows_read", "values_rejected", "episodes_opened",
      "episodes_escalated", "episodes_resolved",
    ]
    let figures =
      names.map { read.value("vigil_run_\($0)", ["kind": "run"]) } + [
        read.value("vigil_run_notifications_enqueued", ["kind": "run", "mode": "shadow"])
      ]
    #expect([figures.map { $0.map { "\(Int($0))" } ?? "" }.joined(separator: "|")] == recorded)
    let success = try #require(read.value(Self.success, ["kind": "run"]))
    #expect((seconds(before)...seconds(TestClock.now)).contains(success))
    #expect(read.value(Self.attempt, ["kind": "run"]) == success)
    #expect(read.value("vigil_run_status", ["kind": "run", "status": "succeeded"]) == 1)
    #expect(try leftFiles(in: folder) == ["vigil.prom"])
  }

  @Test(arguments: DatabaseKind.allCases)
  func nothingInTheFileIdentifiesAPerson(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    let run = try await CommandRun.vigil(
      arguments: Self.night + ["--live"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let text = try String(contentsOf: folder.url.appending(path: "vigil.prom"), encoding: .utf8)
    let secrets = try folder.database.rows(
      """
      SELECT CAST(id AS text) FROM users UNION SELECT external_id FROM users
      UNION SELECT CAST(family_id AS text) FROM family_members
      UNION SELECT CAST(id AS text) FROM batch_runs
      """)
    #expect(secrets.count > 20)
    for secret in secrets where !secret.isEmpty { #expect(!text.contains(secret)) }
    #expect(!text.contains("@"))
    #expect(text.firstMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}/) == nil)
  }

  @Test(arguments: DatabaseKind.allCases)
  func backfillDoesNotMakeASilentNightLookAlive(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    let night = try await CommandRun.vigil(arguments: Self.night, in: folder)
    #expect(night.status == 0, "\(night.errors)")
    let before = try metrics(in: folder)
    // One file for both, as with the environment variable.
    let backfill = try await CommandRun.vigil(
      "backfill", "--from", "2026-06-01", "--to", "2026-06-30", in: folder,
      environment: ["VIGIL_METRICS_FILE": "vigil.prom"])
    #expect(backfill.status == 0, "\(backfill.errors)")
    let after = try metrics(in: folder)
    #expect(before.samples.allSatisfy(after.samples.contains))
    #expect(after.value("vigil_run_persons", ["kind": "backfill"]) == 12)
    #expect(
      try #require(after.value(Self.success, ["kind": "backfill"]))
        > #require(after.value(Self.success, ["kind": "run"])))
  }

  // MARK: Commands that fail

  /// Expects what a failed night leaves after a good one.
  private func expectFailure(
    _ status: Double, after good: PrometheusText, in folder: TemporaryFolder,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let read = try metrics(in: folder)
    let success = try #require(good.value(Self.success, ["kind": "run"]))
    #expect(success > 0, sourceLocation: sourceLocation)
    #expect(read.value(Self.success, ["kind": "run"]) == success, sourceLocation: sourceLocation)
    let attempt = try #require(read.value(Self.attempt, ["kind": "run"]))
    #expect(attempt > success, sourceLocation: sourceLocation)
    #expect(
      read.value("vigil_run_exit_status", ["kind": "run"]) == status,
      sourceLocation: sourceLocation)
    #expect(
      read.value("vigil_run_status", ["kind": "run", "status": "failed"]) == 1,
      sourceLocation: sourceLocation)
    #expect(try leftFiles(in: folder).contains("vigil.prom"), sourceLocation: sourceLocation)
    #expect(
      try leftFiles(in: folder).allSatisfy { !$0.hasSuffix(".partial") },
      sourceLocation: sourceLocation)
  }

  @Test(arguments: DatabaseKind.allCases)
  func failedNightKeepsTheLastSuccess(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    let first = try await CommandRun.vigil(arguments: Self.night, in: folder)
    #expect(first.status == 0, "\(first.errors)")
    let good = try metrics(in: folder)
    try folder.write("{\"version\": \"x\", \"metr", to: "half.json")
    let away =
      kind == .sqlite ? "sqlite:gone.sqlite" : "postgres://unknown@/vigil?host=\(folder.url.path)"
    for (arguments, status) in [
      (["--thresholds", "half.json"], Int32(65)), (["--users", "missing.txt"], 64),
      (["--database", away], 69),
    ] {
      let run = try await CommandRun.vigil(
        arguments: Self.night + arguments, in: folder, environment: ["VIGIL_DATABASE_RETRY": "0"])
      run.expectFailure(status)
      try expectFailure(Double(status), after: good, in: folder)
      let read = try metrics(in: folder)
      #expect(read.value("vigil_run_persons", ["kind": "run"]) == nil, "no figures of another run")
    }
    let again = try await CommandRun.vigil(arguments: Self.night, in: folder)
    #expect(again.status == 0, "\(again.errors)")
    let recovered = try metrics(in: folder)
    #expect(
      try #require(recovered.value(Self.success, ["kind": "run"]))
        > #require(good.value(Self.success, ["kind": "run"])))
    #expect(recovered.value("vigil_run_exit_status", ["kind": "run"]) == 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func runThatFailsOnTheWayLeavesItsStatus(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    let first = try await CommandRun.vigil(arguments: Self.night, in: folder)
    #expect(first.status == 0, "\(first.errors)")
    let good = try metrics(in: folder)
    // The run begins and is recorded; what it then has to read is not there.
    try folder.database.execute("DELETE FROM batch_checkpoints; DROP TABLE exercise_sessions")
    let run = try await CommandRun.vigil(arguments: Self.night, in: folder)
    #expect(run.status != 0)
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    try expectFailure(Double(run.status), after: good, in: folder)
    // It has a record of its own, with the figures of what it has done.
    #expect(
      try folder.database.rows("SELECT status FROM batch_runs ORDER BY started_at")
        == ["succeeded", "failed"])
    let read = try metrics(in: folder)
    let start = "vigil_run_start_timestamp_seconds"
    #expect(
      try #require(read.value(start, ["kind": "run"]))
        > #require(good.value(start, ["kind": "run"])))
    #expect(read.value("vigil_run_persons", ["kind": "run"]) == 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func lockThatIsHeldIsAnAttemptWithStatus75(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    let first = try await CommandRun.vigil(arguments: Self.night, in: folder)
    #expect(first.status == 0, "\(first.errors)")
    let good = try metrics(in: folder)
    let storage = try folder.database.open()
    let lock = try storage.acquireRunLock(for: UUID())
    let second = try await CommandRun.vigil(arguments: Self.night, in: folder)
    withExtendedLifetime(lock) { second.expectFailure(75, mentioning: "try again") }
    try expectFailure(75, after: good, in: folder)
  }

  // MARK: Files that cannot be written, or belong to another program

  @Test func pathThatCannotBeWrittenFailsBeforeAnythingIsDone() async throws {
    let folder = try SampleDatabase.imported()
    try folder.write("node_load1 0.5\n", to: "foreign.prom")
    for (path, mention) in [
      ("missing/vigil.prom", "No such file"), (".", "ordinary file"),
      ("vigil.sqlite", "not Vigil's"), ("foreign.prom", "not Vigil's"),
      ("foreign.prom/vigil.prom", "Not a directory"),
    ] {
      let run = try await CommandRun.vigil(
        "run", "--date", "2026-06-30", "--metrics-file", path, in: folder)
      run.expectFailure(73, mentioning: "metrics file \(path):", mention)
    }
    #expect(try folder.database.count("batch_runs") == 0)
    #expect(try leftFiles(in: folder) == ["foreign.prom"])
    #expect(
      try String(contentsOf: folder.url.appending(path: "foreign.prom"), encoding: .utf8)
        == "node_load1 0.5\n")
  }

  @Test func damagedFileIsReplacedWithOneWarning() async throws {
    let folder = try SampleDatabase.imported()
    try folder.write(
      "vigil_last_success_timestamp_seconds{kind=\"run\"} 17\nvigil_run_per", to: "vigil.prom")
    let run = try await CommandRun.vigil(
      arguments: Self.night + ["--thresholds", "no.json"], in: folder)
    #expect(run.status == 65)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 2, "\(run.errors)")
    #expect(lines.first?.contains("warning The metrics file was damaged") == true)
    let read = try metrics(in: folder)
    #expect(read.value(Self.success, ["kind": "run"]) == 17)
  }

  @Test func fileIsForAllToReadWhateverTheUmask() async throws {
    let folder = try SampleDatabase.imported()
    let run = try await CommandRun.vigil(
      arguments: Self.night, in: folder,
      launcher: ["/bin/sh", "-c", "umask 077; exec \"$0\" \"$@\""])
    #expect(run.status == 0, "\(run.errors)")
    let attributes = try FileManager.default.attributesOfItem(
      atPath: folder.url.appending(path: "vigil.prom").path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o644)
  }

  @Test func noneTurnsTheSettingOff() async throws {
    let folder = try SampleDatabase.imported()
    let run = try await CommandRun.vigil(
      "run", "--date", "2026-06-30", "--metrics-file", "none", in: folder,
      environment: ["VIGIL_METRICS_FILE": "vigil.prom"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try leftFiles(in: folder).isEmpty)
  }
}

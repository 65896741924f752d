import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// Clocks that were set back: the database has seen a run that begins in the future.
@Suite struct ClockSetbackTests {
  private static let future = "2999-01-01T02:00:00.000000Z"

  /// Data up to yesterday, and one recorded run of an earlier day.
  private func prepared(_ kind: DatabaseKind) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder(kind)
    for command in [
      [
        "generate", "data", "--people", "20", "--days", "80", "--seed", "5", "--end-date",
        (TestClock.today - 1).description,
      ],
      ["import", "csv", "data"], ["run", "--date", "2026-05-30"],
    ] {
      let run = try await CommandRun.vigil(arguments: command, in: folder)
      try #require(run.status == 0, "\(run.errors)")
    }
    return folder
  }

  @Test(arguments: DatabaseKind.allCases)
  func nightThatTakesItsDayFromAClockThatWasSetBackIsRefused(kind: DatabaseKind) async throws {
    let folder = try await prepared(kind)
    let database = folder.database
    let undisturbed = try folder.copyOfDatabase()
    try database.execute("UPDATE batch_runs SET started_at = '\(Self.future)'")
    let before = try database.outcome() + database.dump("batch_runs")
    for (mode, remedy) in [
      ("--shadow", "set the clock, or give --date"),
      ("--live", "set the clock; where it is right, another machine's was wrong"),
    ] {
      let refused = try await CommandRun.vigil("run", mode, in: folder)
      refused.expectFailure(
        75, mentioning: "the clock shows 20", "began at \(Self.future) in ",
        "nothing was evaluated", remedy)
    }
    #expect(try database.outcome() + database.dump("batch_runs") == before)

    // The clock is right again.
    try database.execute("UPDATE batch_runs SET started_at = finished_at")
    let again = try await CommandRun.vigil("run", in: folder)
    #expect(again.status == 0, "\(again.errors)")
    let day = try #require(try database.rows("SELECT max(to_date) FROM batch_runs").first)
    _ = try await CommandRun.vigil("run", "--date", day, in: undisturbed)
    let outcome = try database.outcome()
    #expect(!outcome.isEmpty)
    #expect(try undisturbed.database.outcome() == outcome)
  }

  @Test(
    arguments: [
      ["run", "--date", "2026-06-30"], ["backfill", "--from", "2026-06-01", "--to", "2026-06-30"],
    ], DatabaseKind.allCases)
  func givenDaysAreEvaluatedWithAWarning(command: [String], kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    let database = folder.database
    let copy = try folder.copyOfDatabase()
    _ = try await CommandRun.vigil("run", "--date", "2026-05-01", in: copy)
    let undisturbed = try copy.copyOfDatabase()
    _ = try await CommandRun.vigil(arguments: command, in: undisturbed)
    try copy.database.execute("UPDATE batch_runs SET started_at = '\(Self.future)'")
    let run = try await CommandRun.vigil(arguments: command, in: copy)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("The clock is behind the newest recorded run"), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    #expect(try copy.database.outcome() == undisturbed.database.outcome())
    #expect(try database.count("batch_runs") == 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func liveRunsByAClockThatWasSetBackAreRefused(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    let run = ["run", "--live", "--date"]
    let well = try await CommandRun.vigil(arguments: run + ["2026-05-01"], in: folder)
    #expect(well.status == 0, "\(well.errors)")
    try folder.database.execute("UPDATE batch_runs SET started_at = '\(Self.future)'")
    let before = try folder.database.outcome() + folder.database.dump("batch_runs")
    let person = try #require(
      try folder.database.rows("SELECT user_id FROM user_profiles ORDER BY user_id LIMIT 1").first)
    for command in [
      run + ["2026-05-02"], run + ["2026-05-02", "--user", person],
      ["backfill", "--live", "--from", "2026-05-01", "--to", "2026-05-02"],
    ] {
      let refused = try await CommandRun.vigil(arguments: command, in: folder)
      refused.expectFailure(
        75, mentioning: "the clock shows 20", "began at \(Self.future) in ",
        "nothing was evaluated, as due times", "correct started_at of that run in batch_runs")
    }
    #expect(try folder.database.outcome() + folder.database.dump("batch_runs") == before)
  }

  @Test(arguments: DatabaseKind.allCases)
  func runThatEndsBeforeItBeganTookNoTime(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    _ = try await CommandRun.vigil("run", "--date", "2026-06-30", in: folder)
    try folder.database.execute("UPDATE batch_runs SET started_at = '\(Self.future)'")
    let id = try #require(try folder.database.rows("SELECT id FROM batch_runs").first)
    let shown = try await CommandRun.vigil("runs", "show", id, in: folder)
    #expect(shown.output.contains("Took             0.00 s\n"), "\(shown.output)")
    let listed = try await CommandRun.vigil("runs", "--format", "json", in: folder)
    #expect(listed.output.contains("\"seconds\" : 0"), "\(listed.output)")
  }

  @Test(arguments: DatabaseKind.allCases)
  func senderWhoseClockWasSetBackSendsNothing(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    _ = try await CommandRun.vigil("run", "--date", "2026-06-30", in: folder)
    try folder.write(
      #"{"channels": {"push": {"command": ["/bin/true"]}}}"#, to: "providers.json")
    let command = ["dispatch", "--providers", "providers.json"]
    let well = try await CommandRun.vigil(arguments: command + ["--once"], in: folder)
    #expect(well.status == 0, "\(well.errors)")
    try folder.database.execute("UPDATE batch_runs SET started_at = '\(Self.future)'")
    for option in ["--once", "--dry-run"] {
      let refused = try await CommandRun.vigil(arguments: command + [option], in: folder)
      refused.expectFailure(
        75, mentioning: "the clock shows 20", "began at \(Self.future) in ", "nothing was sent",
        "set the clock")
    }
    let service = try await CommandRun.vigil(arguments: command, in: folder)
    #expect(service.status == 75, "\(service)")
  }

  @Test(arguments: DatabaseKind.allCases)
  func doctorNamesTheRunThatBeganInTheFuture(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    _ = try await CommandRun.vigil("run", "--date", "2026-06-30", in: folder)
    let well = try await CommandRun.vigil("doctor", in: folder)
    #expect(!well.output.contains("began at"), "\(well.output)")
    try folder.database.execute("UPDATE batch_runs SET started_at = '\(Self.future)'")
    let doctor = try await CommandRun.vigil("doctor", in: folder)
    #expect(doctor.status == 69, "\(doctor.output)")
    #expect(doctor.output.contains("began at \(Self.future)"), "\(doctor.output)")
  }
}

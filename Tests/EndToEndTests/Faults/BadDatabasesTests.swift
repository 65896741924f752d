import Foundation
import TestDatabases
import TestSupport
import Testing

/// Databases without data, with impossible data, or that are none.
@Suite struct BadDatabasesTests {
  private static let run = ["run", "--date", "2026-06-30"]
  private static let backfill = ["backfill", "--from", "2026-06-01", "--to", "2026-06-30"]
  private static let year1999 = ["backfill", "--from", "1999-01-01", "--to", "1999-12-31"]

  @Test(arguments: [run, backfill], DatabaseKind.allCases)
  func emptyDatabaseIsRefusedAndAsksForAnImport(
    command: [String], kind: DatabaseKind
  ) async throws {
    let folder = try TemporaryFolder(kind)
    _ = try await CommandRun.vigil("migrate", in: folder)
    let run = try await CommandRun.vigil(arguments: command, in: folder)
    run.expectFailure(65, mentioning: "has no row from", "vigil import csv DIR")
    #expect(run.output == "")
    #expect(try folder.database.rows("SELECT status FROM batch_runs") == ["failed"])
    #expect(try folder.database.outcome().isEmpty)
  }

  @Test(arguments: DatabaseKind.allCases)
  func dosesAloneAskForMedications(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder(kind)
    _ = try await CommandRun.vigil("migrate", in: folder)
    let run = try await CommandRun.vigil(
      arguments: Self.backfill + ["--only", "adherence"], in: folder)
    run.expectFailure(65, mentioning: "medications in ", "has no row", "vigil import csv DIR")
    #expect(!run.errors.contains("wearable_daily_metrics"))
  }

  @Test(
    arguments: [
      (["run", "--date", "1999-01-01"], "vigil run --date 2026-06-30"),
      (year1999, "vigil backfill --from 2026-03-03 --to 2026-06-30"),
    ], DatabaseKind.allCases)
  func periodBesideTheDataNamesTheOneToTake(
    asked: (command: [String], next: String), kind: DatabaseKind
  ) async throws {
    let folder = try SampleDatabase.imported(kind)
    let run = try await CommandRun.vigil(arguments: asked.command, in: folder)
    #expect(run.status == 0)
    #expect(run.output.contains("no person has data in this period"))
    #expect(run.output.contains(asked.next), "\(run.output)")
  }

  @Test(arguments: DatabaseKind.allCases)
  func episodesAreNotJudgedByATableThatHasNoRowsAnyMore(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    _ = try await CommandRun.vigil(arguments: Self.backfill, in: folder)
    let database = folder.database
    let active = try database.rows(
      "SELECT count(DISTINCT user_id) FROM pattern_alert_state WHERE episode_status = 'active'")
    try #require(active != ["0"])
    let before = try database.outcome()
    let late = try await CommandRun.vigil(
      "run", "--date", "2026-11-01", "--now", "2026-11-02T10:00:00Z", in: folder)
    late.expectFailure(65, mentioning: "has no row from 2026-07-", "nothing was evaluated")
    try database.execute("DELETE FROM wearable_daily_metrics")
    for profile in [["--thresholds", "v1"], ["--thresholds", "v2", "--switch-profile"]] {
      let emptied = try await CommandRun.vigil(
        arguments: ["run", "--date", "2026-07-01", "--now", "2026-11-03T10:00:00Z"] + profile,
        in: folder)
      emptied.expectFailure(65, mentioning: "wearable_daily_metrics", "nothing was evaluated")
    }
    #expect(try database.outcome() == before)
  }

  @Test(arguments: [["run", "--date"], ["backfill", "--from", "2026-01-01", "--to"]])
  func dateInTheFutureIsRefused(command: [String]) async throws {
    let folder = try SampleDatabase.imported()
    let run = try await CommandRun.vigil(arguments: command + ["2999-12-31"], in: folder)
    run.expectFailure(64, mentioning: "2999-12-31 is after today", "give an earlier day")
    #expect(try folder.database.count("batch_runs") == 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func infinityInTheDatabaseIsRejectedAndChangesNoDecision(kind: DatabaseKind) async throws {
    let (clean, spoilt) = (
      try SampleDatabase.imported(kind), try SampleDatabase.imported(kind)
    )
    let infinity = kind == .sqlite ? "9e999" : "CAST('Infinity' AS double precision)"
    let where20th = "WHERE metric_date = '2026-06-20'"
    try clean.database.execute(
      "UPDATE wearable_daily_metrics SET resting_hr = NULL, steps = NULL \(where20th)")
    try spoilt.database.execute(
      """
      UPDATE wearable_daily_metrics SET resting_hr = \(infinity), steps = -\(infinity) \(where20th)
      """)
    for folder in [clean, spoilt] {
      let run = try await CommandRun.vigil(arguments: Self.backfill, in: folder)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains("not finite") == (folder === spoilt), "\(run.output)")
    }
    let outcome = try spoilt.database.outcome()
    #expect(!outcome.isEmpty)
    #expect(outcome.allSatisfy { !$0.lowercased().contains("inf") })
    #expect(try clean.database.outcome() == outcome)
  }

  @Test(arguments: DatabaseKind.allCases)
  func negativeAndAbsurdValuesAreRejectedByThresholdsWithLimits(kind: DatabaseKind) async throws {
    let (clean, spoilt) = (
      try SampleDatabase.imported(kind), try SampleDatabase.imported(kind)
    )
    let where20th = "WHERE metric_date = '2026-06-20'"
    try clean.database.execute(
      "UPDATE wearable_daily_metrics SET resting_hr = NULL, steps = NULL \(where20th)")
    try spoilt.database.execute(
      "UPDATE wearable_daily_metrics SET resting_hr = 1e300, steps = -5 \(where20th)")
    for folder in [clean, spoilt] {
      let run = try await CommandRun.vigil(
        arguments: Self.backfill + ["--thresholds", "v2"], in: folder)
      #expect(run.status == 0, "\(run.errors)")
    }
    let shown = try spoilt.database.rows("SELECT data_quality FROM batch_runs")
    #expect(shown.first?.contains("implausible") == true)
    #expect(try clean.database.outcome() == spoilt.database.outcome())
  }

  @Test(arguments: [run, backfill, ["import", "csv", "in"], ["alerts", "list"]])
  func fileThatIsNoDatabaseIsNamedAndLeftAlone(command: [String]) async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "in"), withIntermediateDirectories: false)
    try folder.write("id\np1\n", to: "in/users.csv")
    let text = String(repeating: "p1,2026-01-01,100\n", count: 400)
    try folder.write(text, to: "vigil.sqlite")
    let run = try await CommandRun.vigil(arguments: command, in: folder)
    run.expectFailure(65, mentioning: "vigil.sqlite is not an SQLite database", "--database")
    #expect(
      try String(contentsOf: folder.url.appending(path: "vigil.sqlite"), encoding: .utf8) == text)
    #expect(try folder.names == ["in", "vigil.sqlite"])
  }

  @Test(arguments: DatabaseKind.allCases)
  func metricThatIsNoColumnIsNamedAndLeftOut(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    try folder.write(
      try thresholds().replacing("\"resting_hr\"", with: "\"resting_heartrate\""),
      to: "mine.json")
    let run = try await CommandRun.vigil(
      arguments: Self.run + ["--thresholds", "mine.json"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("resting_heartrate"), "\(run.errors)")
    let shown = try folder.database.rows("SELECT data_quality FROM batch_runs")
    #expect(shown.first?.contains("no_column") == true, "\(shown)")
  }

  @Test(arguments: [0, 1, 40, 700, 1500]) func thresholdsFileThatIsHalfWrittenIsRefused(
    length: Int
  ) async throws {
    let folder = try SampleDatabase.imported()
    try folder.write(String(try thresholds().prefix(length)), to: "half.json")
    for arguments in [
      Self.run + ["--thresholds", "half.json"], Self.backfill + ["--thresholds", "half.json"],
      ["thresholds", "check", "half.json"],
    ] {
      let run = try await CommandRun.vigil(arguments: arguments, in: folder)
      run.expectFailure(
        65, mentioning: "half.json: not valid JSON: cut short in line ", "copy the file again")
    }
    #expect(try folder.database.count("batch_runs") == 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func unknownPersonIsNamedByLineAndNotById(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    let known = try folder.database.rows(
      "SELECT id, external_id FROM users ORDER BY id LIMIT 1")
    let ids = try #require(known.first).split(separator: "|").map(String.init)
    let stranger = "6f0b7c1e-6f5c-5a53-9d1c-5e0f4b7a9c21"
    try folder.write("\u{FEFF}# ward 7\r\n\(ids[0])\r\n\(stranger)\r\nMrs X\r\n", to: "u.txt")
    let run = try await CommandRun.vigil(arguments: Self.run + ["--users", "u.txt"], in: folder)
    run.expectFailure(
      65, mentioning: "--users u.txt: 2 of 3 ids belong to no person", "(lines 3, 4)",
      "users.external_id")
    #expect(!run.errors.contains("Mrs X") && !run.errors.contains(stranger))
    #expect(try folder.database.count("batch_runs") == 0)
    try folder.write("\(ids[0])\n\(ids[1])\n", to: "u.txt")
    let good = try await CommandRun.vigil(arguments: Self.run + ["--users", "u.txt"], in: folder)
    #expect(good.output.contains("Evaluated      1 person,"), "\(good.output)")
    let piped = try await CommandRun.vigil(
      arguments: Self.run + ["--users", "-"], in: folder, standardInput: "\n# ward 7\n\(ids[1])\n")
    #expect(piped.output.contains("Evaluated      1 person,"), "\(piped)")
    let nothing = try await CommandRun.vigil(arguments: Self.run + ["--users", "-"], in: folder)
    nothing.expectFailure(65, mentioning: "--users -", "names no person")
    let missing = try await CommandRun.vigil(
      arguments: Self.run + ["--users", "gone.txt"], in: folder)
    missing.expectFailure(64, mentioning: "--users gone.txt")
  }

  private func thresholds() throws -> String {
    try String(
      contentsOf: SharedFolder.repository.appending(path: "thresholds/v1.json"), encoding: .utf8)
  }
}

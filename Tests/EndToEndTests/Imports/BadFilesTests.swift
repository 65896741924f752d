import Foundation
import TestDatabases
import TestSupport
import Testing

/// CSV files as they come from spreadsheets, broken transfers and devices that err.
@Suite struct BadFilesTests {
  private let header = ImportFolder.header

  @Test(
    arguments: [
      ("user_id,source,steps\np1,fitbit,9\n", ["column 'metric_date' is missing"]),
      (
        "user_id,metric_date,source,step\np1,2026-01-01,fitbit,9\n",
        ["unknown column 'step'; did you mean 'steps'?"]
      ),
      (
        "user_id,date,source,steps\np1,2026-01-01,fitbit,9\n",
        ["unknown column 'date'; did you mean 'metric_date'?"]
      ),
      (
        "user_id,source,heartrate\n",
        ["'metric_date' is missing", "unknown column 'heartrate'; did you mean 'resting_hr'?"]
      ),
      ("user_id,metric_date,source,steps,steps\n", ["'steps' is there more than once"]),
      ("", ["is empty; its first line must name the columns"]),
      ("user_id;metric_date;source;steps\np1;2026-01-01;x;9\n", ["separated by semicolons"]),
      ("user_id\tmetric_date\tsource\tsteps\n", ["separated by tabs"]),
      ("user_id,metric_date,source,steps\rp1,2026-01-01,x,9\r", ["end in CR alone"]),
      ("p1,2026-01-01,fitbit,9\n", ["the first line names no column"]),
      ("user_id,metric_date,source,\"steps\n", ["the header cannot be read"]),
    ], DatabaseKind.allCases)
  func headerThatDoesNotFitIsRefusedBeforeThereIsADatabase(
    example: (text: String, mentions: [String]), kind: DatabaseKind
  ) async throws {
    let (text, mentions) = example
    let files = try ImportFolder(kind)
    try files.write(text)
    let run = try await files.vigil("import", "csv", "in")
    run.expectFailure(65, mentioning: "wearable_daily_metrics.csv", "nothing was imported")
    for mention in mentions { #expect(run.errors.contains(mention), "\(run.errors)") }
    #expect(try files.folder.names == ["in"])
  }

  @Test(arguments: DatabaseKind.allCases)
  func problemsOfAllFilesAreNamedAtOnce(kind: DatabaseKind) async throws {
    let files = try ImportFolder(kind)
    try files.write("user_id,source\n")
    try files.write("id,mail\n", to: "users")
    let run = try await files.vigil("import", "csv", "in")
    run.expectFailure(
      65, mentioning: "wearable_daily_metrics.csv: column 'metric_date' is missing",
      "users.csv: unknown column 'mail'; did you mean 'email'?")
  }

  @Test(
    arguments: [
      ("NaN", "not a finite number"), ("-nan", "not a finite number"),
      ("inf", "not a finite number"),
      ("-Infinity", "not a finite number"), ("1e999", "not a finite number"), ("-5", "negative"),
      ("12,5", "5 fields where the header has 4"), ("many", "not a number"),
      ("0x1F", "not a number"),
    ], DatabaseKind.allCases)
  func valueThatIsNoneLeavesTheDatabaseAsItWas(
    example: (value: String, reason: String), kind: DatabaseKind
  ) async throws {
    let (value, reason) = example
    let files = try ImportFolder(kind)
    _ = try await files.vigil("migrate")
    try files.write("\(header)\np1,2026-01-01,fitbit,9\np1,2026-01-02,fitbit,\(value)\n")
    let run = try await files.vigil("import", "csv", "in")
    run.expectFailure(
      65, mentioning: "1 of 2 rows cannot be used, more than the limit of 1 %",
      "nothing was imported", "--max-bad-rows", "wearable_daily_metrics.csv:3", reason)
    #expect(!run.errors.contains("::"))
    #expect(try files.database.input().isEmpty)
    let strict = try await files.vigil("import", "csv", "in", "--strict", "--max-bad-rows", "100%")
    strict.expectFailure(65, mentioning: "strict", "wearable_daily_metrics.csv:3", reason)
    #expect(try files.database.input().isEmpty)
    let lenient = try await files.vigil("import", "csv", "in", "--max-bad-rows", "50%")
    #expect(lenient.status == 0, "\(lenient.errors)")
    #expect(try files.database.rows("SELECT steps FROM wearable_daily_metrics") == ["9.0"])
    let quarantined = try files.database.rows("SELECT file, line, reason FROM quarantined_rows")
    #expect(quarantined == ["wearable_daily_metrics.csv|3|\(reason)"])
  }

  @Test(arguments: DatabaseKind.allCases)
  func absurdButFiniteValueIsImportedAndRejectedByARunWithLimits(kind: DatabaseKind) async throws {
    let files = try ImportFolder(kind)
    let days = (1...30).map { "p1,2026-01-\($0 < 10 ? "0" : "")\($0),fitbit,8000\n" }
    try files.write("\(header)\n\(days.joined())p1,2026-01-31,fitbit,1e300\n")
    let imported = try await files.vigil("import", "csv", "in")
    #expect(imported.status == 0, "\(imported.errors)")
    let run = try await files.vigil("run", "--date", "2026-01-31", "--thresholds", "v2")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("1 steps implausible"), "\(run.output)")
    #expect(try files.database.count("pattern_alert_state") == 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func repeatedRowCountsOnceAndAContradictionIsNamed(kind: DatabaseKind) async throws {
    let files = try ImportFolder(kind)
    try files.write(
      "\(header)\np1,2026-01-01,fitbit,100\np1,2026-01-01,fitbit,100\np1,2026-01-01,oura,7\n")
    let merged = try await files.vigil("import", "csv", "in", "--format", "json")
    #expect(merged.status == 0, "\(merged.errors)")
    #expect(merged.output.contains("\"duplicates_merged\" : 1"))
    #expect(merged.output.contains("\"rows_written\" : 2"))
    let before = try files.database.input()
    try files.write("\(header)\np1,2026-01-01,fitbit,100\np1,2026-01-01,fitbit,101\n")
    let contradicting = try await files.vigil("import", "csv", "in")
    contradicting.expectFailure(
      65, mentioning: "wearable_daily_metrics.csv:3",
      "duplicate key (user_id, metric_date, source) with other values")
    #expect(!contradicting.errors.contains("101"))
    #expect(try files.database.input() == before)
  }

  /// Rows of different ids contradict each other where they decide about the same event and schedule.
  @Test(arguments: DatabaseKind.allCases)
  func aSecondDecisionAboutAJourneyIsNamedByItsLine(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder(kind)
    let generated = try await CommandRun.vigil(
      "generate", "sample", "--people", "3", "--days", "30", "--seed", "1", "--end-date",
      "2026-06-30", in: folder)
    #expect(generated.status == 0, "\(generated.errors)")
    let file = folder.url.appending(path: "sample/schedule_adjustments.csv")
    let text = try String(contentsOf: file, encoding: .utf8)
    let rows = text.split(separator: "\n")
    try #require(rows.count > 1)
    let second = "11111111-aaaa-4bbb-8ccc-000000000000" + rows[1].drop { $0 != "," }
    try (text + second + "\n").write(to: file, atomically: true, encoding: .utf8)
    let refused = try await CommandRun.vigil(
      "import", "csv", "sample", "--max-bad-rows", "0", in: folder)
    #expect(refused.status == 65)
    #expect(
      refused.errors.contains("schedule_adjustments.csv:\(rows.count + 1)"), "\(refused.errors)")
    #expect(
      refused.errors.contains("duplicate key (timezone_event_id, schedule_id) with other values"))
    let run = try await CommandRun.vigil(
      "import", "csv", "sample", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.database.count("schedule_adjustments") == rows.count - 1)
  }

  @Test(arguments: DatabaseKind.allCases)
  func byteOrderMarkCRLFAndQuotedCommasAreUnderstood(kind: DatabaseKind) async throws {
    let files = try ImportFolder(kind)
    try files.write(
      "\u{FEFF}\(header)\r\n\"p,1\",2026-01-01,\"the \"\"ring\"\", left\",100\r\n\r\n"
        + "p2,2026-01-01,fitbit,\r\n")
    let run = try await files.vigil("import", "csv", "in")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try files.database.rows(
        """
        SELECT external_id, source, steps FROM wearable_daily_metrics
        JOIN users ON users.id = user_id ORDER BY external_id
        """) == ["p,1|the \"ring\", left|100.0", "p2|fitbit|"])
  }

  @Test(arguments: ["p1,2026-01-02,fi", "p1,2026-01-02,\"fitbit,9"], DatabaseKind.allCases)
  func lastLineThatWasCutOffIsNamed(line: String, kind: DatabaseKind) async throws {
    let files = try ImportFolder(kind)
    _ = try await files.vigil("migrate")
    try files.write("\(header)\np1,2026-01-01,fitbit,9\n\(line)")
    let run = try await files.vigil("import", "csv", "in")
    run.expectFailure(65, mentioning: "wearable_daily_metrics.csv:3", "nothing was imported")
    #expect(try files.database.input().isEmpty)
  }

  @Test(arguments: DatabaseKind.allCases)
  func lastLineWithoutItsEndIsComplete(kind: DatabaseKind) async throws {
    let files = try ImportFolder(kind)
    try files.write("\(header)\np1,2026-01-01,fitbit,9\np1,2026-01-02,fitbit,8")
    let run = try await files.vigil("import", "csv", "in")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try files.database.count("wearable_daily_metrics") == 2)
  }

  @Test(arguments: ["2999-01-01", "2026-02-30", "01.02.2026", "2026-1-2"], DatabaseKind.allCases)
  func dateThatIsNoneOrInTheFutureIsNamed(date: String, kind: DatabaseKind) async throws {
    let files = try ImportFolder(kind)
    _ = try await files.vigil("migrate")
    try files.write("\(header)\np1,\(date),fitbit,9\n")
    let run = try await files.vigil("import", "csv", "in")
    run.expectFailure(65, mentioning: "wearable_daily_metrics.csv:2: metric_date", "date")
    #expect(try files.database.input().isEmpty)
  }

  @Test(arguments: DatabaseKind.allCases)
  func onlyPersonsThatAreNewCountAsCreated(kind: DatabaseKind) async throws {
    let files = try ImportFolder(kind)
    try files.write("\(header)\np1,2026-01-01,fitbit,9\n")
    let first = try await files.vigil("import", "csv", "in")
    #expect(first.output.contains("1 person created, whom no users.csv names."))
    let second = try await files.vigil("import", "csv", "in")
    #expect(second.status == 0)
    #expect(!second.output.contains("created"))
  }
}

import Foundation
import TestDatabases
import TestSupport
import Testing

/// One CSV file of daily metrics, read as what it seems to be.
@Suite struct ImportCSVTests {
  private func stored(_ folder: TemporaryFolder) throws -> [String] {
    try folder.database.rows(
      """
      SELECT external_id, metric_date, source, steps, sleep_minutes FROM wearable_daily_metrics
      JOIN users ON users.id = user_id ORDER BY external_id, metric_date
      """)
  }

  @Test(arguments: DatabaseKind.allCases)
  func aFileArrivesAndStandardErrorSaysAsWhat(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder(kind)
    try folder.write(
      "Date;Steps;Sleep (h);Mood\n01/06/2026;8000;7,5;good\n14/06/2026;;6,25;bad\n", to: "daily.csv"
    )
    let run = try await CommandRun.vigil(
      "import", "csv", "daily.csv", "--user", "anna", "--source", "ring", "--map",
      "Sleep (h)=sleep_minutes:hours", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try stored(folder) == ["anna|2026-06-01|ring|8000.0|450.0", "anna|2026-06-14|ring||375.0"])
    for line in [
      "daily.csv: 2 rows, semicolons, decimal comma, dates D/M/YYYY\n",
      "  (all rows)  user_id anna\n", "  Sleep (h)   sleep_minutes, from hours\n",
      "  not read: Mood\n",
    ] { #expect(run.errors.contains(line), "\(run.errors)") }
    #expect(run.output.contains("wearable_daily_metrics (daily.csv)"))
    let again = try await CommandRun.vigil(
      "import", "csv", "daily.csv", "--user", "anna", "--source", "ring", "--quiet", in: folder)
    #expect(again.status == 0)
    #expect(!again.errors.contains("semicolons"))
  }

  @Test(arguments: DatabaseKind.allCases)
  func standardInputIsReadInTheLongFormat(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder(kind)
    let run = try await CommandRun.vigil(
      "import", "csv", "-", "--source", "ring", in: folder,
      standardInput:
        "person,date,metric,value\nanna,2026-06-01,steps,8000\nanna,2026-06-01,sleep_minutes,430\n")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try stored(folder) == ["anna|2026-06-01|ring|8000.0|430.0"])
    #expect(run.errors.contains("standard input: 2 rows"))
  }

  @Test(
    arguments: [
      (["daily.csv"], 65, ["no column has the person", "--user ID", "--source NAME"]),
      (["daily.csv", "--user", "a", "--source", "x"], 65, ["--dates dmy or --dates mdy"]),
      (["daily.csv", "--map", "Steps=stepps"], 64, ["did you mean 'steps'?"]),
      (["daily.csv", "--dates", "ymd"], 64, ["'ymd' is none of iso, dmy, mdy"]),
      (["daily.csv", "--user", ""], 64, ["--user needs an id"]),
      ([".", "--user", "a"], 64, ["holds several files"]),
      (["absent.csv", "--user", "a"], 64, ["cannot open absent.csv"]),
      (["absent"], 64, ["there is no folder absent"]),
    ] as [([String], Int32, [String])], DatabaseKind.allCases)
  func whatCannotBeKnownIsRefusedBeforeThereIsADatabase(
    example: (arguments: [String], status: Int32, mentions: [String]), kind: DatabaseKind
  ) async throws {
    let folder = try TemporaryFolder(kind)
    try folder.write("Date,Steps\n01/06/2026,8000\n", to: "daily.csv")
    let run = try await CommandRun.vigil(
      arguments: ["import", "csv"] + example.arguments, in: folder)
    #expect(run.status == example.status, "\(run.errors)")
    for mention in example.mentions { #expect(run.errors.contains(mention), "\(run.errors)") }
    #expect(run.output.isEmpty)
    #expect(try folder.names == ["daily.csv"])
  }

  @Test(arguments: DatabaseKind.allCases)
  func refusedRowsAreNamedAndLeaveTheDatabaseAsItWas(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder(kind)
    _ = try await CommandRun.vigil("migrate", in: folder)
    try folder.write("date,steps\n2026-06-01,8000\n2026-06-02,many\n", to: "daily.csv")
    let run = try await CommandRun.vigil(
      "import", "csv", "daily.csv", "--user", "anna", "--source", "x", "--quiet", in: folder)
    run.expectFailure(65, mentioning: "daily.csv:3: steps: not a number", "nothing was imported")
    #expect(try folder.database.input().isEmpty)
  }

  @Test func aRefusedImportLeavesNoDatabaseThatWasNotThere() async throws {
    let folder = try TemporaryFolder(.sqlite)
    try folder.write("date,steps\n2026-06-01,8000\n2026-06-02,many\n", to: "daily.csv")
    let refused = ["import", "csv", "daily.csv", "--user", "anna", "--source", "x", "--quiet"]
    let run = try await CommandRun.vigil(arguments: refused, in: folder)
    run.expectFailure(65, mentioning: "daily.csv:3: steps: not a number", "nothing was imported")
    #expect(try folder.names == ["daily.csv"])
    let accepted = try await CommandRun.vigil(
      arguments: refused + ["--max-bad-rows", "50%"], in: folder)
    #expect(accepted.status == 0, "\(accepted.errors)")
    #expect(try stored(folder) == ["anna|2026-06-01|x|8000.0|"])
  }
}

/// The export of Apple's Health app.
@Suite struct AppleHealthFileTests {
  @Test(arguments: DatabaseKind.allCases)
  func anExportArrives(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder(kind)
    func steps(_ value: String) -> String {
      "<Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"Watch\" unit=\"count\""
        + " startDate=\"2026-06-01 10:00:00 +0200\" endDate=\"2026-06-01 10:01:00 +0200\""
        + " value=\"\(value)\"/>\n"
    }
    try folder.write("<HealthData>\n\(steps("100"))\(steps("20"))</HealthData>", to: "export.xml")
    let run = try await CommandRun.vigil(
      "import", "apple-health", "export.xml", "--user", "anna", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("StepCount   steps, sum of a day (2 records)"), "\(run.errors)")
    let rows = try folder.database.rows(
      "SELECT metric_date, source, steps FROM wearable_daily_metrics")
    #expect(rows == ["2026-06-01|apple_health|120.0"])
    try folder.write("<HealthData>\n\(steps("many"))", to: "export.xml")
    let cut = try await CommandRun.vigil(
      "import", "apple-health", "export.xml", "--user", "anna", in: folder)
    cut.expectFailure(65, mentioning: "export.xml:3: the file ends too early")
    try folder.write("<HealthData>\n\(steps("many"))</HealthData>", to: "export.xml")
    let bad = try await CommandRun.vigil(
      "import", "apple-health", "export.xml", "--user", "anna", "--quiet", in: folder)
    bad.expectFailure(65, mentioning: "export.xml:2: value: not a number")
  }
}

/// Presets for the files of devices.
@Suite struct PresetFileTests {
  @Test func theListNamesThoseThatShip() async throws {
    let run = try await CommandRun.vigil("import", "presets", in: TemporaryFolder())
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("\nwhoop-cycles"), "\(run.output)")
    let json = try await CommandRun.vigil(
      "import", "presets", "--format", "json", in: TemporaryFolder())
    #expect(json.output.contains("\"name\" : \"whoop-cycles\""), "\(json.output)")
  }

  @Test(arguments: DatabaseKind.allCases)
  func aFileOfOnesOwnWorksAsThoseThatShip(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder(kind)
    try folder.write(
      "{\"source\": \"watch\", \"columns\": {\"Datum\": \"metric_date\", \"Schritte\": \"steps\"}}",
      to: "watch.json")
    try folder.write("Datum;Schritte\n2026-06-01;8000\n", to: "daily.csv")
    let run = try await CommandRun.vigil(
      "import", "csv", "daily.csv", "--preset", "watch.json", "--user", "anna", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("(preset)    watch.json, source watch"), "\(run.errors)")
    let rows = try folder.database.rows("SELECT source, steps FROM wearable_daily_metrics")
    #expect(rows == ["watch|8000.0"])
    let unknown = try await CommandRun.vigil(
      "import", "csv", "daily.csv", "--preset", "whoop", in: folder)
    unknown.expectFailure(64, mentioning: "there is no preset 'whoop'", "whoop-cycles")
  }
}

/// The export of a person's own Fitbit account.
@Suite struct FitbitAccountFileTests {
  @Test(arguments: DatabaseKind.allCases)
  func anExportArrives(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder(kind)
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "in"), withIntermediateDirectories: false)
    try folder.write(
      "[{\"dateTime\": \"06/01/26 08:00:00\", \"value\": \"40\"}]", to: "in/steps-2026-06-01.json")
    let run = try await CommandRun.vigil("import", "fitbit", "in", "--user", "anna", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let rows = try folder.database.rows(
      "SELECT metric_date, source, steps FROM wearable_daily_metrics")
    #expect(rows == ["2026-06-01|fitbit|40.0"])
    let unknown = try await CommandRun.vigil("import", "fitbit", "in", in: folder)
    unknown.expectFailure(64, mentioning: "does not hold", "--user")
  }
}

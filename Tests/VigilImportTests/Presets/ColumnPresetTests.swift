import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct ColumnPresetTests {
  let folder: TemporaryFolder
  let recorder = InputRecorder()
  var options: ImportOptions

  init() throws {
    folder = try TemporaryFolder()
    options = ImportOptions(
      today: try #require(Day("2026-06-30")),
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), zones: .system, isStrict: true)
  }

  private func load(_ text: String, _ request: DailyFileRequest) throws -> ImportSummary {
    let path = try folder.write(text, to: "in.csv")
    return try DailyFileImport(path: path, request: request, options: options).load(into: recorder)
  }

  private func preset(_ json: String) throws -> ColumnPreset {
    try ColumnPreset(json: Data(json.utf8), file: "my.json")
  }

  @Test func thoseThatShipAreSoundAndNamedAsTheirFiles() throws {
    let presets = try ColumnPreset.shipped()
    #expect(presets.map(\.name) == presets.map(\.name).sorted())
    for preset in presets {
      #expect(try ColumnPreset.named(preset.name) == preset)
      #expect(preset.documentation?.hasPrefix("https://") == true)
      #expect(preset.about.count < 100)
      #expect(preset.source != nil)
    }
    let files = packageRoot.appendingPathComponent("Sources/VigilImport/Presets/Files").path
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: files).sorted()
        == presets.map { "\($0.name).json" })
  }

  @Test func readsWHOOPByTheDayOfWaking() throws {
    let text = """
      Cycle start time,Cycle end time,Wake onset,Resting heart rate (bpm),Asleep duration (min),Sleep efficiency %,Day Strain
      2026-06-01 23:10:00,2026-06-02 22:50:00,2026-06-02 07:05:00,52,421,93,11.2
      2026-06-02 22:50:00,,,,,,

      """
    let summary = try load(
      text, DailyFileRequest(user: "anna", preset: try .named("whoop-cycles")))
    let row = try #require(recorder.rows["wearable_daily_metrics"]?.first)
    #expect(row["metric_date"] == .day(try #require(Day("2026-06-02"))))
    #expect(row["source"] == .text("whoop"))
    #expect(row["sleep_minutes"] == .real(421))
    #expect(row["resting_hr"] == .real(52))
    #expect(summary.tables.map(\.rowsMerged) == [1])
    #expect(summary.tables.map(\.rowsWritten) == [1])
  }

  @Test func minutesWithAHeartRateAreThoseWornAndZeroIsNoValue() throws {
    let text = """
      ParticipantIdentifier,Date,Steps,RestingHeartRate,HeartRateIntradayMinuteCount
      anna,2026-06-01T00:00:00,8120,58,1391
      anna,2026-06-02T00:00:00,0,0,0

      """
    _ = try load(text, DailyFileRequest(preset: try .named("mydatahelps-fitbit")))
    let rows = try #require(recorder.rows["wearable_daily_metrics"])
    #expect(rows.map { $0["worn_minutes"] } == [.real(1391), .null])
    #expect(rows.map { $0["resting_hr"] } == [.real(58), .null])
    #expect(rows.map { $0["steps"] } == [.real(8120), .real(0)])
  }

  @Test func aPresetCanBeAnsweredBack() throws {
    let own = try preset(
      """
      {"source": "watch", "dates": "dmy", "columns": {"Datum": "metric_date", "Schlaf": "sleep_minutes:hours"}}
      """)
    #expect(own.name == "my.json")
    _ = try load(
      "Datum,Schlaf,steps,Puls\n01/02/2026,7,9,60\n",
      DailyFileRequest(
        user: "anna", source: "ring", preset: own,
        columns: [try ColumnAssignment("Puls=resting_hr")],
        dates: .mdy))
    let row = try #require(recorder.rows["wearable_daily_metrics"]?.first)
    #expect(row["metric_date"] == .day(try #require(Day("2026-01-02"))))
    #expect(row["source"] == .text("ring"))
    #expect(row["sleep_minutes"] == .real(420))
    #expect(row["resting_hr"] == .real(60))
    // A column that neither names is not read, though its name is known.
    #expect(row["steps"] == nil)
  }

  @Test(arguments: [
    ("nonsense", "the file is not JSON"), ("[]", "the file is no JSON object"),
    ("{}", "it has no columns"),
    (
      "{\"columns\": {\"A\": \"metric_date\"}, \"missing_zeros\": [\"B\"]}",
      "'missing_zeros' names 'B', which is none of its columns"
    ), ("{\"columns\": {}}", "it has no columns"),
    ("{\"colums\": {}}", "unknown key 'colums'; did you mean 'columns'?"),
    ("{\"columns\": {\"A\": \"steps\"}}", "no column is metric_date"),
    ("{\"columns\": {\"A\": \"stepps\"}}", "column 'A': 'stepps' is no column of daily metrics"),
    ("{\"columns\": {\"A\": \"steps:hours\"}}", "'hours' is no unit of steps"),
    ("{\"columns\": {\"A\": 1}}", "'columns' is not an object of texts"),
    (
      "{\"dates\": \"ymd\", \"columns\": {\"A\": \"metric_date\"}}",
      "'dates' is none of iso, dmy, mdy"
    ),
    ("{\"source\": 1, \"columns\": {\"A\": \"metric_date\"}}", "'source' is not a text"),
  ])
  func namesTheFaultOfAFile(json: String, reason: String) throws {
    let error = try #require(throws: ImportError.self) { try preset(json) }
    #expect(error.code == .badData)
    #expect(error.message.hasPrefix("preset my.json: "))
    #expect(error.message.contains(reason), "\(error)")
  }

  @Test func namesPresetsThatAreNotThere() throws {
    let unknown = try #require(throws: ImportError.self) { try ColumnPreset.named("whoop-cycle") }
    #expect(unknown.code == .usage)
    #expect(unknown.message.contains("did you mean 'whoop-cycles'?"))
    let missing = try #require(throws: ImportError.self) { try ColumnPreset.named("./no.json") }
    #expect(missing.code == .usage)
  }

  @Test func refusesAFileOfAnotherDevice() throws {
    let error = try #require(throws: ImportError.self) {
      try load(
        "date,steps\n2026-06-01,1\n",
        DailyFileRequest(user: "anna", preset: try .named("whoop-cycles")))
    }
    #expect(error.message.contains("not that of files for the preset whoop-cycles"))
    #expect(error.problems.count == 1)
    #expect(error.problems[0].contains("'Wake onset'"))
  }

  @Test(
    .enabled("needs ../shared/datasets") {
      FileManager.default.fileExists(atPath: sharedFile("datasets/fitbit2016/raw"))
    })
  func theFitbitPresetGivesWhatItsImportGives() throws {
    let raw = sharedFile("datasets/fitbit2016/raw")
    _ = try DailyFileImport(
      path: "\(raw)/dailyActivity_merged.csv",
      request: DailyFileRequest(preset: try .named("fitbit-daily")), options: options
    ).load(into: recorder)
    let other = InputRecorder()
    _ = try FitbitImport(folder: raw, options: options).load(into: other)
    func days(_ recorder: InputRecorder) -> Set<[String]> {
      Set(
        (recorder.rows["wearable_daily_metrics"] ?? []).compactMap { row in
          guard case .uuid(let id) = row["user_id"], case .day(let day) = row["metric_date"],
            case .real(let steps) = row["steps"], case .real(let minutes) = row["movement_minutes"]
          else { return nil }
          return [(recorder.ensuredUsers[id] ?? "") ?? "", "\(day)", "\(steps)", "\(minutes)"]
        })
    }
    #expect(days(recorder).count == 940)
    #expect(days(recorder) == days(other))
  }
}

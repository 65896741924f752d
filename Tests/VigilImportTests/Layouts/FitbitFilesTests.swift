import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct FitbitFilesTests {
  let folder: TemporaryFolder
  let recorder = InputRecorder()
  var options: ImportOptions

  init() throws {
    folder = try TemporaryFolder()
    options = ImportOptions(
      today: try #require(Day("2026-06-30")),
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), zones: .system, maxBadRowFraction: 1)
    for name in ["Fitbit", "Fitbit/Global Export Data", "Fitbit/Physical Activity"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: false)
    }
  }

  private func write(_ json: String, _ name: String, in part: String = "Global Export Data") throws
  {
    try folder.write(json, to: "Fitbit/\(part)/\(name)")
  }

  private func load() throws -> ImportSummary {
    try ArchiveImport(path: folder.path, kind: "fitbit", user: "anna", options: options)
      .load(into: recorder)
  }

  private var days: [String] {
    (recorder.rows["wearable_daily_metrics"] ?? []).map { row in
      guard case .day(let day) = row["metric_date"] else { return "no day" }
      let metrics = InputTable.wearableMetrics.compactMap { metric -> String? in
        guard case .real(let number) = row[metric.rawValue] else { return nil }
        return "\(metric.rawValue)=\(number)"
      }
      return (["\(day)"] + metrics).joined(separator: " ")
    }
  }

  private func sleep(
    _ log: Int, _ date: String, asleep: Int, awake: Int, inBed: Int, stages: Bool = true
  ) -> String {
    let summary =
      stages
      ? "\"deep\": {\"count\": 2, \"minutes\": 60}, \"rem\": {\"minutes\": 80}, \"light\": {\"minutes\": 200},"
        + " \"wake\": {\"minutes\": 9}"
      : "\"restless\": {\"minutes\": 5}, \"asleep\": {\"minutes\": 100}"
    return
      "{\"logId\": \(log), \"dateOfSleep\": \"\(date)\", \"startTime\": \"\(date)T00:10:00.000\","
      + " \"minutesAsleep\": \(asleep), \"minutesAwake\": \(awake), \"timeInBed\": \(inBed),"
      + " \"mainSleep\": true, \"levels\": {\"summary\": {\(summary)}}}"
  }

  @Test func archivesOfOneAccountAreMergedByTime() throws {
    let old = """
      [{"dateTime": "06/01/26 08:00:00", "value": "40"}, {"dateTime": "06/01/26 09:00:00", "value": "10"}]
      """
    let new = """
      [{"dateTime": "06/01/26 08:00:00", "value": "40"}, {"dateTime": "06/01/26 09:00:00", "value": "25"},
       {"dateTime": "06/02/26 08:00:00", "value": "7"}]
      """
    try write(old, "steps-2026-06-01.json")
    try write(new, "steps-2026-06-01.json", in: "Physical Activity")
    // A browser names a second download so.
    try write(new, "steps-2026-06-01 (1).json", in: "Physical Activity")
    let summary = try load()
    #expect(days == ["2026-06-01 steps=65.0", "2026-06-02 steps=7.0"])
    #expect(summary.repeatedFiles == ["Fitbit/Physical Activity/steps-2026-06-01 (1).json"])
    let table = try #require(summary.tables.first)
    #expect((table.rowsRead, table.rowsWritten) == (5, 2))
  }

  @Test func zerosAfterTheNewestValueSayNothing() throws {
    func entries(_ values: [Int]) -> String {
      "["
        + values.enumerated().map {
          "{\"dateTime\": \"06/\($0.offset + 25)/26 00:00:00\", \"value\": \"\($0.element)\"}"
        }.joined(separator: ", ") + "]"
    }
    // Up to the end of the month, which is in the future.
    try write(entries([25, 0, 30, 0, 0, 0]), "very_active_minutes-2026-06-25.json")
    try write(entries([15, 0, 0, 0, 0, 0]), "moderately_active_minutes-2026-06-25.json")
    try write(
      "[{\"dateTime\": \"07/15/26 00:00:00\", \"value\": \"0\"},"
        + " {\"dateTime\": \"07/16/26 00:00:00\", \"value\": \"3\"}]",
      "very_active_minutes-2026-07-15.json")
    let summary = try load()
    #expect(
      days == [
        "2026-06-25 movement_minutes=40.0", "2026-06-26 movement_minutes=0.0",
        "2026-06-27 movement_minutes=30.0",
      ])
    #expect(
      summary.firstProblems
        == ["very_active_minutes-2026-07-15.json:2: dateTime: date in the future"])
  }

  @Test func addsUpTheFilesOfAnAccount() throws {
    try write(
      """
      [{"dateTime": "06/01/26 08:00:00", "value": "40"}, {"dateTime": "06/01/26 23:59:00", "value": "60"},
       {"dateTime": "06/02/26 00:00:00", "value": "7"}]
      """, "steps-2026-06-01.json")
    try write(
      "[{\"dateTime\": \"06/01/26 00:00:00\", \"value\": \"13\"}]",
      "very_active_minutes-2026-06-01.json")
    try write(
      """
      [{"dateTime": "06/01/26 00:00:00", "value": "20"}, {"dateTime": "06/02/26 00:00:00", "value": "5"}]
      """, "moderately_active_minutes-2026-06-01.json")
    try write(
      """
      [{"dateTime": "06/01/26 00:00:00", "value": {"date": "06/01/26", "value": 58.25, "error": 6.8}},
       {"dateTime": "06/02/26 00:00:00", "value": {"date": null, "value": 0.0, "error": 0.0}}]
      """, "resting_heart_rate-2026-01-01.json")
    try write(
      """
      [{"dateTime": "06/01/26 00:00:00", "value": {"valuesInZones": {"BELOW_DEFAULT_ZONE_1": 1021.0,
        "IN_DEFAULT_ZONE_1": 300.0, "IN_DEFAULT_ZONE_2": 12.0, "IN_DEFAULT_ZONE_3": 0.0}}},
       {"dateTime": "06/02/26 00:00:00", "value": {"valuesInZones": {"BELOW_DEFAULT_ZONE_1": 0.0,
        "IN_DEFAULT_ZONE_1": 0.0, "IN_DEFAULT_ZONE_2": 0.0, "IN_DEFAULT_ZONE_3": 0.0}}}]
      """, "time_in_heart_rate_zones-2026-06-01.json")
    try write(
      "[\(sleep(1, "2026-06-02", asleep: 340, awake: 40, inBed: 380)), "
        + "\(sleep(2, "2026-06-02", asleep: 100, awake: 10, inBed: 120, stages: false))]",
      "sleep-2026-06-01.json")
    // The log is in the next file, too, and a minute of the steps in another folder.
    try write(
      "[\(sleep(1, "2026-06-02", asleep: 340, awake: 40, inBed: 380))]", "sleep-2026-06-02.json")
    try write(
      "[{\"dateTime\": \"06/01/26 08:00:00\", \"value\": \"40\"}]", "steps-2026-06-01.json",
      in: "Physical Activity")
    try write("[1]", "heart_rate-2026-06-01.json")
    let summary = try load()
    #expect(
      days == [
        "2026-06-01 steps=100.0 resting_hr=58.25 movement_minutes=33.0 worn_minutes=1333.0",
        "2026-06-02 steps=7.0 sleep_minutes=440.0 sleep_efficiency_pct=88.0 deep_sleep_minutes=60.0"
          + " rem_sleep_minutes=80.0 light_sleep_minutes=200.0 awake_minutes=50.0",
      ])
    let table = try #require(summary.tables.first)
    #expect((table.rowsRead, table.rowsWritten, table.rowsMerged) == (14, 2, 12))
    #expect(recorder.ensuredUsers[UUID(name: "anna")] == "anna")
    #expect(recorder.rows["wearable_daily_metrics"]?.first?["source"] == .text("fitbit"))
  }

  @Test func namesFileAndNumberOfEntriesThatCannotBeUsed() throws {
    try write(
      """
      [{"dateTime": "06/01/26 08:00:00", "value": "many"}, {"dateTime": "2026-06-01", "value": "1"},
       {"dateTime": "13/01/26 08:00:00", "value": "1"}, {"dateTime": "06/01/27 08:00:00", "value": "1"},
       {"dateTime": "06/01/26 08:00:00", "value": "-1"}, {"value": "1"},
       {"dateTime": "06/01/26 08:00:00", "value": "1"}]
      """, "steps-2026-06-01.json")
    try write(
      "[{\"dateOfSleep\": \"soon\"}, {\"dateOfSleep\": \"2026-06-01\"}]", "sleep-2026-06-01.json")
    let summary = try load()
    #expect(
      summary.firstProblems == [
        "sleep-2026-06-01.json:1: dateOfSleep: not a date (YYYY-MM-DD)",
        "sleep-2026-06-01.json:2: minutesAsleep: not a number",
        "steps-2026-06-01.json:1: value: not a number",
        "steps-2026-06-01.json:2: dateTime: not a time (MM/DD/YY HH:MM:SS)",
        "steps-2026-06-01.json:3: dateTime: not a time (MM/DD/YY HH:MM:SS)",
        "steps-2026-06-01.json:4: dateTime: date in the future",
        "steps-2026-06-01.json:5: value: negative",
        "steps-2026-06-01.json:6: dateTime: not a time (MM/DD/YY HH:MM:SS)",
      ])
    #expect(days == ["2026-06-01 steps=1.0"])
    #expect(summary.rowsQuarantined == 8)
    #expect(summary.rowsRead == 9)
  }

  @Test(arguments: ["", "[{\"dateTime\": \"06/01/26 08:0", "{}", "[1, 2]"])
  func refusesFilesOfAnotherForm(json: String) throws {
    try write(json, "steps-2026-06-01.json")
    let error = try #require(throws: ImportError.self) { try load() }
    #expect(error.code == .badData)
    #expect(error.message.hasPrefix("steps-2026-06-01.json is not in the layout"))
    #expect(recorder.rows.isEmpty)
  }

  @Test func refusesAFolderWithoutSuchFiles() throws {
    let error = try #require(throws: ImportError.self) { try load() }
    #expect(error.code == .usage)
    #expect(error.message.contains("steps-*.json"))
  }
}

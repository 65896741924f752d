import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct FitbitImportTests {
  private let options: ImportOptions

  init() throws {
    options = ImportOptions(
      today: try #require(Day("2026-06-30")),
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), zones: .system)
  }

  private static let activityHeader =
    "Id,ActivityDate,TotalSteps,VeryActiveMinutes,FairlyActiveMinutes,Calories"
  private static let sleepHeader =
    "Id,SleepDay,TotalSleepRecords,TotalMinutesAsleep,TotalTimeInBed"

  @Test func addsUpRecordsOfANightAndMergesRepeatedRows() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "\(Self.activityHeader)\r\n17,4/2/2016,6300,12,8,1900\r\n", to: FitbitImport.activityFile)
    try folder.write(
      Self.sleepHeader + "\n"
        + "17,4/2/2016 12:00:00 AM,1,300,330\n17,4/2/2016 12:00:00 AM,1,300,330\n"
        + "17,4/2/2016 12:00:00 AM,1,60,61\n",
      to: FitbitImport.sleepFile)
    let recorder = InputRecorder()
    let summary = try FitbitImport(folder: folder.path, options: options).load(into: recorder)

    let person = UUID(name: FitbitImport.idPrefix + "17", namespace: .urlNamespace)
    let rows = try #require(recorder.rows["wearable_daily_metrics"])
    #expect(rows.count == 2)
    #expect(rows.first?["steps"] == .real(6300))
    #expect(rows.first?["movement_minutes"] == .real(20))
    #expect(rows.last?["sleep_minutes"] == .real(360))
    #expect(rows.last?["sleep_efficiency_pct"] == .real(92.07))
    #expect(rows.last?["metric_date"] == .day(try #require(Day("2016-04-02"))))
    #expect(recorder.ensuredUsers == [person: "17"])
    let sleep = try #require(summary.tables.last)
    #expect(sleep.rowsRead == 3)
    #expect(sleep.rowsWritten == 1)
    #expect(sleep.rowsMerged == 2)
  }

  @Test func namesMissingFilesAndColumns() throws {
    let folder = try TemporaryFolder()
    try folder.write("Id,TotalSteps\n", to: FitbitImport.activityFile)
    let missing = try #require(throws: ImportError.self) {
      try FitbitImport(folder: folder.path, options: options)
    }
    #expect(missing.code == .usage)
    #expect(missing.message.contains(FitbitImport.sleepFile))
    try folder.write(Self.sleepHeader, to: FitbitImport.sleepFile)
    let layout = try #require(throws: ImportError.self) {
      try FitbitImport(folder: folder.path, options: options)
    }
    #expect(layout.code == .badData)
    #expect(layout.problems == ["dailyActivity_merged.csv: column 'ActivityDate' is missing"])
  }

  @Test(arguments: ["4/31/2016", "2016-04-12", "4/12/16", "a/b/2016", "4/12"])
  func refusesOtherDates(date: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "\(Self.activityHeader)\n17,\(date),1,1,1,1\n", to: FitbitImport.activityFile)
    try folder.write(Self.sleepHeader, to: FitbitImport.sleepFile)
    var options = options
    options.maxBadRowFraction = 1
    let recorder = InputRecorder()
    _ = try FitbitImport(folder: folder.path, options: options).load(into: recorder)
    #expect(recorder.quarantined.map(\.reason) == ["not a date (M/D/YYYY)"])
  }
}

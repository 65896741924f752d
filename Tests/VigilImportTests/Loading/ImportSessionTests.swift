import Foundation
import TestDatabases
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

/// Imports into a real database of either kind.
@Suite struct ImportSessionTests {
  @Test(arguments: DatabaseKind.allCases)
  func theSampleArrivesAndASecondImportChangesNothing(kind: DatabaseKind) throws {
    var database = try ImportDatabase(kind)
    // Doses of the sample's last day end when it is over in Los Angeles.
    database.options.now = try #require(Timestamp("2026-07-01T08:00:00Z"))
    let sample = packageRoot.appendingPathComponent("datasets/sample").path
    let first = try database.importCSV(sample)
    #expect(first.rowsQuarantined == 0)
    #expect(first.ignoredFiles == ["device_labels.csv", "dose_labels.csv", "labels.csv"])
    let days = try #require(try database.storage.metricDays())
    #expect("\(days.lowerBound) to \(days.upperBound)" == "2026-03-03 to 2026-06-30")
    #expect(try database.storage.persons(withDataIn: database.history).count == 12)
    let before = try database.contents()
    #expect(before.count > 1400)
    #expect(try database.importCSV(sample) == first)
    #expect(try database.contents() == before)
  }

  @Test(arguments: DatabaseKind.allCases)
  func tooManyBadRowsLeaveTheDatabaseAsItWas(kind: DatabaseKind) throws {
    let database = try ImportDatabase(kind)
    try database.write(
      "user_id,metric_date,source,steps\nanna,2026-06-01,fitbit,1\nben,2026-06-01,fitbit,x\n")
    let error = try #require(throws: ImportError.self) { try database.importCSV() }
    #expect(error.code == .badData)
    #expect(try database.storage.metricDays() == nil)
    #expect(try database.contents().isEmpty)
  }

  @Test(arguments: DatabaseKind.allCases)
  func anInterruptedImportLeavesTheDatabaseAsItWas(kind: DatabaseKind) throws {
    var database = try ImportDatabase(kind)
    let rows = (0..<5000).map { "p\($0),2026-06-01,fitbit,1" }.joined(separator: "\n")
    try database.write("user_id,metric_date,source,steps\n\(rows)\n")
    database.options.shouldStop = { true }
    let error = try #require(throws: ImportError.self) { try database.importCSV() }
    #expect(error.code == .interrupted)
    #expect(try database.storage.metricDays() == nil)
  }

  @Test(arguments: DatabaseKind.allCases)
  func scoresFromElsewhereReplaceComputedRowsAsAWhole(kind: DatabaseKind) throws {
    let database = try ImportDatabase(kind)
    try database.write("id\nanna\n", to: "users.csv")
    _ = try database.importCSV()
    let (anna, day) = (UUID(name: "anna"), try #require(Day("2026-06-01")))
    var score = VitalityScore(
      user: anna, day: day, total: 80, sleep: 81, movement: 82, stress: 83, schemaVersion: "v1",
      source: VitalityScore.computedSource)
    _ = try database.storage.write(
      BatchWrite(
        alertStates: [], notifications: [], queue: .shadow, runID: UUID(),
        writtenAt: Timestamp(microseconds: 0),
        vitality: VitalityWrite(scores: [score])))
    try database.write(
      "user_id,score_date,total_score,sleep_score,schema_version,source\nanna,2026-06-01,50,,3,app\n",
      to: "vitality_scores.csv")
    for _ in 1...2 { _ = try database.importCSV() }
    (score.total, score.sleep, score.movement, score.stress) = (50, nil, nil, nil)
    (score.schemaVersion, score.source) = ("3", "app")
    #expect(try database.storage.vitalityScores(of: [anna], in: day...day) == [score])
  }

  @Test(arguments: DatabaseKind.allCases)
  func exclusionsArriveWithPersonsWhoWereUnknown(kind: DatabaseKind) throws {
    let database = try ImportDatabase(kind)
    let rows = "subject_user_id,excluded_user_id\nanna,ben\nanna,cleo\n"
    try database.write(rows, to: "alert_recipient_exclusions.csv")
    let first = try database.importCSV()
    #expect(first.tables.map(\.personsAdded) == [3])
    let (anna, ben, cleo) = (UUID(name: "anna"), UUID(name: "ben"), UUID(name: "cleo"))
    let exclusions = try database.storage.makeReader().exclusions(of: [anna, ben, cleo])
    #expect(exclusions == [anna: [ben, cleo]])
    #expect(try database.importCSV().tables.map(\.personsAdded) == [0])
    #expect(
      try database.storage.persons(withExternalIDs: ["ben", "cleo"]) == ["ben": ben, "cleo": cleo])
  }

  @Test(arguments: DatabaseKind.allCases)
  func badRowsAreQuarantinedAndTheRestIsWritten(kind: DatabaseKind) throws {
    var database = try ImportDatabase(kind)
    database.options.maxBadRowFraction = 1
    try database.write(
      "user_id,metric_date,source,steps\nanna,2026-06-01,fitbit,1\nben,2026-06-01,fitbit,inf\n")
    let summary = try database.importCSV()
    #expect(summary.firstProblems == ["wearable_daily_metrics.csv:3: steps: not a finite number"])
    #expect(try database.storage.persons(withDataIn: database.history) == [UUID(name: "anna")])
  }

  @Test(arguments: DatabaseKind.allCases)
  func laterFilesUpdateOnlyTheColumnsTheyHave(kind: DatabaseKind) throws {
    let database = try ImportDatabase(kind)
    try database.write(
      "user_id,metric_date,source,steps,hrv_ms\nanna,2026-06-01,fitbit,100,40\n")
    _ = try database.importCSV()
    try database.write(
      "user_id,metric_date,source,steps\nanna,2026-06-01,fitbit,200\n")
    _ = try database.importCSV()
    let rows = try database.rows(
      of: [UUID(name: "anna")], metrics: ["steps", "hrv_ms"].map { MetricType($0) })
    #expect(rows == ["0 2026-06-01 fitbit [200.0, 40.0]"])
  }

  @Test(arguments: DatabaseKind.allCases)
  func onlyPersonsThatWereNotThereCountAsAdded(kind: DatabaseKind) throws {
    let database = try ImportDatabase(kind)
    let columns = "user_id,metric_date,source,steps"
    try database.write("\(columns)\nanna,2026-06-01,fitbit,1\n")
    #expect(try database.importCSV().tables.map(\.personsAdded) == [1])
    #expect(try database.importCSV().tables.map(\.personsAdded) == [0])
    try database.write(
      "\(columns)\nanna,2026-06-02,fitbit,1\nben,2026-06-02,fitbit,1\n")
    #expect(try database.importCSV().tables.map(\.personsAdded) == [1])
  }

  @Test(arguments: DatabaseKind.allCases)
  func errorsOfTheDatabasePassThrough(kind: DatabaseKind) throws {
    let database = try ImportDatabase(kind)
    _ = try database.storage.migrateDown(count: 100, at: Timestamp(microseconds: 0))
    try database.write("id\nanna\n", to: "users.csv")
    #expect(throws: StorageError.self) { try database.importCSV() }
  }
}

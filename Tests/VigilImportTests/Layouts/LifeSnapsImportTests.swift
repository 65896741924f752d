import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct LifeSnapsImportTests {
  private let folder: TemporaryFolder
  private var options: ImportOptions

  init() throws {
    folder = try TemporaryFolder()
    options = ImportOptions(
      today: try #require(Day("2026-06-30")),
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), zones: .system,
      maxBadRowFraction: 1)
  }

  private func load(_ text: String) throws -> (ImportSummary, InputRecorder) {
    let file = try folder.write(text, to: "daily_fitbit_sema_df_unprocessed.csv")
    let recorder = InputRecorder()
    let summary = try LifeSnapsImport(file: file, options: options).load(into: recorder)
    return (summary, recorder)
  }

  private static let header =
    ",id,date,badgeType,full_sleep_breathing_rate,spo2,rmssd,activityType,steps,resting_hr"
    + ",sleep_efficiency,minutesAsleep,minutesAwake,moderately_active_minutes"
    + ",very_active_minutes,age,gender,mood\n"

  @Test func readsADayWithItsActivities() throws {
    let (summary, recorder) = try load(
      Self.header
        + "0,621e2e8e,2021-05-24,\"[{'a': 1, 'b': 2}]\",14.8,96.5,89.603"
        + ",\"['Walk', 'Run', 'Walk']\",8833.0,62.07359,93.0,445.0,76.0,24.0,33.0,<30,MALE,HAPPY\n"
    )
    let person = UUID(name: LifeSnapsImport.idPrefix + "621e2e8e", namespace: .urlNamespace)
    let day = try #require(Day("2021-05-24"))
    #expect(
      recorder.rows["wearable_daily_metrics"] == [
        [
          "user_id": .uuid(person), "metric_date": .day(day), "source": .text("fitbit"),
          "steps": .real(8833), "sleep_minutes": .real(445), "hrv_ms": .real(89.603),
          "resting_hr": .real(62.07359), "sleep_efficiency_pct": .real(93),
          "breathing_rate": .real(14.8), "awake_minutes": .real(76), "spo2_avg_pct": .real(96.5),
          "skin_temperature_c": .null,
          "movement_minutes": .real(57), "worn_minutes": .null,
        ]
      ])
    #expect(
      recorder.rows["exercise_sessions"]?.map { $0["activity_type_name"] } == [
        .text("Walk"), .text("Run"),
      ])
    #expect(recorder.ensuredUsers == [person: "621e2e8e"])
    #expect(summary.tables.map(\.rowsMerged) == [0, 1])
  }

  @Test func movementNeedsBothPartsAndMissingStaysMissing() throws {
    let (_, recorder) = try load(
      Self.header + "1,a,2021-05-25,,,,,,,,,,,5.0,,,,\n2,a,2021-05-26,,,,,,,,,,,0.0,0.0,,,\n")
    let rows = try #require(recorder.rows["wearable_daily_metrics"])
    #expect(rows.map { $0["movement_minutes"] } == [.null, .real(0)])
    #expect(rows.map { $0["steps"] } == [.null, .null])
    #expect(recorder.rows["exercise_sessions"] == nil)
  }

  @Test func minutesWithAHeartRateAreThoseWorn() throws {
    let header =
      "id,date,steps,minutes_in_default_zone_1,minutes_below_default_zone_1"
      + ",minutes_in_default_zone_2,minutes_in_default_zone_3\n"
    let (_, recorder) = try load(
      header + "a,2021-05-25,9,83.0,1349.0,4.0,0.0\na,2021-05-26,9,0.0,0.0,0.0,0.0\n"
        + "a,2021-05-27,9,1.0,,0.0,0.0\n")
    let rows = try #require(recorder.rows["wearable_daily_metrics"])
    #expect(rows.map { $0["worn_minutes"] } == [.real(1436), .null, .null])
  }

  @Test func theTemperatureOfTheNightIsThatOfTheSkin() throws {
    let (_, recorder) = try load(
      "id,date,nightly_temperature,steps\na,2021-05-25,34.137,9\na,2021-05-26,,9\n")
    let rows = try #require(recorder.rows["wearable_daily_metrics"])
    #expect(rows.map { $0["skin_temperature_c"] } == [.real(34.137), .null])
  }

  @Test func badRowsAreNamedByThePublishedColumn() throws {
    let (_, recorder) = try load(
      Self.header + "1,a,2021-05-25,,,,-1,,,,,,,,,,,\n2,,2021-05-26,,,,,,,,,,,,,,,\n")
    #expect(
      recorder.quarantined.map { "\($0.line ?? 0) \($0.column ?? "-") \($0.reason)" } == [
        "2 rmssd negative", "3 id missing",
      ])
  }

  @Test func saysWhenThereIsNoFile() throws {
    let error = try #require(throws: ImportError.self) {
      try LifeSnapsImport(file: folder.file("none.csv"), options: options)
    }
    #expect(error.code == .usage)
  }

  @Test func refusesAnotherLayout() throws {
    let error = try #require(throws: ImportError.self) { try load("user,day\n1,2\n") }
    #expect(error.code == .badData)
    #expect(error.problems.count == 2)
  }

  @Test(arguments: [
    ("", []), ("[]", []), ("['Walk']", ["Walk"]), ("{'Walk', 'Run'}", ["Walk", "Run"]),
    (#"["Driver's Ed", 'It\'s']"#, ["Driver's Ed", "It's"]), ("Swim", ["Swim"]),
    ("['a, b']", ["a, b"]),
  ])
  func readsListsAsPythonPrintsThem(text: String, words: [String]) {
    #expect(LifeSnapsImport.activityTypes(in: text) == words)
  }
}

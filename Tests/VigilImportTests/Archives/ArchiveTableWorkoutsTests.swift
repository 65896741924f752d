import Foundation
import GRDB
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct ArchiveTableWorkoutsTests {
  let folder: TemporaryFolder
  let recorder = InputRecorder()
  let options: ImportOptions

  init() throws {
    folder = try TemporaryFolder()
    options = ImportOptions(
      today: try #require(Day("2026-06-30")),
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), zones: .system, maxBadRowFraction: 1)
  }

  private func open(_ timeZone: String? = nil) throws -> AutoImport {
    try AutoImport(
      path: folder.path, request: .init(user: "anna", timeZone: timeZone), options: options)
  }

  /// The sessions of an export, as `date activity start end`.
  private func sessions() -> [String] {
    (recorder.rows["exercise_sessions"] ?? []).map { row in
      ["metric_date", "activity_type_name", "started_at", "ended_at"].map { column in
        switch row[column] {
        case .day(let day): "\(day)"
        case .text(let text): text
        case .timestamp(let time): "\(time)".replacing(".000000", with: "")
        default: "-"
        }
      }.joined(separator: " ")
    }
  }

  private func leftOut(_ source: AutoImport) -> [String] {
    source.interpretation?.ignored ?? []
  }

  // MARK: Sources

  @Test func readsWhoop() throws {
    let header =
      "Cycle start time,Cycle end time,Cycle timezone,Workout start time,Workout end time,Duration (min),Activity name"
    try folder.write(
      """
      \(header)
      2026-05-31 23:00:00,,UTC-04:00,2026-06-01 23:30:00,2026-06-02 00:10:00,40,Running
      2026-05-31 23:00:00,,UTC-04:00,2026-06-01 12:00:00,2026-06-01 12:20:00,20,Walking
      2026-05-31 23:00:00,,UTC-04:00,2026-06-01 13:00:00,2026-06-01 13:20:00,20,Walking
      """, to: "workouts.csv")
    let source = try open()
    #expect(source.interpretation?.form == ["whoop", "1 file", "no day"])
    #expect(
      source.interpretation?.columns.last
        == .init(name: "exercise_sessions", meaning: "from workouts.csv (1 workout)"))
    #expect(leftOut(source) == ["Walking (2 workouts)"])
    let summary = try source.load(into: recorder)
    #expect(sessions() == ["2026-06-01 Running 2026-06-02T03:30:00Z 2026-06-02T04:10:00Z"])
    #expect(summary.tables.map(\.rowsRead) == [0, 1])
    #expect(summary.tables.map(\.rowsWritten) == [0, 1])
  }

  @Test(arguments: ["from,to", "von,bis", "de,a"])
  func readsWithings(names: String) throws {
    try folder.write(
      """
      \(names),"from (manual)","to (manual)",Timezone,"Activity type",Data
      2026-06-01T23:30:00+02:00,2026-06-02T00:10:00+02:00,,,Europe/Berlin,Swimming,"{""calories"":1}"
      2026-06-02T08:00:00+02:00,2026-06-02T08:10:00+02:00,,,Europe/Berlin,Walking,{}
      """, to: "activities.csv")
    _ = try open().load(into: recorder)
    #expect(sessions() == ["2026-06-01 Swimming 2026-06-01T21:30:00Z 2026-06-01T22:10:00Z"])
  }

  @Test func readsBothLayoutsOfFitbit() throws {
    try folder.write(
      """
      [{"logId": 1, "activityName": "Run", "startTime": "06/01/26 18:00:12", "duration": 1800000},
       {"logId": 2, "activityName": "Walk", "startTime": "06/02/26 18:00:12", "logType": "auto_detected"}]
      """, to: "exercise-0.json")
    try folder.write(
      """
      exercise_id,exercise_start,exercise_end,utc_offset,activity_name
      1,2026-06-03T20:30:00Z,2026-06-03T21:00:00Z,+05:30,Bike
      2,2026-06-03T20:30:00Z,2026-06-03T21:00:00Z,+05:30,Outdoor Walk
      """, to: "UserExercises_2026-06-01.csv")
    let source = try open("Europe/Berlin")
    #expect(leftOut(source) == ["Outdoor Walk (1 workout)", "Walk (1 workout)"])
    _ = try source.load(into: recorder)
    #expect(
      sessions() == [
        "2026-06-01 Run - -", "2026-06-04 Bike 2026-06-03T20:30:00Z 2026-06-03T21:00:00Z",
      ])
  }

  @Test func readsGarmin() throws {
    try folder.write(
      """
      [{"summarizedActivitiesExport": [
        {"activityId": 1, "activityType": "running", "beginTimestamp": 1780347600000, "startTimeLocal": 1780354800000.0},
        {"activityId": 2, "activityType": "casual_walking", "startTimeLocal": 1780354800000}]}]
      """, to: "anna_0_summarizedActivities.json")
    _ = try open().load(into: recorder)
    #expect(sessions() == ["2026-06-01 running - -"])
  }

  @Test func readsBothLayoutsOfOura() throws {
    try folder.write(
      """
      id;activity;calories;day;distance;end_datetime;intensity;label;source;start_datetime
      a;cycling;300;2026-06-01;0;2026-06-01T19:00:00.000+02:00;moderate;;confirmed;2026-06-01T18:00:00.000+02:00
      b;walking;30;2026-06-01;0;2026-06-01T13:00:00.000+02:00;easy;;autodetected;2026-06-01T12:00:00.000+02:00
      c;houseWork;30;2026-06-01;0;2026-06-01T13:00:00.000+02:00;easy;;autodetected;2026-06-01T12:00:00.000+02:00
      """, to: "workout.csv")
    try folder.write(
      #"{"workout": [{"activity": "yoga", "day": "2026-06-02"}]}"#, to: "oura.json")
    _ = try open().load(into: recorder)
    #expect(
      sessions() == [
        "2026-06-01 cycling 2026-06-01T16:00:00Z 2026-06-01T17:00:00Z", "2026-06-02 yoga - -",
      ])
  }

  @Test func readsSamsungHealth() throws {
    let prefix = "com.samsung.health.exercise"
    try folder.write(
      """
      com.samsung.shealth.exercise,6320001,17
      \(prefix).start_time,\(prefix).end_time,\(prefix).time_offset,\(prefix).exercise_type,\(prefix).datauuid
      2026-06-01 22:30:00.000,2026-06-01 23:00:00.000,UTC+0900,1002,a,
      2026-06-01 22:30:00.000,2026-06-01 23:00:00.000,UTC+0900,1001,b,
      2026-06-03 22:30:00.000,2026-06-03 23:00:00.000,UTC+0900,99,c,
      """, to: "com.samsung.shealth.exercise.20260602.csv")
    let source = try open()
    #expect(leftOut(source) == ["walking (1 workout)"])
    _ = try source.load(into: recorder)
    #expect(
      sessions() == [
        "2026-06-02 running 2026-06-01T22:30:00Z 2026-06-01T23:00:00Z",
        "2026-06-04 99 2026-06-03T22:30:00Z 2026-06-03T23:00:00Z",
      ])
  }

  /// Polar writes `NaN`, which is no JSON, for what a sensor did not measure.
  @Test func readsBothLayoutsOfPolar() throws {
    try folder.write(
      """
      {"startTime": "2026-06-01T18:00:00.000", "name": "a NaN, in a \\"name\\": NaN",
       "exercises": [{"startTime": "2026-06-01T18:00:00.000", "sport": "RUNNING",
         "samples": {"speed": [{"value": NaN},{"value":NaN}, {"value": -Infinity}]}}]}
      """, to: "training-session-2026-06-01-1-a.json")
    try folder.write(
      """
      {"startTime": "2026-06-02T18:00:00", "sport": {"id": "2"}, "timezoneOffsetMinutes": 120,
       "exercises": [{"startTime": "2026-06-02T18:00:00", "sport": {"id": "2"}, "samples": [NaN, NaN, 18.0]}]}
      """, to: "training-session_2026-06-02T18-00-00_1-a.json")
    try folder.write(
      #"{"exercises": [{"startTime": "2026-06-03T18:00:00", "sport": {"id": "3"}}]}"#,
      to: "training-session_2026-06-03T18-00-00_1-a.json")
    _ = try open().load(into: recorder)
    #expect(sessions() == ["2026-06-01 RUNNING - -", "2026-06-02 cycling - -"])
  }

  @Test func readsHealthConnect() throws {
    let database = try DatabaseQueue(path: folder.file("health_connect_export.db"))
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE exercise_session_record_table (row_id INTEGER PRIMARY KEY, app_info_id INTEGER,
            start_time INTEGER, start_zone_offset INTEGER, end_time INTEGER, end_zone_offset INTEGER,
            exercise_type INTEGER);
          """)
      let start = try #require(Timestamp("2026-06-01T22:30:00Z")).microseconds / 1_000
      for (offset, type) in [(7_200, 33), (-12_600, 57), (nil, 45), (7_200, 53)] {
        try db.execute(
          sql: "INSERT INTO exercise_session_record_table VALUES (NULL, 1, ?, ?, ?, 0, ?)",
          arguments: [start, offset, start + 1_800_000, type])
      }
    }
    try database.close()
    _ = try open().load(into: recorder)
    let times = "2026-06-01T22:30:00Z 2026-06-01T23:00:00Z"
    #expect(
      sessions() == [
        "2026-06-02 running \(times)", "2026-06-01 yoga \(times)",
        "2026-06-01 strength training \(times)",
      ])
  }

  // MARK: Faults

  @Test func countsAWorkoutOnceAndNamesOneThatCannotBeUsed() throws {
    try folder.write(
      """
      from,to,Activity type
      2026-06-01T18:00:00+02:00,2026-06-01T19:00:00+02:00,Running
      2026-06-01T18:00:00+02:00,2026-06-01T19:30:00+02:00,Running
      2026-13-01T18:00:00+02:00,2026-06-01T19:00:00+02:00,Running
      2026-07-02T18:00:00+02:00,2026-07-02T19:00:00+02:00,Running
      2026-06-02T18:00:00+02:00,Running
      """, to: "activities.csv")
    let source = try open()
    #expect(
      source.contents?.firstProblems == [
        "activities.csv:4: from: not a date (YYYY-MM-DD)",
        "activities.csv:5: from: date in the future",
        "activities.csv:6: 2 fields where the header has 3",
      ])
    let summary = try source.load(into: recorder)
    #expect(sessions() == ["2026-06-01 Running 2026-06-01T16:00:00Z 2026-06-01T17:30:00Z"])
    let table = try #require(summary.tables.last)
    #expect(table.rowsRead == 5 && table.rowsQuarantined == 3 && table.rowsMerged == 1)
    #expect(recorder.quarantined.map(\.table) == Array(repeating: "exercise_sessions", count: 3))
  }

  @Test func anExportOfWalksAloneHasNothingToImport() throws {
    try folder.write(
      "from,to,Activity type\n2026-06-01T18:00:00Z,2026-06-01T19:00:00Z,Walking\n",
      to: "activities.csv")
    let error = try #require(throws: ImportError.self) { try open() }
    #expect(error.message.contains("has no day with a value"))
  }
}

import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct CSVFolderImportTests {
  let folder: TemporaryFolder
  let recorder = InputRecorder()
  var options: ImportOptions

  init() throws {
    folder = try TemporaryFolder()
    options = ImportOptions(
      today: try #require(Day("2026-06-30")),
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), zones: .system,
      maxBadRowFraction: 1)
  }

  private func load() throws -> ImportSummary {
    try CSVFolderImport(folder: folder.path, options: options).load(into: recorder)
  }

  private func metrics(_ rows: String...) throws {
    try folder.write(
      (["user_id,metric_date,source,steps"] + rows).joined(separator: "\n") + "\n",
      to: "wearable_daily_metrics.csv")
  }

  @Test func readsColumnsByNameInAnyOrder() throws {
    try folder.write(
      "source,steps,metric_date,user_id\nfitbit,6300,2026-06-01,anna\n,1,2026-06-01,anna\n",
      to: "wearable_daily_metrics.csv")
    let summary = try load()
    #expect(
      recorder.rows["wearable_daily_metrics"] == [
        [
          "user_id": .uuid(UUID(name: "anna")), "source": .text("fitbit"), "steps": .real(6300),
          "metric_date": .day(try #require(Day("2026-06-01"))),
        ]
      ])
    #expect(
      recorder.quarantined == [
        QuarantinedRow(
          table: "wearable_daily_metrics", file: "wearable_daily_metrics.csv", line: 3,
          column: "source", reason: "missing")
      ])
    let table = try #require(summary.tables.first)
    #expect(table.rowsRead == 2)
    #expect(table.rowsWritten == 1)
    #expect(table.rowsQuarantined == 1)
    #expect(
      summary.firstProblems == ["wearable_daily_metrics.csv:3: source: missing"])
  }

  @Test func readsCheckInsAndPlans() throws {
    try folder.write(
      """
      user_id,checked_in_at,kind
      anna,2026-06-01T09:00:00+02:00,
      anna,2026-06-02T09:00:00Z,responder
      anna,2026-06-03T09:00:00Z,unasked

      """, to: "check_ins.csv")
    try folder.write(
      """
      user_id,interval_minutes,grace_minutes,starts_at,reminder_minutes
      anna,1440,,2026-06-01T00:00:00Z,60
      ben,0,0,2026-06-01T00:00:00Z,
      cleo,60,5256001,2026-06-01T00:00:00Z,
      dora,60,0,2026-06-01T00:00:00Z,60
      emil,60,0,2026-06-01T00:00:00Z,0

      """, to: "check_in_plans.csv")
    try folder.write(
      "user_id,weekday,starts_at,ends_at\nanna,6,22:00,07:30:00\nanna,7,22:00,07:30\nanna,0,22:00,\n",
      to: "do_not_disturb.csv")
    _ = try load()
    let anna = InputValue.uuid(UUID(name: "anna"))
    #expect(
      recorder.rows["do_not_disturb"] == [
        [
          "user_id": anna, "weekday": .integer(6), "starts_at": .text("22:00"),
          "ends_at": .text("07:30"),
        ]
      ])
    #expect(
      recorder.rows["check_ins"] == [
        [
          "user_id": anna, "kind": .text("manual"),
          "checked_in_at": .timestamp(try #require(Timestamp("2026-06-01T07:00:00Z"))),
        ],
        [
          "user_id": anna, "kind": .text("responder"),
          "checked_in_at": .timestamp(try #require(Timestamp("2026-06-02T09:00:00Z"))),
        ],
      ])
    #expect(
      recorder.rows["check_in_plans"] == [
        [
          "user_id": anna, "interval_minutes": .integer(1_440), "grace_minutes": .integer(0),
          "starts_at": .timestamp(try #require(Timestamp("2026-06-01T00:00:00Z"))),
          "reminder_minutes": .integer(60),
        ]
      ])
    #expect(
      recorder.quarantined.map { "\($0.line ?? 0) \($0.column ?? "") \($0.reason)" } == [
        "4 kind not one of manual, automatic, responder",
        "3 interval_minutes not from 1 to 5256000 minutes",
        "4 grace_minutes not from 0 to 5256000 minutes",
        "5 reminder_minutes not before the end of the interval",
        "6 reminder_minutes not from 1 to 5256000 minutes",
        "3 weekday not a weekday from 0 (Sunday) to 6", "4 ends_at missing",
      ])
  }

  @Test func readsLimitsAndRefusesThoseThatCannotBe() throws {
    try folder.write(
      """
      user_id,metric_type,direction,limit_value,days,severity,starts_on,ends_on,set_by,note
      anna,resting_hr,above,100,3,critical,2026-05-01,2026-06-30,Dr. Lee,after the new tablets
      anna,spo2_avg_pct,below,90,,,2026-05-01,2026-06-30,Dr. Lee,
      anna,spo2_avg_pct,below,190,,,2026-05-02,2026-06-30,Dr. Lee,
      anna,spo2,below,90,,,2026-05-01,2026-06-30,Dr. Lee,
      anna,resting_hrs,below,90,,,2026-05-01,2026-06-30,Dr. Lee,
      anna,inactivity,above,9,,,2026-05-01,2026-06-30,Dr. Lee,
      anna,steps,below,-1,,,2026-05-01,2026-06-30,Dr. Lee,
      anna,steps,below,100,8,,2026-05-01,2026-06-30,Dr. Lee,
      anna,steps,near,100,,,2026-05-01,2026-06-30,Dr. Lee,
      anna,steps,below,100,,red,2026-05-01,2026-06-30,Dr. Lee,
      anna,steps,below,100,,,2026-05-01,2026-04-30,Dr. Lee,
      anna,steps,below,100,,,2026-05-01,,Dr. Lee,
      anna,steps,below,100,,,2026-05-01,2026-06-30,,
      anna,steps,below,many,,,2026-05-01,2026-06-30,Dr. Lee,

      """, to: "person_limits.csv")
    _ = try load()
    let first = try #require(recorder.rows["person_limits"]?.first)
    #expect(first["days"] == .integer(3) && first["note"] == .text("after the new tablets"))
    let second = try #require(recorder.rows["person_limits"]?.dropFirst().first)
    #expect(second["days"] == .integer(1) && second["severity"] == .text("attention"))
    #expect(recorder.rows["person_limits"]?.count == 3, "spo2 may be a column of the operator's")
    let problems = recorder.quarantined.map { "\($0.line ?? 0) \($0.column ?? "") \($0.reason)" }
    #expect(
      problems == [
        "4 limit_value not from 50 to 100, which days can have",
        "6 metric_type unknown; did you mean resting_hr?",
        "7 metric_type not measured by wearables",
        "8 limit_value not from 0 to 200000, which days can have",
        "9 days not from 1 to 7 days", "10 direction not one of below, above",
        "11 severity not one of watch, attention, critical", "12 ends_on before starts_on",
        "13 ends_on missing", "14 set_by missing", "15 limit_value not a number",
      ])
  }

  @Test func readsSensitivities() throws {
    try folder.write(
      """
      user_id,metric_type,sensitivity
      anna,steps,lower
      anna,hrv_ms,sometimes
      ben,,off

      """, to: "sensitivity_overrides.csv")
    _ = try load()
    #expect(
      recorder.rows["sensitivity_overrides"] == [
        [
          "user_id": .uuid(UUID(name: "anna")), "metric_type": .text("steps"),
          "sensitivity": .text("lower"),
        ]
      ])
    #expect(
      recorder.quarantined.map { "\($0.line ?? 0) \($0.column ?? "") \($0.reason)" } == [
        "3 sensitivity not one of off, lower, normal, higher", "4 metric_type missing",
      ])
  }

  @Test func readsWhoIsCalledUpon() throws {
    try folder.write(
      """
      user_id,caregiver_id,priority
      anna,ben,1
      anna,cleo,0
      anna,anna,2
      anna,dora,1001

      """, to: "caregiver_priority.csv")
    try folder.write(
      "user_id,weekday,starts_at,ends_at\nben,1,08:00,20:00\nben,8,08:00,20:00\n",
      to: "caregiver_availability.csv")
    let long = String(repeating: "9", count: 321)
    try folder.write(
      """
      id,user_id,priority,channel,address,language,opted_in_at
      c1,anna,1,sms,+34600000001,es,2026-06-01T09:00:00+02:00
      c2,anna,2,email,neighbour@example.org,,
      c3,anna,3,push,+34600000003,,
      c4,anna,3,sms,,,
      c5,anna,3,sms,\(long),,
      c6,anna,3,sms,+346\u{7F}1,,
      c7,anna,3,sms,+34600000007,Spanish,

      """, to: "emergency_contacts.csv")
    let summary = try load()
    let (anna, ben) = (InputValue.uuid(UUID(name: "anna")), InputValue.uuid(UUID(name: "ben")))
    #expect(
      recorder.rows["caregiver_priority"] == [
        ["user_id": anna, "caregiver_id": ben, "priority": .integer(1)]
      ])
    #expect(
      recorder.rows["caregiver_availability"] == [
        [
          "user_id": ben, "weekday": .integer(1), "starts_at": .text("08:00"),
          "ends_at": .text("20:00"),
        ]
      ])
    let agreed = try #require(Timestamp("2026-06-01T07:00:00Z"))
    #expect(
      recorder.rows["emergency_contacts"] == [
        [
          "id": .uuid(UUID(name: "c1")), "user_id": anna, "priority": .integer(1),
          "channel": .text("sms"), "address": .text("+34600000001"), "language": .text("es"),
          "opted_in_at": .timestamp(agreed), "created_at": .timestamp(options.now),
        ],
        [
          "id": .uuid(UUID(name: "c2")), "user_id": anna, "priority": .integer(2),
          "channel": .text("email"), "address": .text("neighbour@example.org"),
          "language": .null, "opted_in_at": .null, "created_at": .timestamp(options.now),
        ],
      ])
    #expect(
      recorder.quarantined.map { "\($0.line ?? 0) \($0.column ?? "") \($0.reason)" } == [
        "3 priority not a priority from 1, which is called first, to 1000",
        "4 caregiver_id the same person as user_id",
        "5 priority not a priority from 1, which is called first, to 1000",
        "3 weekday not a weekday from 0 (Sunday) to 6",
        "4 channel not one of sms, call, email", "5 address missing",
        "6 address longer than 320 characters", "7 address holds a control character",
        "8 language not a language such as en or pt-BR",
      ])
    #expect(summary.firstProblems.allSatisfy { !$0.contains("+346") && !$0.contains("999") })
  }

  @Test func createsPersonsOnceAndKeepsTheirOriginalID() throws {
    let id = UUID(name: "someone")
    try folder.write("id,display_name\nanna,Anna\n", to: "users.csv")
    try metrics(
      "anna,2026-06-01,fitbit,1", "ben,2026-06-01,fitbit,2", "ben,2026-06-02,fitbit,3",
      "\(id.uuidString),2026-06-02,fitbit,3")
    let summary = try load()
    #expect(recorder.ensuredUsers == [UUID(name: "ben"): "ben", id: nil])
    #expect(recorder.rows["users"]?.first?["external_id"] == .text("anna"))
    #expect(recorder.rows["users"]?.first?["id"] == .uuid(UUID(name: "anna")))
    #expect(summary.tables.map(\.personsAdded) == [0, 2])
  }

  @Test func aUserWithoutExternalIDDoesNotTouchTheStoredOne() throws {
    let id = UUID(name: "someone")
    try folder.write("id\n\(id.lowercased)\nanna\n", to: "users.csv")
    _ = try load()
    #expect(
      recorder.rows["users"] == [
        ["id": .uuid(id)], ["id": .uuid(UUID(name: "anna")), "external_id": .text("anna")],
      ])
  }

  @Test func anExternalIDInTheFileComesBeforeTheOriginalID() throws {
    try folder.write("id,external_id\nanna,A-1\nben,\n", to: "users.csv")
    _ = try load()
    #expect(recorder.rows["users"]?.map { $0["external_id"] } == [.text("A-1"), .text("ben")])
  }

  @Test func derivesTheIDOfAnExerciseSession() throws {
    try folder.write(
      "user_id,metric_date,activity_type_name\nanna,2026-06-01,Run\nanna,2026-06-01,Swim\n"
        + "anna,2026-06-01,Run\n",
      to: "exercise_sessions.csv")
    let summary = try load()
    let ids = recorder.rows["exercise_sessions"]?.compactMap { $0["id"] } ?? []
    let anna = UUID(name: "anna").lowercased
    #expect(
      ids == [
        .uuid(UUID(name: "exercise_sessions:\(anna):2026-06-01:Run:")),
        .uuid(UUID(name: "exercise_sessions:\(anna):2026-06-01:Swim:")),
      ])
    #expect(summary.tables.first?.rowsMerged == 1)
  }

  @Test func mergesRepeatedRowsAndRefusesContradictions() throws {
    try metrics(
      "anna,2026-06-01,fitbit,100", "anna,2026-06-02,fitbit,200", "anna,2026-06-01,fitbit,100.0",
      "anna,2026-06-01,fitbit,101", "anna,2026-06-01,fitbit,100", "anna,2026-06-01,oura,101")
    let summary = try load()
    let table = try #require(summary.tables.first)
    #expect(table.rowsWritten == 3)
    #expect(table.rowsMerged == 2)
    #expect(recorder.quarantined.map(\.line) == [5])
    #expect(
      recorder.quarantined.first?.reason
        == "duplicate key (user_id, metric_date, source) with other values")
  }

  @Test func everyBadRowIsQuarantinedAndTheRestIsRead() throws {
    try metrics(
      "anna,2026-06-01,fitbit,NaN", "anna,2026-07-09,fitbit,1", "anna,2026-06-03,fitbit,-4",
      "anna,2026-06-04,fitbit,\"1,5\"", ",2026-06-05,fitbit,1", "anna,2026-06-06,fitbit",
      "anna,2026-06-07,fitbit,", "anna,2026-06-08,fitbit,1e9")
    _ = try load()
    #expect(
      recorder.quarantined.map { "\($0.line ?? 0) \($0.column ?? "-") \($0.reason)" } == [
        "2 steps not a finite number", "3 metric_date date in the future", "4 steps negative",
        "5 steps not a number", "6 user_id missing", "7 - 3 fields where the header has 4",
      ])
    #expect(recorder.rows["wearable_daily_metrics"]?.map { $0["steps"] } == [.null, .real(1e9)])
  }

  @Test func namesAllHeaderProblemsOfAllFilesAtOnce() throws {
    try folder.write("id,emial,id\n", to: "users.csv")
    try folder.write("user_id,step\n", to: "wearable_daily_metrics.csv")
    try folder.write("", to: "family_members.csv")
    try folder.write("secret-7,81.5\n", to: "user_profiles.csv")
    let error = try #require(throws: ImportError.self) { try load() }
    #expect(error.code == .badData)
    #expect(
      error.problems.filter { !$0.hasPrefix("user_profiles.csv") } == [
        "users.csv: unknown column 'emial'; did you mean 'email'?",
        "users.csv: column 'id' is there more than once",
        "family_members.csv is empty; its first line must name the columns",
        "wearable_daily_metrics.csv: unknown column 'step'; did you mean 'steps'?",
        "wearable_daily_metrics.csv: column 'metric_date' is missing",
        "wearable_daily_metrics.csv: column 'source' is missing",
      ])
    #expect(error.description.contains("user_profiles.csv: the first line names no column"))
    #expect(!error.description.contains("secret-7") && !error.description.contains("81.5"))
    #expect(recorder.rows.isEmpty)
  }

  @Test func namesOtherFilesAndLeavesThemAlone() throws {
    try metrics("anna,2026-06-01,fitbit,1")
    try folder.write("x", to: "notes.txt")
    try folder.write("x", to: "labels.csv")
    try folder.write("x", to: ".hidden")
    #expect(try load().ignoredFiles == ["labels.csv", "notes.txt"])
  }

  @Test func readsTheFilesOfAnArchive() throws {
    let users = "id,external_id\n6F9619FF-8B86-D011-B42D-00C04FC964FF,anna\n"
    for prefix in ["", "export/"] {
      try TestArchive.write(
        [(prefix + "users.csv", users), (prefix + "notes.txt", "x"), ("other/read.me", "x")],
        to: folder.file("tables.zip"))
      let recorder = InputRecorder()
      let summary = try CSVFolderImport(folder: folder.file("tables.zip"), options: options).load(
        into: recorder)
      #expect(recorder.rows["users"]?.count == 1)
      #expect(summary.ignoredFiles == [prefix + "notes.txt"])
    }
    try TestArchive.write(
      [("a/users.csv", users), ("b/users.csv", users)], to: folder.file("two.zip"))
    let error = try #require(throws: ImportError.self) {
      try CSVFolderImport(folder: folder.file("two.zip"), options: options)
    }
    #expect(error.code == .usage)
    #expect(error.message.contains("two.zip holds tables in several folders: a/, b/;"))
  }

  @Test func saysWhenThereIsNothingToImport() throws {
    try folder.write("x", to: "notes.txt")
    let nothing = try #require(throws: ImportError.self) { try load() }
    #expect(nothing.code == .usage)
    #expect(nothing.message.contains("users.csv"))
    let noFolder = try #require(throws: ImportError.self) {
      try CSVFolderImport(folder: folder.file("none"), options: options)
    }
    #expect(noFolder.code == .usage)
    let aFile = try #require(throws: ImportError.self) {
      try CSVFolderImport(folder: folder.file("notes.txt"), options: options)
    }
    #expect(aFile.code == .usage)
  }

  @Test mutating func strictEndsAtTheFirstBadRow() throws {
    options.isStrict = true
    try metrics("anna,2026-06-01,fitbit,1", "anna,2026-06-02,fitbit,x", "anna,x,fitbit,x")
    let error = try #require(throws: ImportError.self) { try load() }
    #expect(error.code == .badData)
    #expect(error.problems == ["wearable_daily_metrics.csv:3: steps: not a number"])
    #expect(recorder.quarantined.isEmpty)
  }

  @Test mutating func tooManyBadRowsFailTheImport() throws {
    let rows = (1...100).map { "p\($0),2026-06-01,fitbit,\($0 <= 12 ? "x" : "1")" }
    try folder.write(
      "user_id,metric_date,source,steps\n" + rows.joined(separator: "\n"),
      to: "wearable_daily_metrics.csv")
    options.maxBadRowFraction = 0.11
    let error = try #require(throws: ImportError.self) { try load() }
    #expect(error.code == .badData)
    #expect(error.message.contains("12 of 100 rows"))
    #expect(error.problems.count == 10)
    #expect(error.problems.first == "wearable_daily_metrics.csv:2: steps: not a number")
    options.maxBadRowFraction = 0.12
    #expect(try load().rowsQuarantined == 12)
  }

  @Test mutating func stopsWhenAsked() throws {
    let rows = (0..<5000).map { "p\($0),2026-06-01,fitbit,1" }
    try folder.write(
      "user_id,metric_date,source,steps\n" + rows.joined(separator: "\n"),
      to: "wearable_daily_metrics.csv")
    options.shouldStop = { true }
    let error = try #require(throws: ImportError.self) { try load() }
    #expect(error.code == .interrupted)
    #expect(recorder.rows["wearable_daily_metrics"]?.count ?? 0 < 5000)
  }

  @Test mutating func progressEndsAtTheSizeOfAllFiles() throws {
    try folder.write("id\nanna\n", to: "users.csv")
    try metrics("anna,2026-06-01,fitbit,1")
    let size = try folder.fileNames.reduce(0) {
      $0 + (try Data(contentsOf: URL(fileURLWithPath: folder.file($1))).count)
    }
    var reports: [[Int64]] = []
    options.progress = { reports.append([$0, $1]) }
    _ = try load()
    #expect(reports.last == [Int64(size), Int64(size)])
    #expect(reports.map { $0[0] } == reports.map { $0[0] }.sorted())
  }

  @Test func readsProfilesAndFamilies() throws {
    try folder.write(
      "user_id,timezone,notify_push,quiet_hours_start\nanna,Europe/Berlin,t,22:00:00\n"
        + "ben,Nowhere/At_All,t,22:00\n",
      to: "user_profiles.csv")
    try folder.write(
      "family_id,user_id,role,invite_status\nf1,anna,admin,accepted\nf1,ben,boss,accepted\n",
      to: "family_members.csv")
    _ = try load()
    #expect(
      recorder.rows["user_profiles"] == [
        [
          "user_id": .uuid(UUID(name: "anna")), "timezone": .text("Europe/Berlin"),
          "notify_push": .boolean(true), "quiet_hours_start": .text("22:00"),
        ]
      ])
    #expect(recorder.rows["family_members"]?.first?["family_id"] == .uuid(UUID(name: "f1")))
    #expect(recorder.quarantined.map(\.column) == ["timezone", "role"])
    #expect(
      recorder.quarantined.last?.reason
        == "not one of superadmin, admin, member, responder, dependent")
  }

  @Test func scoresThatAFileDoesNotHaveAreEmptied() throws {
    try folder.write(
      """
      user_id,score_date,source,sleep_score,schema_version
      anna,2026-06-01,app,70,3
      anna,2026-06-02,app,101,3
      anna,2026-06-03,,70,3
      anna,2026-07-02,app,70,3
      anna,2026-06-04,app,70.5,3

      """, to: "vitality_scores.csv")
    _ = try load()
    #expect(
      recorder.rows["vitality_scores"] == [
        [
          "user_id": .uuid(UUID(name: "anna")), "score_date": .day(try #require(Day("2026-06-01"))),
          "total_score": .null, "sleep_score": .integer(70), "movement_score": .null,
          "stress_score": .null, "schema_version": .text("3"), "source": .text("app"),
        ]
      ])
    #expect(
      recorder.quarantined.map { "\($0.line ?? 0) \($0.column ?? "-") \($0.reason)" } == [
        "3 sleep_score not from 0 to 100", "4 source missing",
        "5 score_date date in the future", "6 sleep_score not a whole number",
      ])
  }

  @Test func createsEverybodyWhomAnExclusionNames() throws {
    try folder.write(
      "excluded_user_id,subject_user_id\nben,anna\nanna,ben\nben,anna\ncleo,cleo\ndora,\n",
      to: "alert_recipient_exclusions.csv")
    let summary = try load()
    let (anna, ben) = (UUID(name: "anna"), UUID(name: "ben"))
    #expect(
      recorder.rows["alert_recipient_exclusions"] == [
        ["subject_user_id": .uuid(anna), "excluded_user_id": .uuid(ben)],
        ["subject_user_id": .uuid(ben), "excluded_user_id": .uuid(anna)],
      ])
    #expect(recorder.ensuredUsers == [anna: "anna", ben: "ben"])
    #expect(summary.tables.map(\.personsAdded) == [2])
    #expect(summary.tables.map(\.rowsMerged) == [1])
    #expect(
      recorder.quarantined.map { "\($0.line ?? 0) \($0.column ?? "-") \($0.reason)" } == [
        "5 subject_user_id the same person as excluded_user_id", "6 subject_user_id missing",
      ])
  }
}

import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct AdhereTechImportTests {
  private let folder: TemporaryFolder
  private var options: ImportOptions
  private let patient = UUID(name: AdhereTechImport.idPrefix + "p1", namespace: .urlNamespace)

  init() throws {
    folder = try TemporaryFolder()
    options = ImportOptions(
      today: try #require(Day("2024-06-30")),
      now: try #require(Timestamp("2024-06-30T03:00:00Z")), zones: .system,
      maxBadRowFraction: 1)
  }

  private static let header =
    "Patient_UID,Device_UID,Site,Medication,Reminder_Sent,Status,Deadline_UTC,Dose_Date_UTC"
    + ",Time_Recorded_UTC,Patient_Timezone,Deadline_Patient_Timezone,Dose_Date_Patient_Timezone"
    + ",Time_Recorded_Patient_Timezone\n"

  /// A row of the export; columns that the import does not read hold unusable text.
  private static func row(
    _ status: String, _ deadline: String, _ date: String, _ recorded: String = "",
    zone: String = "Europe/Madrid", medication: String = "Secretol", patient: String = "p1"
  ) -> String {
    "\(patient),d1,s,\(medication),-,\(status),\(deadline),\(date),\(recorded),\(zone),x,x,x\n"
  }

  private func load(_ rows: [String]) throws -> (ImportSummary, InputRecorder) {
    let file = try folder.write(Self.header + rows.joined(), to: "export.csv")
    let recorder = InputRecorder()
    let summary = try AdhereTechImport(file: file, options: options).load(into: recorder)
    return (summary, recorder)
  }

  @Test func aDoseBecomesAMedicationAScheduleAndARecord() throws {
    let (summary, recorder) = try load([Self.row("LATE", "7:05", "1/9/2024", "1/9/2024 9:47")])
    let medication = UUID(name: "medications:\(patient.lowercased):Secretol")
    let schedule = UUID(name: "schedules:\(medication.lowercased):Europe/Madrid:08:05:0")
    let day = try #require(Day("2024-01-09"))
    let deadline = day.midnight.adding(seconds: 7 * 3600 + 300)
    #expect(recorder.ensuredUsers == [patient: "p1"])
    #expect(
      recorder.rows["medications"] == [
        [
          "id": .uuid(medication), "user_id": .uuid(patient), "name": .text("Secretol"),
          "dosage": .text("not stated"), "form": .text("other"), "start_date": .day(day),
        ]
      ])
    #expect(
      recorder.rows["schedules"] == [
        [
          "id": .uuid(schedule), "medication_id": .uuid(medication), "type": .text("timeBased"),
          "reference_timezone": .text("Europe/Madrid"), "start_date": .day(day),
          "end_date": .day(day), "time_based_times": .text(#"["08:05"]"#),
          "time_based_flexibility_minutes": .integer(60),
        ]
      ])
    let record = UUID(name: "dose_history:\(medication.lowercased):\(deadline)")
    #expect(
      recorder.rows["dose_history"] == [
        [
          "id": .uuid(record), "medication_id": .uuid(medication), "schedule_id": .uuid(schedule),
          "status": .text("taken"), "scheduled_time": .timestamp(deadline),
          "actual_time": .timestamp(day.midnight.adding(seconds: 9 * 3600 + 47 * 60)),
          "recorded_timezone": .text("Europe/Madrid"),
        ]
      ])
    #expect(summary.tables.map(\.rowsWritten) == [1, 1, 1])
  }

  @Test func statusesBecomeThoseOfRecords() throws {
    let (summary, recorder) = try load([
      Self.row("ONTIME", "7:00", "1/1/2024", "1/1/2024 7:10"),
      Self.row("LATE", "7:00", "1/2/2024", "1/2/2024 9:10"),
      Self.row("EARLY", "7:00", "1/3/2024", "1/3/2024 5:10"),
      Self.row("MISSED", "7:00", "1/4/2024"), Self.row("PAUSED", "7:00", "1/5/2024"),
      Self.row("PAUSED", "7:00", "1/6/2024", "1/6/2024 7:01"),
      Self.row("PENDING", "7:00", "1/7/2024"),
    ])
    let rows = try #require(recorder.rows["dose_history"])
    #expect(
      rows.map { $0["status"] } == [
        .text("taken"), .text("taken"), .text("taken"), .text("missed"), .text("plannedSkip"),
        .text("plannedSkip"),
      ])
    #expect(rows.map { $0["actual_time"] != .null } == [true, true, true, false, false, true])
    #expect(summary.tables.map(\.rowsMerged) == [0, 0, 1])
    #expect(summary.rowsQuarantined == 0)
    // A dose of which nothing is known yet is expected like the others.
    #expect(runsOfDays(in: recorder) == ["08:00 2024-01-01 2024-01-07"])
  }

  /// The expected days of the schedules, in the order in which they were written.
  private func runsOfDays(in recorder: InputRecorder) -> [String] {
    (recorder.rows["schedules"] ?? []).map { row in
      guard case .text(let times) = row["time_based_times"],
        case .day(let first) = row["start_date"],
        case .day(let last) = row["end_date"]
      else { return "?" }
      return "\(times.dropFirst(2).prefix(5)) \(first) \(last)"
    }
  }

  @Test func summerTimeMovesNoSchedule() throws {
    let (_, recorder) = try load([
      Self.row("MISSED", "7:00", "3/30/2024"), Self.row("MISSED", "6:00", "3/31/2024"),
      Self.row("MISSED", "22:30", "3/30/2024"), Self.row("MISSED", "21:30", "3/31/2024"),
    ])
    #expect(
      runsOfDays(in: recorder) == [
        "08:00 2024-03-30 2024-03-31", "23:30 2024-03-30 2024-03-31",
      ])
  }

  @Test func aDoseBelongsToItsDayOnTheWall() throws {
    let (_, recorder) = try load([
      Self.row("MISSED", "0:15", "1/2/2024", zone: "America/New_York")
    ])
    #expect(runsOfDays(in: recorder) == ["19:15 2024-01-01 2024-01-01"])
  }

  @Test func onlyDaysWithADeadlineAreExpected() throws {
    // Newest first, as the bottle's maker writes them.
    let (_, recorder) = try load(
      [9, 8, 7, 3, 2, 1].map { Self.row("MISSED", "7:00", "1/\($0)/2024") }
        + [Self.row("MISSED", "19:00", "1/8/2024")])
    #expect(
      runsOfDays(in: recorder) == [
        "08:00 2024-01-01 2024-01-03", "08:00 2024-01-07 2024-01-09",
        "20:00 2024-01-08 2024-01-08",
      ])
    let schedules = try #require(recorder.rows["schedules"]).map { $0["id"] }
    let doses = try #require(recorder.rows["dose_history"]).map { $0["schedule_id"] }
    #expect(
      doses == [1, 1, 1, 0, 0, 0, 2].map { schedules[$0] })
  }

  @Test func anHourShownTwiceIsOneDoseTheFirstTime() throws {
    let (_, recorder) = try load([
      Self.row("MISSED", "0:30", "10/27/2024"), Self.row("MISSED", "1:30", "10/27/2024"),
    ])
    #expect(runsOfDays(in: recorder) == ["02:30 2024-10-27 2024-10-27"])
    #expect(recorder.rows["dose_history"]?.count == 2)
  }

  @Test func anExportThatGoesOnKeepsItsIDs() throws {
    let days = (1...9).map { Self.row("MISSED", "7:00", "1/\($0)/2024") }
    let ids = try [days[0..<5], days[0..<9], days[3..<9]].map { part in
      let (_, recorder) = try load(Array(part))
      return ["medications", "schedules"].map { table in
        (recorder.rows[table] ?? []).map { $0["id"] }
      }
    }
    #expect(ids[0] == ids[1])
    #expect(ids[1] == ids[2])
  }

  @Test func patientsAndMedicationsAreKeptApart() throws {
    let (_, recorder) = try load([
      Self.row("MISSED", "7:00", "1/1/2024"),
      Self.row("MISSED", "7:00", "1/1/2024", medication: "Other"),
      Self.row("MISSED", "7:00", "1/1/2024", patient: "p2"),
    ])
    for table in ["medications", "schedules", "dose_history"] {
      let ids = Set((recorder.rows[table] ?? []).map { $0["id"] })
      #expect(ids.count == 3)
    }
    #expect(recorder.ensuredUsers.count == 2)
  }

  @Test func badRowsAreNamedByThePublishedColumn() throws {
    let (summary, recorder) = try load([
      Self.row("MISSED", "7:00", "1/1/2024"),
      Self.row("TAKEN", "7:00", "1/2/2024"),
      Self.row("ONTIME", "7:00", "1/3/2024"),
      Self.row("MISSED", "7:00", "1/4/2024", zone: "Mars/Olympus"),
      Self.row("MISSED", "25:00", "1/5/2024"),
      Self.row("MISSED", "7:00", "2024-01-06"),
      Self.row("LATE", "7:00", "1/7/2024", "1/7/2024"),
      Self.row("LATE", "7:00", "1/8/2024", "1/8/2034 9:00"),
      Self.row("MISSED", "7:00", "1/9/2024", patient: ""),
      Self.row("MISSED", "7:00", "1/10/2024", medication: ""),
      Self.row("PAUSED", "7:00", "1/1/2024"),
      Self.row("MISSED", "7:00", "1/1/2024"),
      "p1,d1\n",
    ])
    #expect(
      recorder.quarantined.map { "\($0.line ?? 0) \($0.column ?? "-"): \($0.reason)" } == [
        "3 Status: not one of ONTIME, LATE, EARLY, MISSED, PAUSED, PENDING",
        "4 Time_Recorded_UTC: missing, but taken",
        "5 Patient_Timezone: not an IANA timezone such as Europe/Berlin",
        "6 Deadline_UTC: not a time of day (H:MM)",
        "7 Dose_Date_UTC: not a date (M/D/YYYY)",
        "8 Time_Recorded_UTC: not a time (M/D/YYYY H:MM)",
        "9 Time_Recorded_UTC: in the future", "10 Patient_UID: missing",
        "11 Medication: missing", "14 -: 2 fields where the header has 13",
        "12 -: duplicate key (id) with other values",
      ])
    #expect(recorder.quarantined.allSatisfy { $0.table == "dose_history" })
    #expect(summary.tables.map(\.rowsRead) == [1, 1, 13])
    // What cannot be used is not expected either.
    #expect(runsOfDays(in: recorder) == ["08:00 2024-01-01 2024-01-01"])
  }

  @Test func refusesAnotherLayout() throws {
    let file = try folder.write("user_id,status,deadline_utc\n1,missed,x\n", to: "export.csv")
    let error = try #require(throws: ImportError.self) {
      try AdhereTechImport(file: file, options: options)
    }
    #expect(error.code == .badData)
    #expect(error.problems.count == 7)
  }

  @Test(arguments: DatabaseKind.allCases)
  func aSecondImportChangesNothing(kind: DatabaseKind) throws {
    var database = try ImportDatabase(kind)
    let rows =
      (1...5).map { Self.row("MISSED", "7:00", "1/\($0)/2024") }
      + [Self.row("LATE", "19:00", "1/5/2024", "1/5/2024 20:30")]
    let file = try database.folder.write(Self.header + rows.joined(), to: "export.csv")
    func load() throws -> ImportSummary {
      try AdhereTechImport(file: file, options: database.options).run(into: database.storage)
    }
    func dump() throws -> [String] {
      try ["users", "medications", "schedules", "dose_history"].flatMap {
        try database.database.dump($0)
      }
    }
    let first = try load()
    #expect(first.tables.map(\.rowsWritten) == [1, 2, 6])
    let before = try dump()
    #expect(before.count == 1 + 1 + 2 + 6)
    database.options.now = database.options.now.adding(seconds: 3600)
    #expect(try load().tables.map(\.rowsWritten) == [1, 2, 6])
    #expect(try dump() == before)
  }
}

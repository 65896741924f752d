import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite("Import of medications, schedules and doses")
struct MedicationRowCheckTests {
  private let recorder = InputRecorder()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func load() throws -> ImportSummary {
    try CSVFolderImport(
      folder: folder.path,
      options: ImportOptions(
        today: try #require(Day("2026-02-01")),
        now: try #require(Timestamp("2026-02-01T12:00:00Z")), zones: .system,
        maxBadRowFraction: 1)
    ).load(into: recorder)
  }

  private func problems(in file: String) -> [String] {
    recorder.quarantined.filter { $0.file == file }.map {
      "\($0.line ?? 0) \($0.column ?? "-") \($0.reason)"
    }
  }

  private func writeMedications(_ more: String = "") throws {
    try folder.write(
      """
      id,user_id,name,dosage,form,color,is_active,start_date,end_date
      m1,anna,A,10mg,pill,#00ff00,,2026-01-01,2099-12-31
      \(more)
      """, to: "medications.csv")
  }

  @Test("lists come as JSON or as PostgreSQL's arrays, and are kept as JSON")
  func readsLists() throws {
    try writeMedications()
    try folder.write(
      """
      id,medication_id,type,reference_timezone,start_date,time_based_times,time_based_days_of_week
      s1,m1,timeBased,Europe/Madrid,2026-01-01,"[""08:00"", ""20:00""]","[1, 3]"
      s2,m1,timeBased,Europe/Madrid,2026-01-01,"{08:00:00,20:00}","{1,3}"
      """, to: "schedules.csv")
    _ = try load()
    #expect(recorder.quarantined.isEmpty)
    let rows = try #require(recorder.rows["schedules"])
    #expect(
      rows.map { $0["time_based_times"] }
        == Array(repeating: .text(#"["08:00","20:00"]"#), count: 2))
    #expect(
      rows.map { $0["time_based_days_of_week"] } == Array(repeating: .text("[1,3]"), count: 2))
    #expect(recorder.rows["medications"]?.first?["is_active"] == .boolean(true))
    #expect(recorder.ensuredUsers == [UUID(name: "anna"): "anna"])
  }

  @Test("a medication that cannot be used is quarantined with its reason")
  func checksMedications() throws {
    try writeMedications(
      """
      m2,anna,A,10mg,tablet,,t,2026-01-01,
      m3,anna,A,10mg,pill,green,t,2026-01-01,
      m4,anna,A,10mg,pill,,t,2026-01-02,2026-01-01
      """)
    _ = try load()
    #expect(
      problems(in: "medications.csv").map { $0.prefix(30) }
        == [
          "3 form not one of pill, capsule, ", "4 color not a colour such as #FF5733",
          "5 end_date before start_date",
        ].map { $0.prefix(30) })
  }

  @Test("a contact has an address of its channel, and agreed to before now")
  func checksContacts() throws {
    try folder.write(
      """
      id,user_id,priority,channel,address,opted_in_at,revoked_at
      c1,anna,1,sms,+34600000001,2026-01-01T00:00:00Z,
      c2,anna,2,sms,600000001,2026-01-01T00:00:00Z,
      c3,anna,3,sms,+34 600 000 001,2026-01-01T00:00:00Z,
      c4,anna,4,sms,+3460000000112345,2026-01-01T00:00:00Z,
      c5,anna,5,email,+34600000001,2026-01-01T00:00:00Z,
      c6,anna,6,email,ben@example.org,2030-01-01T00:00:00Z,
      c7,anna,7,email,ben@example.org,2026-01-01T00:00:00Z,2030-01-01T00:00:00Z
      """, to: "emergency_contacts.csv")
    _ = try load()
    #expect(
      problems(in: "emergency_contacts.csv") == [
        "3 address not a telephone number such as +34600000000",
        "4 address not a telephone number such as +34600000000",
        "5 address not a telephone number such as +34600000000",
        "6 address not an e-mail address", "7 opted_in_at in the future",
        "8 revoked_at in the future",
      ])
    #expect(recorder.rows["emergency_contacts"]?.count == 1)
  }

  @Test(
    "the expiry date and the time of missed doses are imported, and impossible ones are quarantined"
  )
  func checksExpiry() throws {
    try folder.write(
      """
      id,user_id,name,dosage,form,start_date,expires_on,missed_after_minutes
      m1,anna,A,10mg,drops,2026-01-01,2026-06-30,30
      m2,anna,A,10mg,drops,2026-01-01,2026-06-31,
      m3,anna,A,10mg,drops,2026-01-01,,10081
      """, to: "medications.csv")
    _ = try load()
    #expect(
      problems(in: "medications.csv").map {
        $0.split(separator: " ").prefix(2).joined(separator: " ")
      } == ["3 expires_on", "4 missed_after_minutes"])
    let rows = try #require(recorder.rows["medications"])
    #expect(rows.count == 1)
    #expect(rows[0]["expires_on"] == Day("2026-06-30").map(InputValue.day))
    #expect(rows[0]["missed_after_minutes"] == .integer(30))
  }

  @Test("the quantity of a medication is imported, and one that cannot be used is quarantined")
  func checksRefills() throws {
    try folder.write(
      """
      id,user_id,name,dosage,form,start_date,refill_reminder_enabled,refill_total_quantity,\
      refill_remaining_quantity,refill_reminder_threshold,refill_counted_at,refill_units_per_dose,\
      refill_reminder_days
      m1,anna,A,10mg,pill,2026-01-01,t,60,28,,2026-01-20T08:00:00Z,0.5,10
      m2,anna,A,10mg,pill,2026-01-01,,60,28,14,,,
      m3,anna,A,10mg,pill,2026-01-01,t,60,61,,2026-01-20T08:00:00Z,,
      m4,anna,A,10mg,pill,2026-01-01,t,60,28,,,,
      m5,anna,A,10mg,pill,2026-01-01,t,60,28,,2026-02-01T12:00:01Z,,
      m6,anna,A,10mg,pill,2026-01-01,t,60,28,,2026-01-20T08:00:00Z,0,
      m7,anna,A,10mg,pill,2026-01-01,t,60,28,,2026-01-20T08:00:00Z,1,-1
      m8,anna,A,10mg,pill,2026-01-01,t,,-1,,2026-01-20T08:00:00Z,,
      m9,anna,A,10mg,pill,2026-01-01,t,,5,-2,2026-01-20T08:00:00Z,,
      m10,anna,A,10mg,pill,2026-01-01,t,,5,,yesterday,,
      m11,anna,A,10mg,pill,2026-01-01,t,,half,,2026-01-20T08:00:00Z,,
      """, to: "medications.csv")
    _ = try load()
    let problems = problems(in: "medications.csv")
    #expect(
      problems.prefix(7) == [
        "4 refill_remaining_quantity more than the total",
        "5 refill_counted_at missing, but refill_reminder_enabled and refill_remaining_quantity are given",
        "6 refill_counted_at in the future", "7 refill_units_per_dose not a positive number",
        "8 refill_reminder_days negative", "9 refill_remaining_quantity negative",
        "10 refill_reminder_threshold negative",
      ])
    #expect(
      problems.dropFirst(7).map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        == ["11 refill_counted_at", "12 refill_remaining_quantity"])
    let rows = try #require(recorder.rows["medications"])
    #expect(rows.count == 2)
    #expect(rows[0]["refill_remaining_quantity"] == .integer(28))
    #expect(rows[0]["refill_units_per_dose"] == .real(0.5))
    #expect(rows[0]["refill_reminder_days"] == .integer(10))
    #expect(
      rows[0]["refill_counted_at"] == Timestamp("2026-01-20T08:00:00Z").map(InputValue.timestamp))
  }

  @Test("a schedule that cannot be used is quarantined with its reason, and so are its doses")
  func checksSchedules() throws {
    try writeMedications()
    try folder.write(
      """
      id,medication_id,type,reference_timezone,start_date,end_date,time_based_times,\
      time_based_days_of_week,time_based_flexibility_minutes,interval_based_hours,\
      interval_based_first_dose_time
      s1,m1,timeBased,Mars/Olympus,2026-01-01,,"[""08:00""]",,,,
      s2,m1,timeBased,UTC,2026-01-01,,"[""8 o'clock""]",,,,
      s3,m1,timeBased,UTC,2026-01-01,,[],,,,
      s4,m1,timeBased,UTC,2026-01-01,,,,,,
      s5,m1,intervalBased,UTC,2026-01-01,,,,,0,2026-01-01T08:00:00Z
      s6,m1,intervalBased,UTC,2026-01-01,,,,,8,
      s7,m1,asNeeded,UTC,2026-01-02,2026-01-01,,,,,
      s8,m1,timeBased,UTC,2026-01-01,,"[""08:00""]","[7]",,,
      s9,m1,timeBased,UTC,2026-01-01,,"[""08:00""]",,-1,,
      s10,m9,asNeeded,UTC,2026-01-01,,,,,,
      s11,m1,asNeeded,UTC,2026-01-01,,,,,,
      """, to: "schedules.csv")
    try folder.write(
      """
      id,medication_id,schedule_id,status,scheduled_time,actual_time,recorded_timezone
      d1,m1,s1,taken,2026-01-05T08:00:00Z,2026-01-05T08:00:00Z,UTC
      d2,m1,s11,taken,2026-01-05T08:00:00Z,2026-01-05T08:00:00Z,UTC
      """, to: "dose_history.csv")
    let summary = try load()
    #expect(
      problems(in: "schedules.csv") == [
        "2 reference_timezone not an IANA timezone such as Europe/Berlin",
        "3 time_based_times not a list of times of day (HH:MM)",
        "4 time_based_times not a list of times of day (HH:MM)", "5 time_based_times missing",
        "6 interval_based_hours not a positive time", "7 interval_based_first_dose_time missing",
        "8 end_date before start_date",
        "9 time_based_days_of_week not a list of weekdays from 0 (Sunday) to 6",
        "10 time_based_flexibility_minutes negative", "11 medication_id not an id of medications",
      ])
    #expect(problems(in: "dose_history.csv") == ["2 schedule_id not an id of schedules"])
    #expect(summary.tables.map(\.rowsWritten) == [1, 1, 1])
  }

  @Test("a dose that cannot be used is quarantined with its reason")
  func checksDoses() throws {
    try writeMedications()
    try folder.write(
      """
      id,medication_id,schedule_id,status,scheduled_time,actual_time,recorded_timezone,\
      location_latitude,location_longitude
      d1,m1,,taken,2026-01-05T08:00:00Z,,UTC,,
      d2,m1,,taken,,2026-02-01T12:00:01Z,UTC,,
      d3,m1,,forgotten,2026-01-05T08:00:00Z,,UTC,,
      d4,m1,,missed,2026-01-05T08:00:00Z,,Nowhere,,
      d5,m1,,taken,,2026-01-05T08:00:00Z,UTC,10,
      d6,m1,,taken,,2026-01-05T08:00:00Z,UTC,91,0
      d7,m1,,taken,,2026-02-01T12:00:00Z,UTC,90,180
      """, to: "dose_history.csv")
    _ = try load()
    #expect(
      problems(in: "dose_history.csv") == [
        "2 actual_time missing, but taken", "3 actual_time in the future",
        "4 status not one of taken, skipped, missed, plannedSkip",
        "5 recorded_timezone not an IANA timezone such as Europe/Berlin",
        "6 location_latitude without the other coordinate",
        "7 location_latitude not from -90 to 90",
      ])
    #expect(recorder.rows["dose_history"]?.count == 1)
  }

  @Test("a change of zone that cannot be used is quarantined with its reason")
  func checksEvents() throws {
    try folder.write(
      """
      id,user_id,previous_timezone,new_timezone,transition_time,detection_method
      e1,anna,UTC,UTC,2026-01-05T08:00:00Z,gps
      e2,anna,UTC,Asia/Tokyo,2026-02-05T08:00:00Z,gps
      e3,anna,UTC,Asia/Tokyo,2026-01-05T08:00:00Z,gps
      """, to: "timezone_events.csv")
    try folder.write(
      "id,timezone_event_id,schedule_id,strategy\na1,e3,s1,custom\na2,e1,s1,custom\n",
      to: "schedule_adjustments.csv")
    _ = try load()
    #expect(
      problems(in: "timezone_events.csv") == [
        "2 new_timezone the same as before", "3 transition_time in the future",
      ])
    #expect(
      problems(in: "schedule_adjustments.csv") == [
        "2 schedule_id not an id of schedules", "3 timezone_event_id not an id of timezone_events",
      ])
  }

  @Test(
    "databases take what is good, and a later import may refer to it",
    arguments: DatabaseKind.allCases)
  func fillsDatabases(kind: DatabaseKind) throws {
    let database = try ImportDatabase(kind)
    try writeMedications()
    try folder.write(
      """
      id,medication_id,type,reference_timezone,start_date,time_based_times
      s1,m1,timeBased,UTC,2026-01-01,"[""08:00""]"
      """, to: "schedules.csv")
    let options = ImportOptions(
      today: try #require(Day("2026-02-01")), now: try #require(Timestamp("2026-02-01T12:00:00Z")),
      zones: .system, maxBadRowFraction: 1)
    _ = try CSVFolderImport(folder: folder.path, options: options).run(into: database.storage)
    let later = try TemporaryFolder()
    try later.write(
      """
      id,medication_id,schedule_id,status,scheduled_time,recorded_timezone
      d1,m1,s1,missed,2026-01-05T08:00:00Z,UTC
      d2,m1,s2,missed,2026-01-05T08:00:00Z,UTC
      """, to: "dose_history.csv")
    let summary = try CSVFolderImport(folder: later.path, options: options)
      .run(into: database.storage)
    #expect(summary.tables.map(\.rowsWritten) == [1])
    #expect(summary.rowsQuarantined == 1)
  }
}

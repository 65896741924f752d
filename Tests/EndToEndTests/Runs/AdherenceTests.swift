import Foundation
import TestDatabases
import Testing

/// From files of doses to the figures of a person.
@Suite struct AdherenceTests {
  @Test(arguments: DatabaseKind.allCases)
  func dosesBecomeFigures(kind: DatabaseKind) async throws {
    let input = try ImportFolder(kind)
    func write(_ name: String, _ lines: [String]) throws {
      try input.write(lines.joined(separator: "\n"), to: name)
    }
    try write(
      "medications",
      ["id,user_id,name,dosage,form,start_date", "m1,anna,Secretol,10mg,pill,2026-01-01"])
    try write(
      "schedules",
      [
        "id,medication_id,type,reference_timezone,start_date,time_based_times",
        #"s1,m1,timeBased,Europe/Madrid,2026-01-01,"[""08:00""]""#,
      ])
    try write(
      "dose_history",
      ["id,medication_id,schedule_id,status,scheduled_time,actual_time,recorded_timezone"]
        + (10...15).map {
          "d\($0),m1,s1,taken,2026-01-\($0)T07:00:00Z,2026-01-\($0)T07:10:00Z,Europe/Madrid"
        })
    try write("users", ["id", "anna", "ben"])
    for arguments in [["migrate"], ["import", "csv", "in"], ["run", "--date", "2026-01-19"]] {
      let run: CommandRun = try await input.vigil(arguments: arguments)
      #expect(run.status == 0, "\(run.errors)")
      #expect(!run.output.contains("Secretol"))
      #expect(!run.errors.contains("Secretol"))
    }
    let text = try await input.vigil("adherence", "--period", "7d")
    #expect(text.status == 0, "\(text.errors)")
    #expect(text.output.contains("(anna)"))
    // From the 13th to the 19th: taken on three days.
    #expect(text.output.contains("3 of 7"))
    #expect(!text.output.contains("Secretol"))
    let json = try await input.vigil(
      "adherence", "--user", "anna", "--period", "7d", "--format", "json")
    let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let rows = try #require(document?["rows"] as? [[String: Any]])
    #expect(rows.map { $0["missed_doses"] as? Int } == [4, 4])
    #expect(rows.map { $0["current_gap_days"] as? Int } == [4, 4])
    let none = try await input.vigil("adherence", "--user", "unknown")
    #expect(none.status == 65)
    let later = try await input.vigil("adherence", "--date", "2026-01-20")
    #expect(later.status == 0)
    #expect(
      later.output == "2026-01-20 is not evaluated yet; the last evaluated day is 2026-01-19.\n")
    let earlier = try await input.vigil("adherence", "--user", "anna", "--date", "2026-01-18")
    #expect(earlier.output.hasPrefix("2026-01-18 was not evaluated; the last evaluated day is"))
    let healthy = try await input.vigil("adherence", "--user", "ben")
    #expect(healthy.output.hasPrefix("No doses of this person are evaluated;"))
  }

  /// Due on Mondays, taken each Tuesday and logged without the time that it was due.
  @Test(arguments: DatabaseKind.allCases)
  func weeklyTabletADayLateIsTaken(kind: DatabaseKind) async throws {
    let input = try ImportFolder(kind)
    try input.write("id\nmia\n", to: "users")
    try input.write(
      "id,user_id,name,dosage,form,start_date\nwk,mia,tablet,1,pill,2026-05-04\n", to: "medications"
    )
    try input.write(
      """
      id,medication_id,type,reference_timezone,start_date,time_based_times,time_based_days_of_week
      wk-s,wk,timeBased,Europe/Berlin,2026-05-04,"[""08:00""]",[1]

      """, to: "schedules")
    let days = ["05-05", "05-12", "05-19", "05-26", "06-02", "06-09", "06-16", "06-23"]
    try input.write(
      "id,medication_id,schedule_id,status,actual_time,recorded_timezone\n"
        + days.map { "w\($0),wk,wk-s,taken,2026-\($0)T06:10:00Z,Europe/Berlin\n" }.joined(),
      to: "dose_history")
    for arguments in [
      ["migrate"], ["import", "csv", "in"],
      ["backfill", "--from", "2026-05-04", "--to", "2026-06-28"],
    ] {
      let run: CommandRun = try await input.vigil(arguments: arguments)
      #expect(run.status == 0, "\(run.errors)")
    }
    let json = try await input.vigil(
      "adherence", "--user", "mia", "--period", "30d", "--format", "json")
    let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let rows = try #require(document?["rows"] as? [[String: Any]])
    for (column, value) in [
      "total_doses": 4, "taken_doses": 4, "late_doses": 4, "missed_doses": 0, "extra_doses": 0,
    ] {
      #expect(rows.map { $0[column] as? Int } == [value, value], "\(column)")
    }
    let alerts = try await input.vigil("alerts", "list", "--status", "all", "--format", "json")
    #expect(!alerts.output.contains("dose_adherence_pct"), "\(alerts.output)")
  }
}

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
}

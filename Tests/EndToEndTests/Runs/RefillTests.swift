import Foundation
import TestDatabases
import Testing

/// A medication that runs out, from the files of an import to the lists.
@Suite struct RefillTests {
  /// One tablet a day; 10 are left after that of 16 January, 7 after that of the 19th.
  private func evaluated(_ kind: DatabaseKind) async throws -> ImportFolder {
    let input = try ImportFolder(kind)
    func write(_ name: String, _ lines: [String]) throws {
      try input.write(lines.joined(separator: "\n"), to: name)
    }
    try write(
      "medications",
      [
        "id,user_id,name,dosage,form,start_date,refill_reminder_enabled,"
          + "refill_remaining_quantity,refill_counted_at",
        "m1,anna,Secretol,10mg,pill,2026-01-01,true,10,2026-01-16T12:00:00Z",
        "m2,anna,Secretol,10mg,pill,2026-01-01,true,10,",
      ])
    try write(
      "schedules",
      [
        "id,medication_id,type,reference_timezone,start_date,time_based_times",
        #"s1,m1,timeBased,Europe/Madrid,2026-01-01,"[""08:00""]""#,
      ])
    try write(
      "dose_history",
      ["id,medication_id,schedule_id,status,scheduled_time,actual_time,recorded_timezone"]
        + (10...19).map {
          "d\($0),m1,s1,taken,2026-01-\($0)T07:00:00Z,2026-01-\($0)T07:10:00Z,Europe/Madrid"
        })
    try write(
      "family_members",
      ["family_id,user_id,role,invite_status", "f1,anna,member,accepted", "f1,ben,admin,accepted"])
    try write("users", ["id", "anna", "ben"])
    _ = try await input.vigil("migrate")
    let imported = try await input.vigil("import", "csv", "in", "--max-bad-rows", "50%")
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(
      try input.database.rows("SELECT line, column_name FROM quarantined_rows")
        == ["3|refill_counted_at"])
    let night = try await input.vigil("run", "--date", "2026-01-19", "--live")
    #expect(night.status == 0, "\(night.errors)")
    return input
  }

  private func json(_ run: CommandRun) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any],
      "\(run.errors)")
  }

  @Test(arguments: DatabaseKind.allCases)
  func aRefillIsListedShownAndAnswered(kind: DatabaseKind) async throws {
    let input = try await evaluated(kind)
    let list = try await input.vigil("alerts", "list")
    #expect(list.output.contains("refill due") && list.output.contains("(anna)"), "\(list.output)")
    #expect(list.output.contains("1 alert: 1 attention."))
    let one = try json(
      try await input.vigil("alerts", "list", "--metric", "refill_due", "--format", "json"))
    let rows = try #require(one["alerts"] as? [[String: Any]])
    #expect(rows.count == 1 && one["total"] as? Int == 1)
    #expect(rows[0]["metric_type"] as? String == "refill_due")
    #expect(rows[0]["medication_id"] as? String != nil)
    #expect(rows[0]["last_notified_level"] as? Int == 3)
    let id = try #require(rows[0]["id"] as? String)
    for (options, count) in [
      (["--metric", "missed_streak"], 0), (["--metric", "steps"], 0), (["--level", "7"], 0),
      (["--user", "ben"], 0), (["--user", "anna"], 1), (["--status", "resolved"], 0),
      (["--to", "2026-01-18"], 0), (["--from", "2026-01-19"], 1),
      (["--family", "f1", "--viewer", "ben"], 1),
    ] {
      let some = try await input.vigil(
        arguments: ["alerts", "list", "--format", "json"] + options)
      let alerts = try #require(try json(some)["alerts"] as? [[String: Any]])
      #expect(alerts.count { $0["metric_type"] as? String == "refill_due" } == count, "\(options)")
    }

    let acknowledged = try await input.vigil("alerts", "ack", String(id.prefix(8)), "--by", "ben")
    #expect(acknowledged.output.contains("(refill due, level 3) is acknowledged"))
    let shown = try await input.vigil("alerts", "show", String(id.prefix(8)))
    for part in ["refill due", "acknowledge", "Notifications", "in the app", "attention"] {
      #expect(shown.output.contains(part), "\(shown.output)")
    }
    let document = try json(try await input.vigil("alerts", "show", id, "--format", "json"))
    #expect((document["alert"] as? [String: Any])?["id"] as? String == id)
    #expect((document["actions"] as? [Any])?.count == 1)
    #expect((document["notifications"] as? [Any])?.count == 2)
    let export = try await input.vigil("alerts", "list", "--format", "csv")
    #expect(export.output.contains(",refill_due,"), "\(export.output)")
    let drawing = try await input.vigil("alerts", "show", id, "--svg", "alert.svg")
    #expect(drawing.status == 64 && drawing.errors.contains("--svg"), "\(drawing.errors)")

    let insights = try await input.vigil("insights", "--family", "f1", "--viewer", "ben")
    #expect(insights.output.contains("refill due, 7 days left"), "\(insights.output)")
    let dismissed = try await input.vigil("alerts", "dismiss", id, "--by", "ben")
    #expect(dismissed.status == 0, "\(dismissed.errors)")
    let none = try await input.vigil("insights", "--family", "f1", "--viewer", "ben")
    #expect(!none.output.contains("refill"), "\(none.output)")
    for run in [list, export, acknowledged, shown, insights, dismissed] {
      #expect(!(run.output + run.errors).contains("Secretol"))
    }
  }
}

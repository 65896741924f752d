import Foundation
import TestDatabases
import Testing

/// From metrics and scores to what a family is shown.
@Suite struct InsightsTests {
  @Test(arguments: DatabaseKind.allCases)
  func metricsBecomeInsights(kind: DatabaseKind) async throws {
    let input = try ImportFolder(kind)
    // Anna's nights and days get worse in June's last week; Ben's scores come from an app.
    let days = (1...30).map { ($0, "2026-06-" + ($0 < 10 ? "0" : "") + "\($0)") }
    try input.write(
      (["user_id,metric_date,source,sleep_minutes,sleep_efficiency_pct,steps,hrv_ms"]
        + days.map { number, day in
          number < 24
            ? "anna,\(day),watch,480,95,9800,72" : "anna,\(day),watch,300,80,3000,45"
        }).joined(separator: "\n"), to: "wearable_daily_metrics")
    try input.write(
      (["user_id,score_date,total_score,stress_score,schema_version,source"]
        + days.map { number, day in "ben,\(day),\(number < 28 ? 50 : 80),60,app.1,app" })
        .joined(separator: "\n"), to: "vitality_scores")
    try input.write(
      """
      family_id,user_id,role,invite_status
      f1,anna,admin,accepted
      f1,ben,member,accepted
      f1,cleo,member,accepted
      f1,dan,member,pending
      """, to: "family_members")
    for arguments in [
      ["migrate"], ["import", "csv", "in"], ["run", "--date", "2026-06-30", "--only", "vitality"],
    ] {
      let run: CommandRun = try await input.vigil(arguments: arguments)
      #expect(run.status == 0, "\(run.errors)")
    }
    func insights(_ arguments: String...) async throws -> [[String: Any]] {
      let run = try await input.vigil(
        arguments: ["insights", "--format", "json"] + arguments)
      #expect(run.status == 0, "\(run.errors)")
      let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      return try #require((document as? [String: Any])?["insights"] as? [[String: Any]])
    }
    let all = try await insights()
    #expect(Set(all.map { $0["external_id"] as? String }) == ["anna"])
    #expect(
      Set(all.map { $0["rule"] as? String }).isSubset(of: ["low_streak", "drop_vs_baseline"]))
    let shown = try await insights("--family", "f1", "--viewer", "cleo")
    #expect(shown.count == 1)
    #expect(shown.first?["pillar"] as? String == "sleep")
    #expect(try await insights("--family", "f1", "--viewer", "anna").isEmpty)
    let pending = try await input.vigil("insights", "--family", "f1", "--viewer", "dan")
    #expect(pending.status == 77)
    let own = try await input.vigil("insights", "--user", "anna")
    #expect(own.output.contains("vigil"))
    let both = try await input.vigil(
      "insights", "--family", "f1", "--viewer", "cleo", "--user", "anna")
    #expect(both.status == 64)

    // Once there is an alert, it goes first.
    let patterns = try await input.vigil(
      "backfill", "--from", "2026-06-24", "--to", "2026-06-30", "--only", "patterns")
    #expect(patterns.status == 0, "\(patterns.errors)")
    #expect(try await input.vigil("alerts", "list").output.contains("(anna)"))
    #expect(try await insights("--family", "f1", "--viewer", "cleo").isEmpty)
    #expect(try await insights().count == all.count)
  }

  @Test func whatIsNarrowedToNothingKnownIsBadUsage() async throws {
    let folder = try ImportFolder(.sqlite)
    let run = try await folder.vigil("run", "--only", "everything")
    #expect(run.status == 64)
    #expect(run.errors.contains("patterns, adherence, vitality"))
  }

  @Test func aThresholdsFileIsNoVitalityFile() async throws {
    let folder = try ImportFolder(.sqlite)
    #expect(try await folder.vigil("migrate").status == 0)
    let run = try await folder.vigil("run", "--vitality", "v1")
    #expect(run.status == 65)
    #expect(run.errors.contains("give a vitality file"))
  }
}

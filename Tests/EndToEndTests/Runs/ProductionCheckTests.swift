import Foundation
import TestDatabases
import Testing

/// The reasons not to trust a database with nightly runs, and how `vigil doctor` reports them.
@Suite struct ProductionCheckTests {
  /// The morning after the last day of the sample.
  private static let morning = "2026-07-01T04:15:00Z"
  private static let backfill = ["backfill", "--from", "2026-06-01", "--to", "2026-06-29"]
  private static let night = ["run", "--date", "2026-06-30", "--live"]

  private struct Finding {
    var status: String
    var detail: String
    var remedy: String?
  }

  /// The findings of doctor by check, and its exit status.
  private func doctor(
    _ arguments: String..., in folder: TemporaryFolder, environment: [String: String] = [:]
  ) async throws -> (status: Int32, findings: [String: Finding]) {
    let run = try await CommandRun.vigil(
      arguments: ["doctor", "--format", "json"] + arguments, in: folder, environment: environment)
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let rows = try #require((document as? [String: Any])?["findings"] as? [[String: Any]])
    let findings = try rows.map { row in
      (
        try #require(row["check"] as? String),
        Finding(
          status: try #require(row["status"] as? String),
          detail: try #require(row["detail"] as? String), remedy: row["remedy"] as? String)
      )
    }
    return (run.status, Dictionary(findings) { first, _ in first })
  }

  @Test(arguments: DatabaseKind.allCases)
  func feedThatHasGoneQuietIsNamed(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.importedWithoutDoses(kind)
    func feed(_ now: String) async throws -> Finding {
      try #require(try await doctor("--now", now, in: folder).findings["feed"])
    }
    for now in [Self.morning, "2026-07-03T04:15:00Z"] {
      let fresh = try await feed(now)
      #expect(fresh.status == "ok" && fresh.detail.hasPrefix("0 of 12 persons (0 %)"), "\(fresh)")
    }
    // The night of 2026-07-03 is more than two days after the last row.
    let quiet = try await feed("2026-07-04T04:15:00Z")
    #expect(quiet.status == "warning")
    #expect(
      quiet.detail.contains("newest row of wearable_daily_metrics is of 2026-06-30")
        && quiet.detail.contains("the next run evaluates 2026-07-03")
        && quiet.detail.contains("12 of 12 persons (100 %)"), "\(quiet)")
    // Nothing is said of a share where no person is counted.
    let forgotten = try await feed("2026-12-04T04:15:00Z")
    #expect(forgotten.status == "warning")
    #expect(
      forgotten.detail.hasSuffix("no person has rows of the four weeks before 2026-12-01"),
      "\(forgotten)")
    // In another zone it is still the day before.
    let west = try await doctor(
      "--now", "2026-07-04T04:15:00Z", in: folder,
      environment: ["VIGIL_TIME_ZONE": "America/Los_Angeles"])
    #expect(west.findings["feed"]?.status == "ok")

    try folder.database.execute(
      """
      DELETE FROM wearable_daily_metrics WHERE metric_date > '2026-06-27' AND user_id IN (
        SELECT id FROM users ORDER BY id LIMIT 7
      )
      """)
    let partial = try await feed(Self.morning)
    #expect(partial.status == "warning" && partial.detail.hasPrefix("7 of 12 persons (58 %)"))
    #expect(partial.remedy != nil)
  }

  @Test(arguments: DatabaseKind.allCases)
  func whatWaitsForADecisionIsNamed(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.importedWithoutDoses(kind)
    #expect(try await doctor(in: folder).findings["held notifications"] == nil)
    _ = try await CommandRun.vigil(
      arguments: Self.night + ["--max-notified-persons", "0"], in: folder)
    let id = try #require(try folder.database.rows("SELECT id FROM batch_runs").first)
    let finding = try #require(try await doctor(in: folder).findings["held notifications"])
    let held = try folder.database.count("held_notifications WHERE outcome IS NULL")
    #expect(finding.status == "warning" && finding.detail.contains("\(held) of run \(id)"))
    #expect(finding.remedy?.contains("vigil queue list --held") == true)
  }

  @Test(arguments: DatabaseKind.allCases)
  func liveRunWithoutGoliveIsNamedAndRefused(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.importedWithoutDoses(kind)
    let live = ["VIGIL_SHADOW_MODE": "false"]
    #expect(try await doctor(in: folder, environment: live).findings["mode"]?.status == "ok")
    let backfill = try await CommandRun.vigil(arguments: Self.backfill, in: folder)
    try #require(backfill.status == 0, "\(backfill.errors)")
    let before = try folder.database.outcome() + folder.database.rows("SELECT * FROM batch_runs")

    let configured = try await doctor(in: folder, environment: live)
    #expect(configured.status == 69)
    let mode = try #require(configured.findings["mode"])
    #expect(mode.status == "failure" && mode.remedy == "vigil golive", "\(mode)")
    let shadow = try await doctor(in: folder)
    #expect(shadow.status == 0 && shadow.findings["mode"]?.status == "ok")
    for command in [Self.night, Self.backfill + ["--live"]] {
      let refused = try await CommandRun.vigil(arguments: command, in: folder)
      refused.expectFailure(
        75, mentioning: "active alerts of shadow nights", "nothing was evaluated",
        "run vigil golive first")
    }
    #expect(
      try folder.database.outcome() + folder.database.rows("SELECT * FROM batch_runs") == before)

    _ = try await CommandRun.vigil("golive", in: folder)
    let ready = try await doctor(in: folder, environment: live)
    #expect(ready.status == 0 && ready.findings["mode"]?.status == "ok")
    let run = try await CommandRun.vigil(arguments: Self.night, in: folder)
    #expect(run.status == 0, "\(run.errors)")
  }
}

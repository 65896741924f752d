import Foundation
import TestDatabases
import TestSupport
import Testing

/// A limit of one person, from its file to all that shows its alert, as a user does it.
@Suite struct LimitsTests {
  private static let person = "0ddf5d67-7937-5995-89f2-03643e81cb20"

  private func vigil(_ arguments: String..., in folder: TemporaryFolder) async throws -> String {
    let run = try await CommandRun.vigil(
      arguments: arguments, in: folder, environment: CommandRun.thresholdsOfDatabase)
    try #require(run.status == 0, "\(run.errors)")
    return run.output
  }

  /// The sample with nights up to 2026-06-29, and a limit on heart rate that the last value is beyond.
  private func folder(_ kind: DatabaseKind) async throws -> (folder: TemporaryFolder, value: Double)
  {
    let folder = try SampleDatabase.imported(kind)
    _ = try await vigil("backfill", "--from", "2026-06-01", "--to", "2026-06-28", in: folder)
    let values = try folder.database.rows(
      """
      SELECT resting_hr FROM wearable_daily_metrics
      WHERE user_id = '\(Self.person)' AND metric_date = '2026-06-29' AND resting_hr IS NOT NULL
      """)
    let value = try #require(values.first.flatMap(Double.init))
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "limits"), withIntermediateDirectories: false)
    try folder.write(
      """
      user_id,metric_type,direction,limit_value,days,severity,starts_on,ends_on,set_by,note
      \(Self.person),resting_hr,above,\(value - 1),1,critical,2026-06-29,2026-07-31,Dr. Lee,new tablets

      """, to: "limits/person_limits.csv")
    _ = try await vigil("import", "csv", "limits", in: folder)
    _ = try await vigil(
      "run", "--date", "2026-06-29", "--live", "--max-notified-persons", "100", in: folder)
    return (folder, value)
  }

  @Test(arguments: DatabaseKind.allCases)
  func whatKnowsAlertsKnowsThoseOfLimits(kind: DatabaseKind) async throws {
    let (folder, _) = try await folder(kind)
    let id = try #require(
      try folder.database.rows(
        "SELECT id FROM pattern_alert_state WHERE pattern_type = 'critical_value_above'"
      ).first)

    let list = try await vigil("alerts", "list", "--limit", "0", in: folder)
    #expect(list.contains("critical") && list.contains("above "), "\(list)")

    let show = try await vigil("alerts", "show", id, in: folder)
    #expect(show.contains("Resting heart rate: above the limit for 1 day ("), "\(show)")
    #expect(show.contains("set by Dr. Lee until 2026-07-31"), "\(show)")

    let explained = try await vigil("explain", "--alert", id, in: folder)
    #expect(
      explained.hasPrefix(
        "Alert of level 14, opened on 2026-06-29: the value of resting heart rate"),
      "\(explained)")
    #expect(explained.contains("set by Dr. Lee, 2026-06-29..2026-07-31"), "\(explained)")
    let other = try await vigil(
      "explain", "--user", Self.person, "--metric", "resting_hr", "--limit", "below", in: folder)
    #expect(
      other.replacing("\n", with: " ").contains("no limit holds for this person on this day"),
      "\(other)")

    let queue = try folder.database.rows(
      "SELECT payload FROM notification_queue WHERE alert_state_id = '\(id)'")
    #expect(!queue.isEmpty)
    for payload in queue {
      #expect(payload.contains("critical_value_above") && !payload.contains("Lee"))
    }

    _ = try await vigil("report", "--out", "page.html", in: folder)
    let page = try String(contentsOf: folder.url.appending(path: "page.html"), encoding: .utf8)
    #expect(page.contains("set by Dr. Lee until 31 July"))

    let export = try await vigil("export", "alerts", "--out", "-", in: folder)
    #expect(export.contains("critical_value_above"))
  }

  /// Limits of everybody stand in a file of one's own, which the page needs too.
  @Test func thePageSaysOnWhichDayAValueWasBeyondALimit() async throws {
    let folder = try SampleDatabase.imported(.sqlite)
    let shipped = try await vigil("thresholds", "show", "v3", in: folder)
    let start = try #require(shipped.firstIndex(of: "{"))
    try folder.write(
      "{ \"critical_limits\": [{ \"metric\": \"resting_hr\", \"above\": 140 }],"
        + shipped[shipped.index(after: start)...], to: "own.json")
    try folder.database.execute(
      """
      UPDATE wearable_daily_metrics SET resting_hr = 150
      WHERE user_id = '\(Self.person)' AND metric_date IN ('2026-06-20', '2026-06-29')
      """)
    _ = try await vigil(
      "backfill", "--from", "2026-06-01", "--to", "2026-06-29", "--thresholds", "own.json",
      in: folder)
    let refused = try await CommandRun.vigil(
      arguments: ["report", "--out", "page.html"], in: folder,
      environment: CommandRun.thresholdsOfDatabase)
    refused.expectFailure(65, mentioning: "give its file with --thresholds")
    _ = try await vigil("report", "--out", "page.html", "--thresholds", "own.json", in: folder)
    let page = try String(contentsOf: folder.url.appending(path: "page.html"), encoding: .utf8)
    #expect(page.contains("Resting heart rate: 150 bpm on 29 June, above the limit of 140 bpm"))
    #expect(
      page.contains("it was above the limit of 140 bpm on 20 June: 150 bpm. Over since 2"))
  }

  @Test func sidesAreChecked() async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun.vigil(
      "explain", "--user", "a", "--metric", "steps", "--limit", "near", in: folder)
    #expect(run.status == 64 && run.errors.contains("give below or above"), "\(run.errors)")
  }
}

import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// Two profiles on the sample: what `vigil compare` says, beside two backfills into two databases.
@Suite struct CompareTests {
  private static let range = ["--from", "2026-05-01", "--to", "2026-06-30"]

  private func compare(
    _ first: String, _ second: String, _ more: String..., in folder: TemporaryFolder
  ) async throws -> CommandRun {
    try await CommandRun.vigil(
      arguments: ["compare", "--thresholds", first, "--thresholds", second] + Self.range + more,
      in: folder)
  }

  /// The rows that a backfill leaves in a database of its own, as the columns of one side of the CSV; and the
  /// notifications that it plans.
  private func backfilled(
    _ imported: TemporaryFolder, _ profile: String
  ) async throws -> (
    episodes: Set<String>, events: Int, notifications: Int, byMetric: [String: Int]
  ) {
    let folder = try imported.copyOfDatabase()
    let run = try await CommandRun.vigil(
      arguments: ["backfill", "--thresholds", profile, "--only", "patterns"] + Self.range,
      in: folder)
    try #require(run.status == 0, "\(run.errors)")
    let database = folder.database
    let episodes = try database.rows(
      """
      SELECT user_id, metric_type, pattern_type, active_since, opened_on, current_level,
        resolved_on, resolution_reason
      FROM pattern_alert_state
      WHERE medication_id IS NULL AND (resolved_on IS NULL OR resolved_on >= '2026-05-01')
      """
    ).map { row in
      var cells = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      if cells[4].isEmpty { cells[4] = "\(try #require(Day(cells[3])) + 2)" }
      return cells.joined(separator: ",")
    }
    let events = try database.rows(
      """
      SELECT DISTINCT event_id FROM pattern_alert_state
      WHERE medication_id IS NULL AND (resolved_on IS NULL OR resolved_on >= '2026-05-01')
      """
    ).count
    let notifications = try database.rows(
      """
      SELECT DISTINCT recipient_user_id, alert_state_id, template_id
      FROM shadow_notification_queue WHERE status = 'pending'
      """)
    var byMetric: [String: Int] = [:]
    for row in notifications {
      // An event has one notification, which is about each metric that its alerts name.
      let alerts = try database.rows(
        """
        SELECT metric_type, coalesce(anchor, '') FROM pattern_alert_state
        WHERE event_id = (SELECT event_id FROM pattern_alert_state WHERE id = '\(row.split(separator: "|")[1])')
        """)
      let named = alerts.flatMap { alert in
        alert.hasPrefix("combined|")
          ? alert.matches(of: /"metric":"([a-z_]+)"/).map { String($0.1) }
          : [String(alert.prefix { $0 != "|" })]
      }
      for metric in Set(named) { byMetric[metric, default: 0] += 1 }
    }
    return (Set(episodes), events, notifications.count, byMetric)
  }

  @Test(arguments: DatabaseKind.allCases, [["v1", "v3-strict"], ["v2", "v1"]])
  func aComparisonIsTwoBackfillsIntoTwoDatabases(
    kind: DatabaseKind, profiles: [String]
  ) async throws {
    let folder = try SampleDatabase.imported(kind)
    let before = try folder.database.count("batch_runs")
    let run = try await compare(
      profiles[0], profiles[1], "--csv", "pairs.csv", "--format", "json", in: folder)
    try #require(run.status == 0, "\(run.errors)")
    #expect(try folder.database.count("pattern_alert_state") == 0, "nothing is written")
    #expect(try folder.database.count("schedule_versions") == 0)
    #expect(try folder.database.count("batch_runs") == before)
    let file = try String(contentsOf: folder.url.appending(path: "pairs.csv"), encoding: .utf8)
    let rows = file.split(separator: "\r\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let total = try #require(document["total"] as? [String: Any])
    let notifications = try #require(total["notifications"] as? [String: Int])
    let events = try #require(document["events"] as? [String: Int])
    for (side, profile, columns) in [
      ("first", profiles[0], 5..<10), ("second", profiles[1], 10..<15),
    ] {
      let expected = try await backfilled(folder, profile)
      let found = rows.filter { !$0[columns.lowerBound].isEmpty }.map {
        ($0[..<3] + $0[columns]).joined(separator: ",")
      }
      #expect(found.count == Set(found).count, "no episode is listed twice")
      #expect(
        Set(found) == expected.episodes,
        "\(profile): \(Set(found).symmetricDifference(expected.episodes).sorted().prefix(4))")
      #expect(notifications[side] == expected.notifications, "\(profile)")
      #expect(events[side] == expected.events, "\(profile)")
      let metrics = try #require(document["metrics"] as? [[String: Any]])
      for metric in metrics {
        let name = try #require(metric["metric_type"] as? String)
        let count = try #require(metric["notifications"] as? [String: Int])[side]
        #expect(count == expected.byMetric[name] ?? 0, "\(profile) \(name)")
      }
      #expect(expected.episodes.contains { $0.contains("dose_adherence_pct") }, "\(profile)")
    }
    // A second path to the counts: from the rows.
    let only = try #require(total["only"] as? [String: Int])
    #expect(rows.count { $0[3] == "only_first" } == only["first"])
    #expect(rows.count { $0[3] == "only_second" } == only["second"])
    #expect(rows.count { Int($0[4]).map { $0 > 0 } ?? false } == total["later"] as? Int)
    #expect(rows.count { Int($0[4]).map { $0 < 0 } ?? false } == total["earlier"] as? Int)
    let differences = try #require(document["differences"] as? [Any])
    #expect(differences.count == rows.count { $0[3] != "none" })
  }

  @Test func theSameProfileTwiceIsNoDifference() async throws {
    let folder = try SampleDatabase.imported()
    let run = try await compare("v1", "v1", "--csv", "same.csv", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("No difference: both find the same"), "\(run.output)")
    let file = try String(contentsOf: folder.url.appending(path: "same.csv"), encoding: .utf8)
    let rows = file.split(separator: "\r\n").dropFirst()
    #expect(rows.count > 100 && rows.allSatisfy { $0.contains(",none,0,") })
  }

  @Test func theProfileAndTheAlertsOfTheDatabasePlayNoPart() async throws {
    let folder = try SampleDatabase.imported()
    let fresh = try await compare("v1", "v2", "--format", "json", in: folder)
    let run = try await CommandRun.vigil(
      arguments: ["backfill", "--thresholds", "v2"] + Self.range, in: folder)
    try #require(run.status == 0, "\(run.errors)")
    #expect(try await compare("v1", "v2", "--format", "json", in: folder).output == fresh.output)
  }

  @Test func personsCanBeChosenAndLinesFit() async throws {
    let folder = try SampleDatabase.imported()
    let all = try await compare("v1", "v3", in: folder)
    #expect(all.output.contains("12 persons"), "\(all.output)")
    #expect(all.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(all.output)")
    let person = try #require(
      try folder.database.rows("SELECT id FROM users ORDER BY id").first)
    try folder.write("\(person)\n", to: "one.txt")
    let one = try await compare("v1", "v3", "--users", "one.txt", in: folder)
    #expect(one.output.contains("1 person."), "\(one.output)")
    // A member of a family, with no data of their own.
    let folderOfUsers = folder.url.appending(path: "more")
    try FileManager.default.createDirectory(at: folderOfUsers, withIntermediateDirectories: true)
    try folder.write("id\nanna\n", to: "more/users.csv")
    let imported = try await CommandRun.vigil("import", "csv", "more", in: folder)
    try #require(imported.status == 0, "\(imported.errors)")
    try folder.write("anna\n", to: "anna.txt")
    let none = try await compare("v1", "v3", "--users", "anna.txt", in: folder)
    #expect(none.output.contains("the same 0 episodes"), "\(none.output)\(none.errors)")
  }

  @Test(arguments: [
    (["--thresholds", "v1"], 64, ["--thresholds twice"]),
    (["--thresholds", "v1", "--thresholds", "v2", "--thresholds", "v3"], 64, ["two profiles"]),
    (["--thresholds", "v1", "--thresholds", "none.json"], 65, ["none.json"]),
    (["--thresholds", "v1", "--thresholds", "vitality.v1"], 65, ["vitality"]),
    (["--thresholds", "v1", "--thresholds", "v2", "--limit", "-1"], 64, ["--limit"]),
    (["--thresholds", "v1", "--thresholds", "v2", "--csv", "."], 73, ["folder"]),
  ])
  func badArgumentsAreNamed(arguments: [String], status: Int, words: [String]) async throws {
    let folder = try SampleDatabase.importedWithoutDoses()
    let run = try await CommandRun.vigil(
      arguments: ["compare"] + arguments + Self.range, in: folder)
    #expect(run.status == Int32(status), "\(run.errors)")
    for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
    #expect(run.output.isEmpty)
  }

  @Test func daysWithoutDataAreRefused() async throws {
    let folder = try SampleDatabase.importedWithoutDoses()
    let run = try await CommandRun.vigil(
      "compare", "--thresholds", "v1", "--thresholds", "v2", "--from", "2020-01-01", "--to",
      "2020-02-01", in: folder)
    run.expectFailure(65, mentioning: "no row from")
  }
}

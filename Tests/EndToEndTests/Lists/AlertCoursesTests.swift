import Foundation
import TestDatabases
import Testing

/// The reason why an alert goes on, and its worst day, in `alerts list` and `alerts show`.
@Suite struct AlertCoursesTests {
  /// The sample with its alerts, the last days of which have no metric any more.
  private func silent(_ kind: DatabaseKind, _ profile: String) async throws -> TemporaryFolder {
    let folder = try SampleDatabase.imported(kind)
    for command in [
      ["backfill", "--from", "2026-05-01", "--to", "2026-06-26", "--thresholds", profile],
      [],
      ["run", "--date", "2026-06-29"],
    ] {
      guard !command.isEmpty else {
        try folder.database.execute(
          "DELETE FROM wearable_daily_metrics WHERE metric_date > '2026-06-26'")
        continue
      }
      let run = try await CommandRun.vigil(
        arguments: command, in: folder, environment: CommandRun.thresholdsOfDatabase)
      try #require(run.status == 0, "\(run.errors)")
    }
    return folder
  }

  private func alerts(_ run: CommandRun) throws -> [[String: Any]] {
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    return try #require(json?["alerts"] as? [[String: Any]], "\(run.errors)")
  }

  @Test(arguments: ["v1", "v2"], DatabaseKind.allCases)
  func alertWithoutDataSaysSo(profile: String, kind: DatabaseKind) async throws {
    let folder = try await silent(kind, profile)
    let list = try await CommandRun.vigil("alerts", "list", "--metric", "steps", in: folder)
    #expect(
      list.output.contains("unclear, no value since 27 June"), "\(list.output)\(list.errors)")
    let json = try alerts(
      try await CommandRun.vigil("alerts", "list", "--format", "json", in: folder))
    try #require(!json.isEmpty)
    // Doses went on, so that not all of them wait for data.
    let waiting = json.filter { $0["waits_for"] as? String == "data" }
    #expect(!waiting.isEmpty)
    for alert in waiting {
      #expect(alert["waits_since"] as? String == "2026-06-27")
      #expect(alert["clean_days"] is NSNull)
      let worst = try #require(alert["worst_deviation_fraction"] as? Double)
      let latest = try #require(alert["deviation_fraction"] as? Double)
      #expect(abs(worst) >= abs(latest) - 1e-9)
      let day = try #require(alert["worst_on"] as? String)
      #expect(day <= alert["last_evaluated_date"] as? String ?? "")
    }
    let id = try #require(waiting.first?["id"] as? String)
    let shown = try await CommandRun.vigil("alerts", "show", id, in: folder)
    #expect(shown.output.contains("unclear, no value since 2026-06-27"), "\(shown.output)")
    #expect(shown.output.contains("% on 2026-"), "\(shown.output)")
  }

  @Test(arguments: DatabaseKind.allCases)
  func alertsAreReadThoughTheirInputIsDamaged(kind: DatabaseKind) async throws {
    let folder = try await silent(kind, "v2")
    let well = try await CommandRun.vigil("alerts", "list", in: folder)
    try folder.database.execute("ALTER TABLE exercise_sessions RENAME TO elsewhere")
    let list = try await CommandRun.vigil("alerts", "list", in: folder)
    #expect(list.status == 0)
    #expect(list.output.split(separator: "\n").count == well.output.split(separator: "\n").count)
    #expect(list.errors.contains("exercise_sessions"), "\(list.errors)")
    #expect(list.errors.contains("vigil doctor"), "\(list.errors)")
    #expect(list.errors.split(separator: "\n").count == 1, "\(list.errors)")
  }

  @Test(arguments: DatabaseKind.allCases)
  func everyAlertThatIsNotDeviatingSaysWhy(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(
      kind,
      then: [["backfill", "--from", "2026-05-01", "--to", "2026-06-30", "--thresholds", "v2"]])
    let json = try alerts(
      try await CommandRun.vigil("alerts", "list", "--format", "json", in: folder))
    var waiting = 0
    for alert in json {
      let since = try #require(alert["active_since"] as? String)
      let days = try #require(alert["consecutive_true_days"] as? Int)
      let start = try #require(try? Date("\(since)T00:00:00Z", strategy: .iso8601))
      let lastDeviating = start.addingTimeInterval(Double(days - 1) * 86_400).ISO8601Format()
      let isWaiting = alert["waits_for"] is String
      #expect(isWaiting == (lastDeviating < "2026-06-30"), "\(alert)")
      if isWaiting { waiting += 1 }
    }
    #expect(waiting > 0 && waiting < json.count)
  }
}

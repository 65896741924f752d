import Foundation
import TestDatabases
import Testing

/// Profiles from the command line: what a database keeps, and how it is switched.
@Suite struct ProfileTests {
  /// The first 44 evaluated days of the sample's patterns; the rest is for runs to come.
  private func backfilled(_ kind: DatabaseKind) async throws -> TemporaryFolder {
    let folder = try SampleDatabase.importedWithoutDoses(
      kind,
      then: [["backfill", "--from", "2026-05-01", "--to", "2026-06-29", "--only", "patterns"]])
    return folder
  }

  private func states(_ folder: TemporaryFolder) throws -> [String] {
    try folder.database.dump("pattern_alert_state")
  }

  @Test(arguments: DatabaseKind.allCases)
  func anotherProfileIsRefusedAndCanBeSwitchedTo(kind: DatabaseKind) async throws {
    let folder = try await backfilled(kind)
    let before = try states(folder)
    let range = ["--from", "2026-05-01", "--to", "2026-06-15", "--only", "patterns"]
    let refused = try await CommandRun.vigil(
      arguments: ["backfill", "--thresholds", "v2"] + range, in: folder)
    #expect(refused.status == 65)
    #expect(refused.errors.split(separator: "\n").count == 1, "\(refused.errors)")
    for word in ["v1@", "v2@", "--thresholds v1", "--switch-profile", "nothing was written"] {
      #expect(refused.errors.contains(word), "\(refused.errors)")
    }
    #expect(try states(folder) == before)
    #expect(try folder.database.count("batch_runs") == 1)

    let switched = try await CommandRun.vigil(
      arguments: ["backfill", "--thresholds", "v2", "--switch-profile"] + range, in: folder)
    #expect(switched.status == 0, "\(switched.errors)")
    #expect(switched.output.contains("switched from v1@"), "\(switched.output)")
    #expect(switched.output.contains("count as notified"), "\(switched.output)")
    let doctor = try await CommandRun.vigil("doctor", "--format", "json", in: folder)
    #expect(
      doctor.output.contains("silent until a run of all persons for 2026-06-29"),
      "\(doctor.output)")

    // Without --thresholds a run goes on with what the database keeps.
    let night = try await CommandRun.vigil(
      "run", "--date", "2026-06-30", "--only", "patterns", in: folder,
      environment: CommandRun.thresholdsOfDatabase)
    #expect(night.status == 0, "\(night.errors)")
    #expect(night.output.contains("thresholds v2"), "\(night.output)")
    let active = try folder.database.rows(
      "SELECT DISTINCT profile FROM pattern_alert_state WHERE episode_status = 'active'")
    #expect(active.allSatisfy { $0.hasPrefix("v2@") })
    #expect(
      try folder.database.rows(
        "SELECT count(*) FROM shadow_notification_queue WHERE run_id <> (SELECT id FROM batch_runs"
          + " ORDER BY started_at LIMIT 1)") == ["0"])
  }

  @Test(arguments: DatabaseKind.allCases)
  func aNewDatabaseGetsV3AndKeepsIt(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.importedWithoutDoses(kind)
    for command in [
      ["backfill", "--from", "2026-03-03", "--to", "2026-06-29"], ["run", "--date", "2026-06-30"],
    ] {
      let run = try await CommandRun.vigil(
        arguments: command, in: folder, environment: CommandRun.thresholdsOfDatabase)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains("thresholds v3"), "\(run.output)")
    }
    #expect(
      try folder.database.rows("SELECT DISTINCT substr(profile, 1, 3) FROM pattern_alert_state")
        == ["v3@"])
    #expect(
      try folder.database.rows("SELECT DISTINCT schema_version FROM vitality_scores")
        == ["vitality.v2"])
    let payloads = try folder.database.rows("SELECT payload FROM shadow_notification_queue")
    #expect(!payloads.isEmpty)
    #expect(payloads.allSatisfy { $0.contains("window_days") || $0.contains("inactivity") })
  }

  @Test func aFileOfOnesOwnHasToBeGivenEachTime() async throws {
    let folder = try SampleDatabase.importedWithoutDoses()
    let shipped = SharedThresholds.url("v2")
    var text = try String(contentsOf: shipped, encoding: .utf8)
    text = text.replacing("\"version\": \"v2\"", with: "\"version\": \"ours\"")
    try text.write(
      to: folder.url.appending(path: "ours.json"), atomically: true, encoding: .utf8)
    let days = ["--from", "2026-06-01", "--to", "2026-06-10", "--only", "patterns"]
    let first = try await CommandRun.vigil(
      arguments: ["backfill", "--thresholds", "ours.json"] + days, in: folder)
    #expect(first.status == 0, "\(first.errors)")
    let without = try await CommandRun.vigil(
      "run", "--date", "2026-06-11", "--only", "patterns", in: folder,
      environment: CommandRun.thresholdsOfDatabase)
    #expect(without.status == 65)
    #expect(without.errors.contains("ours@") && without.errors.contains("--thresholds"))
    // A comment more, and it is another file.
    try (text + "\n").write(
      to: folder.url.appending(path: "ours.json"), atomically: true, encoding: .utf8)
    let edited = try await CommandRun.vigil(
      "run", "--date", "2026-06-11", "--only", "patterns", "--thresholds", "ours.json", in: folder)
    #expect(edited.status == 65)
    #expect(edited.errors.contains("a changed file of the same version"), "\(edited.errors)")
  }
}

private enum SharedThresholds {
  static func url(_ name: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(
        path: "thresholds/\(name).json")
  }
}

import Foundation
import TestDatabases
import Testing

/// A candidate from the command line: followed beside, listed apart, and promoted.
@Suite struct CandidateCommandTests {
  @Test(arguments: DatabaseKind.allCases)
  func aCandidateIsFollowedAndListedApart(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.importedWithoutDoses(kind)
    let backfill = try await CommandRun.vigil(
      "backfill", "--from", "2026-05-01", "--to", "2026-06-29", "--thresholds", "v3",
      "--candidate", "v1", "--only", "patterns", in: folder)
    #expect(backfill.status == 0, "\(backfill.errors)")
    let night = try await CommandRun.vigil(
      "run", "--date", "2026-06-30", "--thresholds", "v3", "--candidate", "v1", in: folder)
    #expect(night.status == 0, "\(night.errors)")
    #expect(
      night.output.contains("Candidate") && night.output.contains("v1@"), "\(night.output)")
    #expect(
      try folder.database.rows("SELECT DISTINCT candidate_version FROM batch_runs") == ["v1"])
    func listed(_ more: [String]) async throws -> [[String: Any]] {
      let run = try await CommandRun.vigil(
        arguments: ["alerts", "list", "--status", "all", "--limit", "0", "--format", "json"] + more,
        in: folder)
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      return try #require(document["alerts"] as? [[String: Any]])
    }
    let count = { (profile: String) in
      try folder.database.rows(
        "SELECT count(*) FROM pattern_alert_state WHERE profile LIKE '\(profile)@%'"
      ).first.flatMap(Int.init)
    }
    #expect(try await listed([]).count == count("v3"))
    #expect(try await listed(["--candidates"]).count == (count("v3") ?? 0) + (count("v1") ?? 0))
    #expect(try (count("v1") ?? 0) > 100)
    let doctor = try await CommandRun.vigil("doctor", "--format", "json", in: folder)
    #expect(doctor.output.contains("active alerts of candidates: v1@"), "\(doctor.output)")
  }

  @Test(arguments: [
    (["--candidate", "v1"], 64, ["is the profile of the run"]),
    (["--candidate", "v3", "--only", "vitality"], 64, ["--only patterns"]),
    (["--candidate", "none.json"], 65, ["none.json"]),
  ])
  func candidatesThatCannotBeAreNamed(
    arguments: [String], status: Int, words: [String]
  ) async throws {
    let folder = try SampleDatabase.importedWithoutDoses()
    let run = try await CommandRun.vigil(
      arguments: ["run", "--date", "2026-06-30", "--thresholds", "v1"] + arguments, in: folder)
    #expect(run.status == Int32(status), "\(run.errors)")
    for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
    #expect(try folder.database.count("batch_runs") == 0)
  }
}

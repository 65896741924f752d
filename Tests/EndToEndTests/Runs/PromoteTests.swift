import Foundation
import TestDatabases
import Testing

/// A candidate beside the database's profile, and its promotion, as an operator goes through them.
@Suite struct PromoteTests {
  @Test(arguments: DatabaseKind.allCases)
  func aCandidateIsFollowedShownAndPromoted(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.importedWithoutDoses(kind)
    let environment = CommandRun.thresholdsOfDatabase
    func vigil(_ arguments: String...) async throws -> CommandRun {
      try await CommandRun.vigil(arguments: arguments, in: folder, environment: environment)
    }
    let backfill = try await vigil(
      "backfill", "--from", "2026-03-03", "--to", "2026-06-09", "--thresholds", "v1")
    try #require(backfill.status == 0, "\(backfill.errors)")
    let early = try await vigil("promote", "v3", "--yes")
    #expect(early.status != 0 && early.errors.contains("never followed"), "\(early.errors)")

    let night = try await vigil("run", "--date", "2026-06-10", "--candidate", "v3")
    try #require(night.status == 0, "\(night.errors)")
    let active = """
      SELECT thresholds_version, count(*) FROM pattern_alert_state WHERE episode_status = 'active'
      GROUP BY thresholds_version ORDER BY thresholds_version
      """
    let before = try folder.database.rows(active)
    try #require(before.count == 2, "\(before)")
    let asked = try await vigil("promote", "v3")
    #expect(asked.status == 0 && asked.output.hasPrefix("Nothing was changed."), "\(asked.output)")
    #expect(asked.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(asked.output)")
    #expect(try folder.database.rows(active) == before)

    let promoted = try await vigil("promote", "v3", "--yes", "--format", "json")
    #expect(promoted.status == 0, "\(promoted.errors)")
    #expect(promoted.output.contains(#""is_done" : true"#), "\(promoted.output)")
    #expect(try folder.database.rows(active) == before.filter { $0.hasPrefix("v3") })
    let again = try await vigil("promote", "v3", "--yes")
    #expect(again.output.contains("already"), "\(again.output)")

    // The next night goes on with it; the former profile is refused.
    let next = try await vigil("run", "--date", "2026-06-11")
    #expect(next.status == 0, "\(next.errors)")
    let former = try await vigil("run", "--date", "2026-06-12", "--thresholds", "v1")
    #expect(former.status != 0, "\(former.output)")
  }
}

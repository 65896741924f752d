import Foundation
import TestDatabases
import Testing

/// `vigil golive --dry-run`.
@Suite struct GoLivePreviewTests {
  @Test(arguments: DatabaseKind.allCases)
  func itListsWhatFamiliesWillNeverHearOfAndChangesNothing(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(
      kind,
      then: [["backfill", "--from", "2026-03-03", "--to", "2026-06-20", "--thresholds", "v3"]])
    let query = "SELECT id, last_notified_level FROM pattern_alert_state ORDER BY id"
    let before = try folder.database.rows(query)
    let active = try folder.database.rows(
      "SELECT id FROM pattern_alert_state WHERE resolved_on IS NULL ORDER BY id")
    #expect(active.count > 2)
    let shown = try await CommandRun.vigil("golive", "--dry-run", in: folder)
    try #require(shown.status == 0, "\(shown.errors)")
    for id in active { #expect(shown.output.contains(id.prefix(8)), "\(shown.output)") }
    #expect(shown.output.contains("\(active.count) active alerts: families will not be notified"))
    #expect(shown.output.contains("Sleep: lower than usual for "), "\(shown.output)")
    let json = try await CommandRun.vigil("golive", "--dry-run", "--format", "json", in: folder)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let listed = (object?["alerts"] as? [[String: Any]])?.compactMap { $0["id"] as? String }
    #expect(listed?.sorted() == active)
    #expect(try folder.database.rows(query) == before)

    let marked = try await CommandRun.vigil("golive", in: folder)
    #expect(marked.output.hasPrefix("\(active.count) running episodes now count as notified"))
    let after = try await CommandRun.vigil("golive", "--dry-run", in: folder)
    #expect(after.output.hasPrefix("No active alert is at a level that no one was notified of"))
  }
}

import Foundation
import TestDatabases
import Testing

/// `vigil quarantine list`.
@Suite struct QuarantineListTests {
  @Test(arguments: DatabaseKind.allCases)
  func rowsAreListedWithTheirPlaceAndReason(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    let none = try await CommandRun.vigil("quarantine", "list", in: folder)
    #expect(none.output == "No row is quarantined.\n", "\(none.errors)")
    try folder.write(
      "user_id,metric_date,source,steps\nsynthetic-3,2026-06-31,ring,8000\n",
      to: "wearable_daily_metrics.csv")
    let imported = try await CommandRun.vigil(
      "import", "csv", ".", "--max-bad-rows", "100%", in: folder)
    try #require(imported.status == 0, "\(imported.errors)")
    #expect(imported.output.contains("vigil quarantine list"))
    let listed = try await CommandRun.vigil("quarantine", in: folder)
    #expect(listed.output.contains("wearable_daily_metrics.csv:2"), "\(listed.output)")
    #expect(listed.output.contains("1 quarantined row."))
    let json = try await CommandRun.vigil("quarantine", "list", "--format", "json", in: folder)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let rows = try #require(object?["rows"] as? [[String: Any]])
    #expect(rows.map { $0["line"] as? Int } == [2])
    #expect(rows.map { $0["table_name"] as? String } == ["wearable_daily_metrics"])
  }

  /// Late data are taken in by the next night; a backfill is for the first time.
  @Test func theNextStepOfAnImportDependsOnWhatWasEvaluated() async throws {
    let folder = try SampleDatabase.imported()
    try folder.write(
      "user_id,metric_date,source,steps\nsynthetic-3,2026-06-19,ring,8000\n",
      to: "wearable_daily_metrics.csv")
    let first = try await CommandRun.vigil("import", "csv", ".", in: folder)
    #expect(first.output.contains("Next: vigil backfill --from 2026-03-03"), "\(first.output)")
    let run = try await CommandRun.vigil(
      "backfill", "--from", "2026-06-10", "--to", "2026-06-20", in: folder)
    try #require(run.status == 0, "\(run.errors)")
    let late = try await CommandRun.vigil("import", "csv", ".", in: folder)
    #expect(late.output.contains("Next: vigil run, which"), "\(late.output)")
    #expect(!late.output.contains("backfill"))
  }
}

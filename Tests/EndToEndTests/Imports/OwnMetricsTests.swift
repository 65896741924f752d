import TestDatabases
import TestSupport
import Testing

/// Metrics that an operator has added to `wearable_daily_metrics` and to a thresholds file.
@Suite struct OwnMetricsTests {
  @Test(arguments: DatabaseKind.allCases)
  func columnOfTheDatabaseIsImportedWithoutAListInCode(kind: DatabaseKind) async throws {
    let files = try ImportFolder(kind)
    let text = "user_id,metric_date,source,steps,stress_score\np1,2026-01-01,x,9,33.5\n"
    try files.write("user_id,metric_date,source,steps\np1,2026-01-01,x,9\n")
    let first = try await files.vigil("import", "csv", "in")
    #expect(first.status == 0, "\(first.errors)")
    try files.write(text)
    let unknown = try await files.vigil("import", "csv", "in")
    unknown.expectFailure(65, mentioning: "unknown column 'stress_score'")

    try files.folder.database.execute(
      "ALTER TABLE wearable_daily_metrics ADD COLUMN stress_score REAL")
    let second = try await files.vigil("import", "csv", "in")
    #expect(second.status == 0, "\(second.errors)")
    let row =
      "SELECT source FROM wearable_daily_metrics WHERE steps = 9 AND stress_score = 33.5"
    #expect(try files.folder.database.rows(row) == ["x"])
    try files.write(text.replacing("33.5", with: "nan"))
    try await files.vigil("import", "csv", "in").expectFailure(
      65, mentioning: "stress_score", "not a finite number")
  }
}

import Foundation
import TestDatabases
import TestSupport
import Testing

/// The data quality that a run reports, and the data that it refuses.
@Suite struct DataQualityTests {
  private static let run = ["run", "--date", "2026-06-30"]

  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// The sample, from which one person with many rows was taken, but not those rows; and how many
  /// of them a run of 2026-06-30 loads.
  private func sampleWithAStranger(
    _ kind: DatabaseKind
  ) async throws -> (folder: TemporaryFolder, person: String) {
    let folder = try SampleDatabase.imported(kind)
    let person = try #require(
      folder.database.rows(
        """
        SELECT user_id FROM wearable_daily_metrics WHERE metric_date = '2026-06-30'
        ORDER BY user_id LIMIT 1
        """
      ).first)
    try folder.database.executeWithoutReferences("DELETE FROM users WHERE id = '\(person)'")
    return (folder, person)
  }

  /// Rows of the days that a run loads, and medications, which are of no day.
  private func loadedRows(of person: String, in folder: TemporaryFolder) throws -> Int {
    let medications = try folder.database.rows(
      "SELECT count(*) FROM medications WHERE user_id = '\(person)'")
    let first = try #require(medications.first.flatMap { Int($0) })
    return try ["wearable_daily_metrics", "exercise_sessions"].reduce(first) { count, table in
      // v1 loads the horizon of 60 days, 40 of warming up, and 2 of clean days before them.
      let rows = try folder.database.rows(
        """
        SELECT count(*) FROM \(table)
        WHERE user_id = '\(person)' AND metric_date BETWEEN '2026-03-21' AND '2026-06-30'
        """)
      return try count + #require(rows.first.flatMap { Int($0) })
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func tooManyUnusableRowsEndARunWith65AndNothingIsWritten(kind: DatabaseKind) async throws {
    let (folder, person) = try await sampleWithAStranger(kind)
    let rows = try loadedRows(of: person, in: folder)
    for command in [Self.run, ["backfill", "--from", "2026-06-30", "--to", "2026-06-30"]] {
      let run = try await CommandRun.vigil(arguments: command, in: folder)
      run.expectFailure(
        65, mentioning: "\(rows) of ", "cannot be used, more than the limit of 1 %",
        "a person that is not in users", "--max-bad-rows")
      #expect(!run.errors.contains(person))
    }
    #expect(try folder.database.outcome().isEmpty)
    #expect(try folder.database.count("quarantined_rows") == 0)
    #expect(
      try folder.database.rows("SELECT status FROM batch_runs") == ["failed", "failed"])
    let shown = try await CommandRun.vigil("runs", "--format", "json", in: folder)
    let runs = try #require(try json(shown.output)["runs"] as? [[String: Any]])
    #expect((runs.first?["error"] as? String)?.contains("\(rows) of ") == true)
  }

  @Test(arguments: [["--max-bad-rows", "20%"], []], DatabaseKind.allCases)
  func bearableUnusableRowsAreListedAndTheRunGoesOn(
    flags: [String], kind: DatabaseKind
  ) async throws {
    let (folder, person) = try await sampleWithAStranger(kind)
    let rows = try loadedRows(of: person, in: folder)
    let environment = flags.isEmpty ? ["VIGIL_MAX_BAD_ROWS": "0.2"] : [:]
    let text = try await CommandRun.vigil(
      arguments: Self.run + flags, in: folder, environment: environment)
    #expect(text.status == 0, "\(text.errors)")
    #expect(text.output.contains("; \(rows) rows unusable (unknown person)"), "\(text.output)")
    #expect(text.errors.contains("quarantined_rows"))
    #expect(!text.errors.contains(person))
    let run = try await CommandRun.vigil(
      arguments: Self.run + flags + ["--format", "json"], in: folder, environment: environment)
    let record = try #require(try json(run.output)["run"] as? [String: Any])
    let quality = try #require(record["data_quality"] as? [[String: Any]])
    let entry = try #require(quality.first { $0["reason"] as? String == "unknown_person" })
    #expect(entry["count"] as? Int == rows)
    #expect(entry["unit"] as? String == "rows")
    #expect(entry["metric"] is NSNull)
    #expect(try folder.database.count("quarantined_rows") == rows)
  }

  @Test(arguments: DatabaseKind.allCases)
  func personsWithTooLittleHistoryOrAnotherDeviceAreCounted(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind)
    let persons = try folder.database.rows("SELECT id FROM users ORDER BY id LIMIT 3")
    let (first, second) = (persons[0], persons[1])
    try folder.database.execute(
      """
      UPDATE wearable_daily_metrics SET steps = NULL
        WHERE user_id = '\(first)' AND metric_date < '2026-06-27';
      UPDATE wearable_daily_metrics SET steps = 5000
        WHERE user_id = '\(first)' AND metric_date >= '2026-06-27';
      DELETE FROM wearable_daily_metrics WHERE user_id = '\(second)';
      INSERT INTO wearable_daily_metrics
        (user_id, metric_date, source, steps, created_at, updated_at)
      VALUES
        ('\(second)', '2026-06-29', 'old watch', 5000, '2026-06-30T00:00:00.000000Z',
          '2026-06-30T00:00:00.000000Z'),
        ('\(second)', '2026-06-30', 'new watch', 5000, '2026-06-30T00:00:00.000000Z',
          '2026-06-30T00:00:00.000000Z')
      """)
    let run = try await CommandRun.vigil(
      arguments: Self.run + ["--format", "json"], in: folder)
    let record = try #require(try json(run.output)["run"] as? [String: Any])
    let quality = try #require(record["data_quality"] as? [[String: Any]])
    func count(_ reason: String) -> Int? {
      quality.first { $0["reason"] as? String == reason && $0["metric"] as? String == "steps" }?[
        "count"] as? Int
    }
    #expect(count("insufficient_history") == 2)
    #expect(try #require(count("source_changed")) >= 1)
    let text = try await CommandRun.vigil(arguments: Self.run, in: folder)
    #expect(text.output.contains("too little history in 2 series"), "\(text.output)")
    let id = try #require(record["id"] as? String)
    let shown = try await CommandRun.vigil("runs", "show", id, in: folder)
    #expect(
      shown.output.contains(/steps +too little history +2 +persons/), "\(shown.output)")
  }
}

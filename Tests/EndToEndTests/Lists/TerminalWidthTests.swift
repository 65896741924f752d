import Foundation
import TestDatabases
import Testing

/// Lists in a terminal of a known width.
@Suite struct TerminalWidthTests {
  /// Runs the rest of its arguments in a terminal of `columns` columns.
  private func terminal(_ columns: Int) -> [String] {
    ["/bin/sh", "-c", "exec script -qec \"stty cols \(columns); $*\" /dev/null", "sh"]
  }

  @Test(arguments: [
    ["alerts", "list"], ["queue", "list", "--shadow"], ["runs"], ["insights"], ["adherence"],
  ])
  func listsKeepToTheTerminalUnlessAllIsWanted(list: [String]) async throws {
    let folder = try SampleDatabase.imported(
      then: [["backfill", "--from", "2026-03-03", "--to", "2026-06-20", "--thresholds", "v3"]])
    func widest(_ arguments: [String], _ launcher: [String]) async throws -> (Int, String) {
      let run = try await CommandRun.vigil(
        arguments: arguments + ["--no-color"], in: folder, launcher: launcher)
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      let lines = run.output.split(whereSeparator: \.isNewline)
      return (lines.map(\.count).max() ?? 0, run.output)
    }
    let (narrow, text) = try await widest(list, terminal(80))
    #expect(narrow <= 80, "\(text)")
    #expect(text.contains("Left out (--wide): "), "\(text)")
    let (wide, all) = try await widest(list + ["--wide"], terminal(80))
    #expect(wide > 80, "\(all)")
    #expect(!all.contains("Left out"), "\(all)")
    // Output that goes elsewhere is whole.
    let (piped, _) = try await widest(list, [])
    #expect(piped == wide)
  }

  /// Texts go on below where they began; a digest of 64 digits still fits.
  @Test(arguments: [
    ["config"], ["doctor"], ["thresholds", "check", "v1"], ["thresholds", "check", "vitality.v2"],
    ["migrate", "--status"], ["evaluate", "--labels", "labels.csv"], ["golive"],
    ["insights", "--user", "synthetic-3"], ["adherence", "--user", "synthetic-3"],
    ["queue", "prune", "--older-than", "90d", "--dry-run"], ["runs", "show", "RUN"],
    ["alerts", "show", "ALERT"], ["person", "limits"],
    ["explain", "--user", "synthetic-10", "--metric", "sleep_minutes", "--date", "2026-06-18"],
    [
      "explain", "--user", "synthetic-10", "--metric", "combined", "--date", "2026-06-18",
      "--thresholds", "v3",
    ],
    [
      "person", "limits", "set", "synthetic-3", "--metric", "resting_hr", "--above", "99", "--by",
      "Lee", "--until", "2026-12-31",
    ],
  ])
  func everyCommandKeepsToTheTerminal(arguments: [String]) async throws {
    let folder = try SampleDatabase.imported(
      then: [["backfill", "--from", "2026-06-01", "--to", "2026-06-20"]])
    try folder.database.execute(
      """
      INSERT INTO person_limits (
        user_id, metric_type, direction, limit_value, days, severity, starts_on, ends_on, set_by
      ) SELECT id, 'sleep_efficiency_pct', 'below', 70.5, 7, 'attention', '2026-06-01', '2026-12-31', 'Dr. Lee of the clinic'
      FROM users WHERE external_id LIKE 'synthetic-%'
      """)
    try folder.write(
      "user_id,first_day,last_day\nsynthetic-3,2026-06-02,2026-06-09\n", to: "labels.csv")
    let ids = [
      "RUN": try folder.database.rows("SELECT id FROM batch_runs").first,
      "ALERT": try folder.database.rows("SELECT id FROM pattern_alert_state").first,
    ]
    let words = arguments.map { word in ids[word].flatMap { $0 } ?? word }
    let piped = try await CommandRun.vigil(
      arguments: words + ["--no-color", "--quiet"], in: folder)
    let run = try await CommandRun.vigil(
      arguments: words + ["--no-color", "--quiet"], in: folder, launcher: terminal(80))
    #expect(run.status == piped.status && !run.output.isEmpty, "\(run.output)\(run.errors)")
    let lines = run.output.split(whereSeparator: \.isNewline)
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
  }

  /// A date in a file is a date, and in a terminal it is that of the last evaluated day less some days.
  @Test func datesCountBackFromTheLastEvaluatedDay() async throws {
    let folder = try SampleDatabase.imported(
      then: [["backfill", "--from", "2026-06-01", "--to", "2026-06-20"]])
    let list = ["alerts", "list", "--no-color"]
    let shown = try await CommandRun.vigil(arguments: list, in: folder, launcher: terminal(80))
    #expect(shown.output.contains(" d ago "), "\(shown.output)")
    #expect(shown.output.contains("count back from 2026-06-20, the last evaluated day"))
    for whole in [
      try await CommandRun.vigil(arguments: list, in: folder),
      try await CommandRun.vigil(
        arguments: list + ["--wide"], in: folder, launcher: terminal(80)),
    ] {
      #expect(!whole.output.contains(" d ago"), "\(whole.output)")
    }
  }
}

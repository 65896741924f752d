import Foundation
import TestDatabases
import Testing

/// Ids as lists show them are ids as commands take them.
@Suite struct ShownIDsTests {
  private static let backfill = [
    "backfill", "--from", "2026-03-03", "--to", "2026-06-20", "--thresholds", "v3",
  ]

  @Test(
    arguments: [
      ["alerts", "list", "--status", "all", "--user"], ["insights", "--user"],
      ["adherence", "--user"], ["queue", "list", "--shadow", "--user"],
      ["explain", "--metric", "sleep_minutes", "--user"],
    ], DatabaseKind.allCases)
  func aPersonIsTakenByTheEightDigitsThatListsShow(
    command: [String], kind: DatabaseKind
  ) async throws {
    let folder = try SampleDatabase.imported(kind, then: [Self.backfill])
    let id = try #require(
      try folder.database.rows("SELECT id FROM users WHERE external_id = 'synthetic-3'").first)
    var outputs: Set<String> = []
    for name in [id, String(id.prefix(8)), id.prefix(10).uppercased(), "synthetic-3"] {
      let run = try await CommandRun.vigil(arguments: command + [name], in: folder)
      try #require(run.status == 0, "\(name): \(run.errors)")
      #expect(!run.output.isEmpty)
      outputs.insert(run.output)
    }
    #expect(outputs.count == 1)
    // Fewer digits than lists show could be of anyone.
    let few = try await CommandRun.vigil(
      arguments: command + [String(id.prefix(7))], in: folder)
    #expect(few.status == 65 && few.errors.contains("first eight digits"), "\(few.errors)")
  }

  /// Files of persons and of labels take the same ids.
  @Test func filesTakeTheDigitsThatListsShow() async throws {
    let folder = try SampleDatabase.imported(.sqlite, then: [Self.backfill])
    let id = try #require(
      try folder.database.rows("SELECT id FROM users WHERE external_id = 'synthetic-3'").first)
    try folder.write("\(id.prefix(8))\n", to: "some.txt")
    for command in [
      ["report", "--out", "page.html", "--users", "some.txt"],
      ["export", "alerts", "--out", "alerts.csv", "--users", "some.txt"],
    ] {
      let run = try await CommandRun.vigil(arguments: command, in: folder)
      #expect(run.status == 0, "\(run.errors)")
    }
    var outputs: Set<String> = []
    for name in [id, String(id.prefix(8)), "synthetic-3"] {
      try folder.write(
        "user_id,first_day,last_day\n\(name),2026-05-24,2026-06-20\n", to: "labels.csv")
      let run = try await CommandRun.vigil("evaluate", "--labels", "labels.csv", in: folder)
      try #require(run.status == 0, "\(name): \(run.errors)")
      outputs.insert(run.output)
    }
    #expect(outputs.count == 1)
  }

  @Test(arguments: DatabaseKind.allCases)
  func whereDigitsAreOfTwoPersonsBothAreNamed(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind, then: [Self.backfill])
    let (first, second) = (
      "8b3ffe2d-0000-4000-8000-000000000001", "8b3ffe2d-ffff-4fff-bfff-000000000002"
    )
    let now = "'2026-06-01T00:00:00.000000Z'"
    for id in [first, second] {
      try folder.database.execute(
        """
        INSERT INTO users (id, external_id, created_at, updated_at)
        VALUES ('\(id)', \(id == first ? "'8b3ffe2dffff'" : "NULL"), \(now), \(now))
        """)
    }
    func refusal(_ id: String) async throws -> String {
      let run = try await CommandRun.vigil("adherence", "--user", id, in: folder)
      #expect(run.status == 65)
      return run.errors
    }
    #expect(
      try await refusal("8b3ffe2d").contains("may be \(first) or \(second); give more digits"))
    // The original id of one is the beginning of another's.
    let both = try await refusal("8b3ffe2dffff")
    #expect(both.contains("is the original id of \(first), and \(second) begins like this"))
    for whole in [first, second, "8b3ffe2d-0"] {
      let run = try await CommandRun.vigil("adherence", "--user", whole, in: folder)
      #expect(run.status == 0, "\(run.errors)")
    }
  }

  @Test(arguments: DatabaseKind.allCases)
  func anAlertIsExplainedByItsIDAlone(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(kind, then: [Self.backfill])
    let rows = try folder.database.rows(
      """
      SELECT id, user_id, metric_type, opened_on FROM pattern_alert_state
      WHERE metric_type IN ('sleep_minutes', 'combined') ORDER BY metric_type, id
      """)
    #expect(rows.count > 1)
    for row in [rows.first, rows.last].compactMap(\.self) {
      let cells = row.split(separator: "|").map(String.init)
      let alert = try await CommandRun.vigil(
        "explain", "--alert", String(cells[0].prefix(8)), in: folder)
      let same = try await CommandRun.vigil(
        "explain", "--user", cells[1], "--metric", cells[2], "--date", cells[3], in: folder)
      try #require(alert.status == 0, "\(alert.errors)")
      #expect(alert.output == same.output)
      #expect(alert.output.hasPrefix("Alert of level "), "\(alert.output)")
    }
    let medication = try folder.database.rows(
      "SELECT id FROM pattern_alert_state WHERE medication_id IS NOT NULL ORDER BY id"
    ).first
    if let medication {
      let run = try await CommandRun.vigil("explain", "--alert", medication, in: folder)
      #expect(run.status == 0, "\(run.errors)")
    }
  }

  @Test func anAlertStandsForPersonAndMetric() async throws {
    let folder = try SampleDatabase.imported()
    for arguments in [
      ["--alert", "0f3a", "--user", "a"], ["--alert", "0f3a", "--metric", "steps"],
      ["--alert", "xyz"], ["--metric", "steps"],
    ] {
      let run = try await CommandRun.vigil(arguments: ["explain"] + arguments, in: folder)
      #expect(run.status == 64, "\(arguments): \(run.errors)")
    }
  }

  @Test(arguments: [
    (["alrts"], "there is no command 'vigil alrts'; did you mean 'vigil alerts'?"),
    (
      ["alerts", "lst"], "there is no command 'vigil alerts lst'; did you mean 'vigil alerts list'?"
    ),
    (["golve", "--dry-run"], "there is no command 'vigil golve'; did you mean 'vigil golive'?"),
    (
      ["runs", "shw", "1f2e"],
      "there is no command 'vigil runs shw'; did you mean 'vigil runs show'?"
    ),
  ])
  func aMistypedCommandIsAnsweredWithTheNearest(
    arguments: [String], answer: String
  ) async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun.vigil(arguments: arguments, in: folder)
    #expect(run.status == 64)
    #expect(run.errors.contains(answer), "\(run.errors)")
  }

  @Test func aWordThatIsNearNoCommandIsOnlyRefused() async throws {
    let run = try await CommandRun.vigil("xylophone", in: try TemporaryFolder())
    #expect(run.status == 64)
    #expect(!run.errors.contains("did you mean") && run.errors.contains("xylophone"))
  }
}

import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

/// `vigil run --user`.
@Suite("vigil run --user")
struct OnePersonTests {
  private static let nights = ["backfill", "--from", "2026-06-01", "--to", "2026-06-29"]
  private static let person = UUID(uuidString: "0ddf5d67-7937-5995-89f2-03643e81cb20")
  private static let now = ["run", "--user", "synthetic-8", "--date", "2026-06-30"]

  /// The sample after its nights, in which the steps of the person have fallen since.
  private func evaluated(_ kind: DatabaseKind) async throws -> TemporaryFolder {
    let folder = try SampleDatabase.importedWithoutDoses(
      kind, then: [Self.nights + ["--thresholds", "v1"]])
    try folder.database.execute(
      """
      UPDATE wearable_daily_metrics SET steps = 400
      WHERE user_id = '\(try #require(Self.person).lowercased)' AND metric_date >= '2026-06-26'
      """)
    return folder
  }

  /// Everything that evaluations write, without times and runs.
  private func outcome(_ folder: TemporaryFolder) throws -> [String] {
    try folder.database.outcome()
      + folder.database.rows(
        "SELECT alert_state_id, notified_level FROM provisional_alerts ORDER BY 1")
      + folder.database.rows("SELECT id FROM provisional_notifications ORDER BY 1")
      + folder.database.rows("SELECT kind, alert_state_id FROM outbox ORDER BY id")
      + folder.database.rows("SELECT persons FROM batch_runs WHERE kind = 'person'")
  }

  @Test(
    "says which alerts it has found, and a night confirms them", arguments: DatabaseKind.allCases)
  func reports(kind: DatabaseKind) async throws {
    let folder = try await evaluated(kind)
    let run = try await CommandRun.vigil(arguments: Self.now + ["--format", "json"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(document["person"] as? String == Self.person?.lowercased)
    #expect(document["mode"] as? String == "shadow")
    let provisional = try #require(document["provisional"] as? [String])
    #expect(!provisional.isEmpty)
    #expect(document["retracted"] as? [String] == [])
    #expect(
      try folder.database.rows("SELECT alert_state_id FROM provisional_alerts ORDER BY 1")
        == provisional.sorted())

    let again = try await CommandRun.vigil(arguments: Self.now, in: folder)
    #expect(again.output.contains("provisional until the next night"), "\(again)")
    let runs = try await CommandRun.vigil("runs", "--format", "csv", in: folder)
    #expect(runs.output.contains(",person,"), "\(runs)")

    /// The ids of alerts that the list calls provisional, in its text and in its JSON.
    func listed() async throws -> (text: Int, json: [String]) {
      let list = ["alerts", "list", "--status", "all", "--limit", "0"]
      let text = try await CommandRun.vigil(arguments: list, in: folder)
      let json = try await CommandRun.vigil(arguments: list + ["--format", "json"], in: folder)
      let alerts = try #require(try JSON(text: json.output)["alerts"]?.elements)
      return (
        text.output.split(separator: "\n").count { $0.contains(", provisional") },
        alerts.compactMap {
          guard $0["provisional"] == .boolean(true), case .string(let id) = $0["id"] else {
            return nil
          }
          return id
        }
      )
    }
    let before = try await listed()
    #expect(before.text == provisional.count && before.json.sorted() == provisional.sorted())
    let shown = try await CommandRun.vigil("alerts", "show", provisional[0], in: folder)
    #expect(shown.output.contains(", provisional"), "\(shown.output)")

    let night = try await CommandRun.vigil("run", "--date", "2026-06-30", in: folder)
    #expect(night.status == 0, "\(night.errors)")
    #expect(try folder.database.count("provisional_alerts") == 0)
    let after = try await listed()
    #expect(after.text == 0 && after.json.isEmpty)
    #expect(
      try folder.database.rows("SELECT DISTINCT kind FROM outbox WHERE kind = 'confirmed'").count
        == 1)
  }

  @Test(
    "refuses what makes no sense, with the code of its reason", arguments: DatabaseKind.allCases)
  func refuses(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.importedWithoutDoses(kind)
    func run(_ arguments: [String]) async throws -> CommandRun {
      try await CommandRun.vigil(arguments: arguments, in: folder)
    }
    let early = try await run(Self.now)
    #expect(early.status == 75)
    #expect(early.errors.contains("no night was evaluated"), "\(early.errors)")
    let night = try await run(["run", "--date", "2026-06-29"])
    try #require(night.status == 0, "\(night.errors)")

    let unknown = try await run(["run", "--user", "stranger", "--date", "2026-06-30"])
    #expect(unknown.status == 65)
    #expect(unknown.errors.contains("belong to no person"), "\(unknown.errors)")
    for (options, word) in [
      (["--wait", "30s"], "--user"), (["--user", "synthetic-8", "--wait", "soon"], "30s or 2m"),
      (["--user", "synthetic-8", "--wait", "2h"], "30s or 2m"),
      (["--user", "synthetic-8", "--shard", "1/2"], "--shard"),
      (["--user", "synthetic-8", "--only", "vitality", "--restart"], "--only, --restart"),
      (["--user", "synthetic-8", "--date", "2026-13-01"], "date"),
    ] {
      let refused = try await run(["run"] + options)
      #expect(refused.status == 64, "\(options): \(refused)")
      #expect(refused.errors.contains(word), "\(options): \(refused.errors)")
    }
    let other = try await run(Self.now + ["--thresholds", "v2"])
    #expect(other.status == 65, "\(other)")
    #expect(try folder.database.count("batch_runs WHERE kind = 'person'") == 0)
  }

  /// A login in vigil_backfill alone, made for one test.
  private func backfillLogin(_ role: String, in folder: TemporaryFolder) throws -> [String: String]
  {
    guard case .postgres(let schema) = folder.database else { return [:] }
    try schema.session().execute(
      "DROP ROLE IF EXISTS \(role); CREATE ROLE \(role) LOGIN IN ROLE vigil_backfill")
    return ["VIGIL_DATABASE": schema.url(as: role)]
  }

  @Test("a login that only backfills leaves provisional alerts to the night")
  func backfillIsRefused() async throws {
    let folder = try await evaluated(.postgres)
    let found = try await CommandRun.vigil(arguments: Self.now, in: folder)
    try #require(found.status == 0, "\(found.errors)")
    let login = try backfillLogin("e2e_settling", in: folder)
    let backfill = ["backfill", "--from", "2026-06-20", "--to", "2026-06-30", "--thresholds", "v1"]
    let before = try outcome(folder)
    let refused = try await CommandRun.vigil(arguments: backfill, in: folder, environment: login)
    #expect(refused.status == 77, "\(refused.errors)")
    for words in ["provisional alerts", "e2e_settling", "run a night first", "vigil_engine"] {
      #expect(refused.errors.contains(words), "\(words) is not in: \(refused.errors)")
    }
    #expect(try outcome(folder) == before)
    let night = try await CommandRun.vigil("run", "--date", "2026-06-30", in: folder)
    try #require(night.status == 0, "\(night.errors)")
    let again = try await CommandRun.vigil(arguments: backfill, in: folder, environment: login)
    #expect(again.status == 0, "\(again.errors)")
  }

  @Test("is busy while the person is being evaluated", arguments: DatabaseKind.allCases)
  func isBusy(kind: DatabaseKind) async throws {
    let folder = try await evaluated(kind)
    let storage = try folder.database.open()
    do {
      let lock = try storage.acquirePersonLock(for: #require(Self.person))
      let busy = try await CommandRun.vigil(arguments: Self.now + ["--wait", "0s"], in: folder)
      withExtendedLifetime(lock) {
        #expect(busy.status == 75)
        #expect(busy.errors.contains("being evaluated by another process"), "\(busy.errors)")
      }
    }
    let free = try await CommandRun.vigil(arguments: Self.now + ["--wait", "10m"], in: folder)
    #expect(free.status == 0, "\(free.errors)")
  }

  @Test("leaves nothing half-written where it is killed", arguments: DatabaseKind.allCases)
  func isKilled(kind: DatabaseKind) async throws {
    let folder = try await evaluated(kind)
    let before = try outcome(folder)
    let undisturbed = try folder.copyOfDatabase()
    let run = try await CommandRun.vigil(arguments: Self.now, in: undisturbed)
    try #require(run.status == 0, "\(run.errors)")
    let expected = try outcome(undisturbed)
    var random = SeededGenerator(seed: 11)
    for _ in 1...Repetitions.count(fast: 6, long: 12) {
      let copy = try folder.copyOfDatabase()
      let delay = Double.random(in: 0...0.25, using: &random)
      _ = try await CommandRun.vigil(
        arguments: Self.now, in: copy,
        whileRunning: { process in
          Thread.sleep(forTimeInterval: delay)
          kill(process.processIdentifier, SIGKILL)
        })
      #expect(try copy.database.isSound())
      let left = try outcome(copy)
      #expect(left == before || left == expected)
      let wasWritten = left == expected
      // The lock is free, although its holder could not give it back.
      let again = try await CommandRun.vigil(arguments: Self.now + ["--wait", "60s"], in: copy)
      #expect(again.status == 0, "\(again.errors)")
      if !wasWritten { #expect(try outcome(copy) == expected) }
      #expect(try copy.names == (kind == .sqlite ? ["vigil.sqlite"] : []))
    }
  }
}

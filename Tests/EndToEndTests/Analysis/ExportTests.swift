import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing

/// Exports of the sample, from both databases.
@Suite struct ExportTests {
  /// The sample with alerts, insights, scores and what shadow nights would have sent.
  private func evaluated(_ kind: DatabaseKind) async throws -> TemporaryFolder {
    let folder = try SampleDatabase.imported(
      kind, then: [["backfill", "--from", "2026-05-20", "--to", "2026-06-20"]])
    return folder
  }

  private func export(
    _ arguments: String..., in folder: TemporaryFolder, environment: [String: String] = [:]
  ) async throws -> String {
    let run = try await CommandRun.vigil(
      arguments: ["export"] + arguments + ["--out", "-"], in: folder, environment: environment)
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  /// Rows of CSV without quoted line breaks, as the sample has none.
  private func rows(_ csv: String, without left: Set<String> = []) -> [String] {
    let lines = csv.split(separator: "\r\n", omittingEmptySubsequences: true)
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let kept = (lines.first ?? []).indices.filter { !left.contains(String(lines[0][$0])) }
    return lines.map { line in kept.map { String(line[$0]) }.joined(separator: ",") }
  }

  @Test func bothDatabasesGiveTheSameBytes() async throws {
    async let sqlite = evaluated(.sqlite)
    async let postgres = evaluated(.postgres)
    let (one, other) = try await (sqlite, postgres)
    for table in ["alerts", "insights", "scores", "observations"] {
      for format in ["csv", "jsonl"] {
        let expected = try await export(table, "--format", format, in: one)
        #expect(expected.utf8.count > 10_000, "\(table)")
        #expect(try await export(table, "--format", format, in: other) == expected, "\(table)")
      }
    }
    // Two runs had two clocks.
    let instants: Set = ["evaluated_at", "scheduled_for", "expires_at"]
    for arguments in [["adherence"], ["notifications", "--shadow"]] {
      let tables = try await (
        CommandRun.vigil(arguments: ["export", "--out", "-"] + arguments, in: one),
        CommandRun.vigil(arguments: ["export", "--out", "-"] + arguments, in: other)
      )
      let expected = rows(tables.0.output, without: instants)
      #expect(expected.count > 100)
      #expect(rows(tables.1.output, without: instants) == expected)
    }
  }

  @Test func alertsAreFlagsOfFHIR() async throws {
    struct Flag: Decodable {
      struct Coding: Decodable { var system, code: String }
      struct Concept: Decodable {
        var coding: [Coding]
        var text: String?
      }
      struct Identifier: Decodable { var system, value: String }
      struct Subject: Decodable {
        var type: String
        var identifier: Identifier
      }
      struct Period: Decodable {
        var start: String
        var end: String?
      }
      var resourceType, id, status: String
      var category: [Concept]
      var code: Concept
      var subject: Subject
      var period: Period
    }
    var texts: [String] = []
    for kind in DatabaseKind.allCases {
      let folder = try await evaluated(kind)
      texts.append(try await export("alerts", "--format", "fhir", in: folder))
      guard kind == .sqlite else { continue }
      let flags = try texts[0].split(separator: "\n").map {
        try JSONDecoder().decode(Flag.self, from: Data($0.utf8))
      }
      #expect(flags.allSatisfy { $0.resourceType == "Flag" && $0.subject.type == "Patient" })
      let rows = try folder.database.rows(
        """
        SELECT state.id, CASE WHEN episode_status = 'active' THEN 'active' WHEN resolution_reason = 'retracted'
          THEN 'entered-in-error' ELSE 'inactive' END, active_since, coalesce(resolved_on, ''), external_id, metric_type
        FROM pattern_alert_state AS state JOIN users ON users.id = user_id ORDER BY state.id
        """)
      #expect(
        flags.map { flag in
          let parts = [
            flag.id, flag.status, flag.period.start, flag.period.end ?? "",
            flag.subject.identifier.value, flag.code.coding[0].code,
          ]
          return parts.joined(separator: "|")
        }.sorted() == rows.map { $0.lowercased() }.sorted())
      #expect(Set(flags.map(\.status)) == ["active", "inactive"])
      #expect(flags.allSatisfy { $0.code.text?.isEmpty == false })
      let other = try await CommandRun.vigil(
        "export", "scores", "--out", "-", "--format", "fhir", in: folder)
      #expect(other.status == 64)
      #expect(other.errors.contains("only alerts are written as FHIR, not scores"))
    }
    #expect(texts[0] == texts[1])
  }

  @Test func anExportHasARowForEveryRowOfTheTable() async throws {
    let folder = try await evaluated(.sqlite)
    for (table, source) in [
      ("alerts", "pattern_alert_state"), ("insights", "trend_insights"),
      ("scores", "vitality_scores"), ("adherence", "dose_analytics"),
    ] {
      let count = rows(try await export(table, in: folder)).count - 1
      #expect(try count == folder.database.count(source), "\(table)")
    }
    let some = rows(
      try await export("scores", "--from", "2026-06-01", "--to", "2026-06-03", in: folder))
    let expected = try folder.database.rows(
      "SELECT count(*) FROM vitality_scores WHERE score_date BETWEEN '2026-06-01' AND '2026-06-03'")
    #expect(["\(some.count - 1)"] == expected)
    // Steps are merged and kept, except on days when the device was not worn.
    let steps = rows(try await export("observations", in: folder))
      .filter { $0.contains(",steps,") }.count
    let stored = try #require(
      Int(
        try folder.database.rows("SELECT count(steps) FROM wearable_daily_metrics").first ?? ""))
    #expect(steps > stored * 9 / 10 && steps <= stored)
  }

  @Test func personsAndProfilesNarrowAnExportDown() async throws {
    let folder = try await evaluated(.sqlite)
    try folder.write("synthetic-3\nsynthetic-7\n", to: "some.txt")
    for table in ["alerts", "scores", "observations"] {
      let all = rows(try await export(table, in: folder))
      let some = rows(try await export(table, "--users", "some.txt", in: folder))
      #expect(some == all.filter { $0.hasPrefix(all[0]) || $0.contains(/,synthetic-[37],/) })
      #expect(some.count > 1 && some.count < all.count)
    }
    let own = try await export("alerts", "--profile", "v1", in: folder)
    #expect(try await export("alerts", in: folder) == own)
    #expect(rows(try await export("alerts", "--profile", "v9", in: folder)).count == 1)
  }

  @Test func aFileAppearsCompleteAndIsNotReplacedUnasked() async throws {
    let folder = try await evaluated(.sqlite)
    let first = try await CommandRun.vigil("export", "alerts", "--out", "alerts.csv", in: folder)
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output.hasSuffix(" rows of alerts written to alerts.csv.\n"))
    let file = folder.url.appending(path: "alerts.csv")
    let expected = try await export("alerts", in: folder)
    #expect(try String(contentsOf: file, encoding: .utf8) == expected)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    try folder.write("mine", to: "alerts.csv")
    let again = try await CommandRun.vigil("export", "alerts", "--out", "alerts.csv", in: folder)
    again.expectFailure(73, mentioning: "alerts.csv is there already", "--force")
    #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
    let forced = try await CommandRun.vigil(
      "export", "alerts", "--out", "alerts.csv", "--force", "--quiet", in: folder)
    #expect(forced.status == 0 && forced.output == "", "\(forced.errors)")
    #expect(try String(contentsOf: file, encoding: .utf8) == expected)
    #expect(try !folder.names.contains { $0.hasSuffix(".partial") })
  }

  @Test func aFailedExportLeavesNoFile() async throws {
    let folder = try await evaluated(.sqlite)
    try folder.write("stranger\n", to: "some.txt")
    let run = try await CommandRun.vigil(
      "export", "scores", "--out", "scores.csv", "--users", "some.txt", in: folder)
    run.expectFailure(65, mentioning: "belong to no person")
    #expect(try !folder.names.contains { $0.hasPrefix("scores.csv") })
  }

  @Test(arguments: [
    (["export"], "<table>"), (["export", "alert", "--out", "x.csv"], "did you mean alerts?"),
    (["export", "alerts"], "--out"), (["export", "alerts", "--out", "x.txt"], "neither .csv nor"),
    (["export", "alerts", "--out", ""], "--out"),
    (["export", "alerts", "--out", "x.csv", "--format", "json"], "--format csv or jsonl"),
    (["export", "alerts", "--out", "x.csv", "--shadow"], "vigil export notifications"),
    (["export", "scores", "--out", "x.csv", "--profile", "v1"], "vigil export alerts"),
    (["export", "scores", "--out", "x.csv", "--thresholds", "v1"], "vigil export observations"),
    (["export", "notifications", "--out", "x.csv", "--shadow", "--held"], "exclude each other"),
    (["export", "scores", "--out", "x.csv", "--from", "2026-02-01", "--to", "2026-01-01"], "swap"),
    (
      ["export", "scores", "--out", "vigil.sqlite", "--force", "--format", "csv"], "is the database"
    ),
    (["run", "--format", "csv"], "does not write csv"),
    (["alerts", "list", "--format", "jsonl"], "does not write jsonl"),
  ])
  func wrongUsageEndsWith64AndWritesNothing(arguments: [String], mention: String) async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun.vigil(arguments: arguments, in: folder)
    run.expectFailure(64, mentioning: mention)
    #expect(try folder.names.isEmpty)
  }

  /// `head` closes the pipe early, which is no failure.
  @Test func aReaderMayStopReading() async throws {
    let folder = try await evaluated(.sqlite)
    let run = try await CommandRun.vigil(
      arguments: ["export", "observations", "--out", "-"], in: folder,
      launcher: ["/bin/sh", "-c", "{ \"$@\"; echo $? >&2; } | head -n 2", "sh"])
    #expect(rows(run.output).count == 2, "\(run.output)")
    #expect(run.errors == "0\n", "\(run.errors)")
  }

  @Test func aReaderOfAnAppGetsTheRowsOfOnePersonsFamilyOnly() async throws {
    let folder = try await evaluated(.postgres)
    guard case .postgres(let schema) = folder.database else { return }
    try schema.session().execute(
      "DROP ROLE IF EXISTS e2e_exporter; CREATE ROLE e2e_exporter LOGIN IN ROLE vigil_reader")
    let person = try #require(
      folder.database.rows("SELECT id FROM users WHERE external_id = 'synthetic-3'").first)
    func environment(_ role: String) -> [String: String] {
      [
        "VIGIL_DATABASE": schema.url(as: role),
        "PGOPTIONS": "-c app.current_user_id=\(person)",
      ]
    }
    for table in ["alerts", "insights", "scores", "adherence", "observations"] {
      let all = rows(try await export(table, in: folder))
      let own = rows(try await export(table, in: folder, environment: environment("e2e_exporter")))
      let others = own.dropFirst().filter { !$0.contains(",synthetic-3,") }
      #expect(own.count > 1 && own.count < all.count, "\(table)")
      #expect(own.allSatisfy { all.contains($0) }, "\(table)")
      let members = Set(others.compactMap { $0.firstMatch(of: /,(synthetic-\d+),/)?.output.1 })
      #expect(members.count < 6, "\(members)")
    }
    for arguments in [["notifications", "--shadow"], ["notifications", "--held"]] {
      let run = try await CommandRun.vigil(
        arguments: ["export", "--out", "x.csv"] + arguments, in: folder,
        environment: environment("e2e_exporter"))
      run.expectFailure(77, mentioning: "notifi")
    }
    // Without a person there is no row to see.
    let unnamed = try await export(
      "alerts", in: folder, environment: ["VIGIL_DATABASE": schema.url(as: "e2e_exporter")])
    #expect(rows(unnamed).count == 1)
    #expect(try folder.names.isEmpty)
  }
}

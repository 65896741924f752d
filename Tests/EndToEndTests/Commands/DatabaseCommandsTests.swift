import Foundation
import TestDatabases
import TestSupport
import Testing

@Suite struct DatabaseCommandsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test(arguments: DatabaseKind.allCases)
  func migrateCreatesADatabaseThatOtherCommandsRead(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder(kind)
    let migrated = try await CommandRun.vigil("migrate", in: folder)
    #expect(migrated.status == 0)
    #expect(migrated.output.contains("Next: vigil import"))
    let status = try await CommandRun.vigil("migrate", "--status", "--format", "json", in: folder)
    let migrations = try #require(try json(status.output)["migrations"] as? [[String: Any]])
    #expect(!migrations.isEmpty)
    #expect(migrations.allSatisfy { $0["state"] as? String == "applied" })
    let alerts = try await CommandRun.vigil("alerts", "list", in: folder)
    #expect(alerts.status == 0)
    #expect(
      alerts.output
        == "No alerts match. There are no data yet; vigil import csv DIR brings some in.\n")
    let runs = try await CommandRun.vigil("runs", "--format", "json", in: folder)
    #expect((try json(runs.output)["runs"] as? [Any])?.isEmpty == true)
  }

  @Test(arguments: DatabaseKind.allCases)
  func migratingTwiceChangesNothing(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder(kind)
    _ = try await CommandRun.vigil("migrate", in: folder)
    let again = try await CommandRun.vigil("migrate", in: folder)
    #expect(again.status == 0)
    #expect(again.output.hasSuffix(" is up to date; nothing to do.\n"))
    #expect(again.output.hasPrefix(kind == .sqlite ? "sqlite:vigil.sqlite " : "postgres://"))
  }

  @Test(arguments: DatabaseKind.allCases)
  func databaseWithPendingMigrationsAsksForMigrate(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder(kind)
    _ = try await CommandRun.vigil("migrate", in: folder)
    let down = try await CommandRun.vigil("migrate", "--down", "1", in: folder)
    #expect(down.status == 0)
    #expect(down.output.contains("took back migration"))
    let run = try await CommandRun.vigil("runs", in: folder)
    #expect(run.status == 69)
    #expect(run.errors.contains("vigil migrate"))
    let status = try await CommandRun.vigil("migrate", "--status", in: folder)
    #expect(status.output.contains("1 migration pending. Next: vigil migrate."))
  }

  @Test(arguments: ["runs", "migrate", "doctor"])
  func fileThatIsNoDatabaseIsLeftAlone(command: String) async throws {
    let text = "user_id,metric_date,steps\n" + String(repeating: "p1,2026-01-01,100\n", count: 100)
    try folder.write(text, to: "vigil.sqlite")
    let run = try await CommandRun.vigil(command, in: folder)
    #expect(run.status == (command == "doctor" ? 69 : 65))
    #expect((run.errors + run.output).contains("vigil.sqlite"))
    let after = try Data(contentsOf: folder.url.appending(path: "vigil.sqlite"))
    #expect(after == Data(text.utf8))
    #expect(try folder.names == ["vigil.sqlite"])
  }

  @Test func folderThatCannotBeWrittenToEndsWith73() async throws {
    // Nothing is read-only for root, so the command gets another user.
    let dropsPrivileges = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let isRoot = getuid() == 0
    if isRoot, !FileManager.default.isExecutableFile(atPath: dropsPrivileges[0]) {
      print("skipped: runs as root and there is no setpriv to become another user")
      return
    }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
    let run = try await CommandRun.vigil(
      arguments: ["migrate"], in: folder, launcher: isRoot ? dropsPrivileges : [])
    #expect(run.status == 73, "\(run.errors)")
    #expect(run.output == "")
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(try folder.names.isEmpty)
  }

  @Test func doctorFindsAMissingDatabaseAndStillChecksTheRest() async throws {
    let run = try await CommandRun.vigil("doctor", "--format", "json", in: folder)
    #expect(run.status == 69)
    let report = try json(run.output)
    #expect(report["status"] as? String == "failure")
    let findings = try #require(report["findings"] as? [[String: Any]])
    func status(_ check: String) -> String? {
      findings.first { $0["check"] as? String == check }?["status"] as? String
    }
    #expect(status("database") == "failure")
    #expect(status("clock") == "ok")
    #expect(status("time zones") == "ok")
    #expect(status("thresholds") == "ok")
    #expect(try folder.names.isEmpty)
  }

  @Test(arguments: DatabaseKind.allCases)
  func doctorIsContentWithAFreshDatabase(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder(kind)
    _ = try await CommandRun.vigil("migrate", in: folder)
    let run = try await CommandRun.vigil("doctor", in: folder)
    #expect(run.status == 0, "\(run.output)")
  }

  @Test(arguments: DatabaseKind.allCases)
  func doctorNamesAThresholdsFileThatCannotBeRead(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder(kind)
    _ = try await CommandRun.vigil("migrate", in: folder)
    let run = try await CommandRun.vigil("doctor", "--thresholds", "no.json", in: folder)
    #expect(run.status == 69)
    #expect(run.output.contains("no.json"))
  }

  @Test func thresholdsCheckAcceptsGoodFilesAndRefusesBadOnes() async throws {
    for shipped in ["v1", "v2", "v3", "v3-strict"] {
      let run = try await CommandRun.vigil(
        "thresholds", "check", shipped, "--people", "20", in: folder)
      #expect(run.status == 0)
      #expect(run.output.contains("resting heart rate"))
      #expect(run.output.contains("20 simulated people x 430 days (seed 17)"))
      #expect(run.output.contains("4.28") == (shipped == "v3"), "the evidence for steps")
      #expect(!run.output.contains("Not simulated"))
      #expect(run.output.contains("\ndoses "))
      let isTogether = shipped.hasPrefix("v3")
      #expect(run.output.contains("\nseveral metrics together") == isTogether)
      #expect(run.output.contains("\nevents") == isTogether)
      #expect(run.output.contains("\nsilence ") == isTogether, "v1 and v2 do not follow it")
    }
    let silent = try await CommandRun.vigil(
      "thresholds", "check", "v3", "--people", "0", in: folder)
    #expect(silent.status == 0)
    #expect(!silent.output.contains("simulated people x"))
    for shipped in ["vitality.v1", "vitality.v2"] {
      let run = try await CommandRun.vigil("thresholds", "check", shipped, in: folder)
      #expect(run.status == 0)
      #expect(run.output.contains("restorative_pct"))
    }
    try folder.write("{\"version\": \"x\", \"metrics\": {}, \"surprise\": 1}", to: "bad.json")
    let bad = try await CommandRun.vigil("thresholds", "check", "bad.json", in: folder)
    #expect(bad.status == 65)
    #expect(bad.output == "")
    #expect(bad.errors.contains("bad.json"))
    #expect(bad.errors.contains("surprise"))
    try folder.write("{\"version\": \"x\", \"scores\": { \"window\": 7 }}", to: "bad.json")
    let vitality = try await CommandRun.vigil("thresholds", "check", "bad.json", in: folder)
    #expect(vitality.status == 65)
    #expect(vitality.errors.contains("$.scores.window: unknown key"))
    #expect(vitality.errors.contains("$.scores.pillars: is missing"))
  }

  @Test func aVitalityFileIsNoThresholdsOfARun() async throws {
    _ = try await CommandRun.vigil("migrate", in: folder)
    let run = try await CommandRun.vigil("run", "--thresholds", "vitality.v1", in: folder)
    #expect(run.status == 65)
    #expect(run.errors.contains("give a thresholds file"))
  }

  @Test(arguments: DatabaseKind.allCases)
  func generatedDataCanBeImported(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder(kind)
    let generated = try await CommandRun.vigil(
      "generate", "data", "--people", "3", "--days", "30", "--seed", "5", "--end-date",
      "2026-06-30", in: folder)
    #expect(generated.status == 0, "\(generated.errors)")
    let imported = try await CommandRun.vigil(
      "import", "csv", "data", "--format", "json", in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    let tables = try #require(try json(imported.output)["tables"] as? [[String: Any]])
    let metrics = try #require(
      tables.first { $0["name"] as? String == "wearable_daily_metrics" })
    #expect(metrics["rows_written"] as? Int ?? 0 > 60)
    #expect(metrics["quarantined"] as? Int == 0)
  }

  @Test(arguments: DatabaseKind.allCases)
  func sampleGoesFromImportToAlerts(kind: DatabaseKind) async throws {
    let folder = try TemporaryFolder(kind)
    let sample = SharedFolder.repository.appending(path: "datasets/sample").path
    let imported = try await CommandRun.vigil("import", "csv", sample, in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(imported.output.contains("vigil backfill --from 2026-03-03 --to 2026-06-30"))
    let backfill = try await CommandRun.vigil(
      "backfill", "--from", "2026-03-03", "--to", "2026-06-29", "--format", "json", in: folder)
    #expect(backfill.status == 0, "\(backfill.errors)")
    let night = try await CommandRun.vigil("run", "--date", "2026-06-30", in: folder)
    #expect(night.status == 0, "\(night.errors)")
    #expect(night.output.contains("none sent (shadow)"))
    let again = try await CommandRun.vigil(
      "run", "--date", "2026-06-30", "--format", "json", in: folder)
    let record = try #require(try json(again.output)["run"] as? [String: Any])
    let counts = try #require(record["counts"] as? [String: Any])
    #expect(counts["persons"] as? Int == 12)
    #expect(counts["episodes_opened"] as? Int == 0, "the same night again changes nothing")
    #expect(counts["notifications_enqueued"] as? Int == 0)

    let alerts = try await CommandRun.vigil(
      "alerts", "list", "--status", "all", "--limit", "0", "--format", "json", in: folder)
    let rows = try #require(try json(alerts.output)["alerts"] as? [[String: Any]])
    #expect(Set(rows.compactMap { $0["current_level"] as? Int }).isSuperset(of: [3, 7]))
    let person = try #require(rows.first?["external_id"] as? String)
    let own = try await CommandRun.vigil(
      "alerts", "list", "--user", person, "--status", "all", "--format", "json", in: folder)
    let ownRows = try #require(try json(own.output)["alerts"] as? [[String: Any]])
    #expect(!ownRows.isEmpty)
    #expect(ownRows.allSatisfy { $0["external_id"] as? String == person })
    let stranger = try await CommandRun.vigil("alerts", "list", "--user", "unknown", in: folder)
    #expect(stranger.status == 65)
    #expect(stranger.errors.contains("--user unknown"))

    let runs = try await CommandRun.vigil("runs", "--format", "json", in: folder)
    let records = try #require(try json(runs.output)["runs"] as? [[String: Any]])
    #expect(records.map { $0["kind"] as? String } == ["run", "run", "backfill"])
    let id = try #require(records.last?["id"] as? String)
    let shown = try await CommandRun.vigil("runs", "show", String(id.prefix(8)), in: folder)
    #expect(shown.output.contains(id))
  }

  @Test func importOfNothingCreatesNoDatabase() async throws {
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "empty"), withIntermediateDirectories: false)
    let run = try await CommandRun.vigil("import", "csv", "empty", in: folder)
    #expect(run.status == 64)
    #expect(run.errors.contains("nothing to import"))
    #expect(try folder.names == ["empty"])
  }
}

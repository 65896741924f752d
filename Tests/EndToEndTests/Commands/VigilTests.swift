import Foundation
import Testing

@Suite struct VigilTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func helpGoesToStandardOutputAndDocumentsExitCodes() async throws {
    let run = try await CommandRun.vigil("--help", in: folder)
    #expect(run.status == 0)
    #expect(run.errors == "")
    for text in ["SUBCOMMANDS:", "   69  database missing", "VIGIL_SHADOW_MODE"] {
      #expect(run.output.contains(text))
    }
  }

  @Test(arguments: [
    ["migrate"], ["import"], ["import", "csv"], ["import", "lifesnaps"], ["import", "fitbit"],
    ["import", "adheretech"],
    ["generate"], ["run"], ["backfill"], ["alerts"], ["alerts", "list"],
    ["alerts", "show"], ["alerts", "ack"], ["alerts", "snooze"], ["alerts", "dismiss"],
    ["alerts", "restore"], ["queue"], ["queue", "list"], ["queue", "show"],
    ["queue", "prune"], ["runs"],
    ["runs", "list"], ["runs", "show"], ["thresholds"],
    ["thresholds", "check"], ["calibrate"], ["doctor"],
    ["config"],
  ])
  func everyCommandHasAnExample(command: [String]) async throws {
    let run = try await CommandRun.vigil(arguments: command + ["--help"], in: folder)
    #expect(run.status == 0)
    let example = try #require(run.output.firstRange(of: "Example:\n  vigil \(command[0])"))
    #expect(!example.isEmpty)
    if command.count == 2 || !run.output.contains("SUBCOMMANDS:") {
      for option in ["--database", "--config", "--format", "--log-level", "--quiet", "--no-color"] {
        #expect(run.output.contains(option), "\(option) of \(command)")
      }
    }
  }

  @Test func versionIsOneLine() async throws {
    let run = try await CommandRun.vigil("--version", in: folder)
    #expect(run.status == 0)
    #expect(run.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
  }

  @Test(arguments: [
    (["bogus"], "bogus"), (["run", "--date", "2026-02-30"], "2026-02-30"),
    (["run", "--date", "2999-01-01"], "2999-01-01"), (["run", "--shadow", "--live"], "--live"),
    (["backfill", "--from", "2026-02-02", "--to", "2026-02-01"], "2026-02-01"),
    (["alerts", "list", "--level", "5"], "3, 7, 14 and 21"),
    (["alerts", "list", "--family", "f1"], "--viewer"),
    (["alerts", "list", "--viewer", "anna"], "--family"),
    (["alerts", "list", "--family", "", "--viewer", "anna"], "need an id"),
    (
      [
        "alerts", "list", "--family", "f1", "--viewer", "anna", "--user", "ben", "--status", "all",
        "--from", "2026-01-01", "--to", "2026-01-02",
      ], "--user, --status, --from, --to cannot be combined with --family"
    ),
    (["queue", "list", "--status", "skiped"], "did you mean skipped?"),
    (["queue", "prune"], "--older-than"),
    (["queue", "prune", "--older-than", "30"], "'30' is no age"),
    (["queue", "prune", "--older-than", "0d"], "30d"),
    (["queue", "prune", "--older-than", "-1d"], "--older-than"),
    (["queue", "prune", "--older-than", "99999999999999999999w"], "12h, 30d or 8w"),
    (["queue", "prune", "--older-than", "1m"], "12h, 30d or 8w"),
    (["queue", "list", "--reason", "mood"], "quiet_hours"), (["queue", "show", "zz"], "zz"),
    (["alerts", "list", "--limit", "-1"], "--limit"), (["migrate", "--down", "0"], "--down"),
    (["migrate", "--status", "--down", "1"], "--status"), (["runs", "show", "zz"], "zz"),
    (["runs", "--database", "mysql://me:secret@host/x"], "sqlite:PATH"),
    (["runs", "--format", "xml"], "text, json, csv, jsonl or fhir"),
    (["run", "--time-zone", "Mars/Olympus"], "Mars/Olympus"),
    (["import", "csv", "x", "--max-bad-rows", "120%"], "120%"),
    (["run", "--max-bad-rows", "many"], "max_bad_rows"),
    (
      ["backfill", "--from", "2026-01-01", "--to", "2026-01-02", "--max-bad-rows", "2"],
      "0% to 100%"
    ),
    (["import", "csv", "no-such-folder"], "no-such-folder"),
    (["generate", "d", "--people", "0", "--days", "1", "--seed", "1"], "people"),
  ])
  func badUsageEndsWith64AndOneLine(arguments: [String], mention: String) async throws {
    let run = try await CommandRun.vigil(arguments: arguments, in: folder)
    #expect(run.status == 64)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("vigil: "))
    #expect(run.errors.contains(mention), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    #expect(!run.errors.contains("secret"))
    #expect(try folder.names.isEmpty, "nothing is created")
  }

  @Test(arguments: [
    ["run"], ["alerts", "list"], ["queue"], ["runs"], ["migrate", "--status"],
    ["migrate", "--down", "1"],
    ["backfill", "--from", "2026-01-01", "--to", "2026-01-02"],
  ])
  func missingDatabaseSaysWhatToDoAndIsNotCreated(arguments: [String]) async throws {
    let run = try await CommandRun.vigil(arguments: arguments, in: folder)
    #expect(run.status == 69)
    #expect(run.output == "")
    #expect(run.errors.contains("vigil.sqlite"))
    #expect(run.errors.contains("vigil migrate"))
    #expect(try folder.names.isEmpty)
  }

  @Test(arguments: ["me:secret@127.0.0.1:1/x", "/x?host=/nowhere&user=me&password=secret"])
  func serverThatIsNotThereEndsWith69AndOneLine(address: String) async throws {
    let run = try await CommandRun.vigil(
      "runs", "--database", "postgres://\(address)", in: folder,
      environment: ["VIGIL_DATABASE_RETRY": "0"])
    run.expectFailure(69, mentioning: "/x")
    #expect(!run.errors.contains("secret"))
  }

  @Test func outputWithoutAReaderEndsQuietly() async throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    for arguments in [["--help"], ["config"], ["config", "--format", "json"]] {
      let run = try await CommandRun.vigil(
        arguments: arguments, in: folder, standardOutput: pipe.fileHandleForWriting)
      #expect(run.status == 0)
      #expect(run.errors == "")
    }
  }

  @Test func completionsComeFromTheSameDefinitions() async throws {
    let run = try await CommandRun.vigil("--generate-completion-script", "bash", in: folder)
    #expect(run.status == 0)
    #expect(run.output.contains("backfill"))
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func signalEndsALongCommandWithoutLeftovers(signal: Int32, status: Int32) async throws {
    let target = folder.url.appending(path: "data")
    // So many people that it cannot end by itself while the test waits for its first bytes.
    let run = try await CommandRun.vigil(
      "generate", "data", "--people", "200000", "--days", "3650", "--seed", "1", in: folder,
      whileRunning: { process in
        while process.isRunning, (try? Self.bytes(in: target)) ?? 0 == 0 {
          Thread.sleep(forTimeInterval: 0.005)
        }
        kill(process.processIdentifier, signal)
      })
    #expect(run.status == status)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("vigil: interrupted"))
    #expect(((try? FileManager.default.contentsOfDirectory(atPath: target.path)) ?? []).isEmpty)
  }

  private static func bytes(in folder: URL) throws -> Int {
    try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.fileSizeKey]
    ).reduce(0) { $0 + (try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
  }
}

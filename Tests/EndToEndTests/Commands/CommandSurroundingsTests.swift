import Foundation
import TestDatabases
import TestSupport
import Testing

@testable import vigil

/// Commands that are called in one process see nothing of each other, nor of the process.
@Suite struct CommandSurroundingsTests {
  /// A number of persons that no other command of the test has, in a folder, a schema and streams of its own.
  private struct Ward {
    let number: Int
    let folder: TemporaryFolder

    init(_ number: Int) throws {
      self.number = number
      folder = try TemporaryFolder()
      try folder.write("{\"max_bad_rows\": 0.0\(number)}", to: "own.json")
    }

    func vigil(_ arguments: String..., standardInput: String? = nil) async throws -> CommandRun {
      try await CommandRun.vigil(
        arguments: arguments, in: folder,
        environment: [
          "VIGIL_SCHEMA": "ward \(number)", "VIGIL_CONFIG": "own.json", "VIGIL_WARD_\(number)": "",
        ], standardInput: standardInput)
    }

    /// Uses every part of the surroundings, by relative paths.
    func expectItsOwn() async throws {
      let config = try await vigil("config", "--format", "csv", "--quiet")
      config.expectFailure(64, mentioning: "does not write csv")
      let settings = try await vigil("config")
      #expect(settings.status == 0)
      #expect(settings.output.contains("ward \(number) "), "\(settings.output)")
      #expect(settings.output.contains("0.0\(number) "), "\(settings.output)")
      #expect(settings.errors.hasSuffix(" variables=VIGIL_WARD_\(number)\n"), "\(settings.errors)")
      #expect(settings.errors.split(separator: "\n").count == 1, "\(settings.errors)")

      let generated = try await vigil(
        "generate", "data", "--people", "\(number)", "--days", "40", "--seed", "\(number)",
        "--end-date", "2026-06-30", "--quiet")
      #expect(generated.status == 0, "\(generated.errors)")
      #expect(generated.errors == "")
      let imported = try await vigil("import", "csv", "data", "--quiet")
      #expect(imported.status == 0, "\(imported.errors)")
      let persons = try folder.database.rows("SELECT external_id FROM users")
      #expect(persons.count == number)
      let run = try await vigil(
        "run", "--date", "2026-06-30", "--users", "-", "--metrics-file", "own.prom", "--quiet",
        standardInput: persons.prefix(1).joined())
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains("sqlite:vigil.sqlite"), "\(run.output)")
      let exported = try await vigil("export", "observations", "--out", "own.csv", "--quiet")
      #expect(exported.output == "" && exported.errors == "")
      #expect(
        try folder.names == ["data", "own.csv", "own.json", "own.prom", "vigil.sqlite"])
    }
  }

  @Test func manyCommandsAtOnceKeepToThemselves() async throws {
    let (folder, environment) = (
      FileManager.default.currentDirectoryPath, ProcessInfo.processInfo.environment
    )
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...8 {
        let ward = try Ward(number)
        group.addTask { try await ward.expectItsOwn() }
      }
      try await group.waitForAll()
    }
    #expect(FileManager.default.currentDirectoryPath == folder)
    #expect(ProcessInfo.processInfo.environment == environment)
    let added = try Set(FileManager.default.contentsOfDirectory(atPath: folder)).subtracting(names)
    #expect(added.isDisjoint(with: ["data", "own.csv", "own.json", "own.prom", "vigil.sqlite"]))
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func interruptionEndsOneCommandAlone(signal: Int32, status: Int32) async throws {
    func command(_ people: String, in folder: TemporaryFolder) -> CommandInProcess {
      CommandInProcess(
        arguments: ["generate", "data", "--people", people, "--days", "400", "--seed", "1"],
        folder: folder.url.path, environment: [:])
    }
    let (interrupted, other) = (try TemporaryFolder(), try TemporaryFolder())
    // So many people that it cannot end by itself.
    let (long, short) = (command("200000", in: interrupted), command("30", in: other))
    async let first = CommandRun.onOwnThread { try long.run() }
    async let second = CommandRun.onOwnThread { try short.run() }
    let finished = try await second
    #expect(finished.status == 0, "\(finished.errors)")
    long.interruption.request(by: signal)
    let ended = try await first
    #expect(ended.status == status)
    #expect(ended.output == "")
    #expect(ended.errors.hasPrefix("vigil: interrupted"), "\(ended.errors)")
    #expect(!Interruption.bySignals.isRequested)
  }

  @Test(arguments: [
    ["--help"], ["run", "--help"], ["--version"], ["--generate-completion-script", "zsh"],
    ["bogus"], ["run", "--date", "tomorrow"], ["config"], ["runs"], ["migrate", "--status"],
    ["import", "csv", "nowhere"], ["import", "csv", "."], ["thresholds", "check", "mine.json"],
    ["thresholds", "check", "v1", "--people", "0"], ["config", "--config", "mine.toml"],
    ["run", "--users", "list.txt"], ["dispatch", "--providers", "providers.json"],
    ["export", "alerts", "--out", "-"], ["compare"],
  ])
  func processSaysTheSame(arguments: [String]) async throws {
    let folder = try TemporaryFolder()
    let called = try await CommandRun.vigil(arguments: arguments, in: folder)
    let process = try await CommandRun.vigil(arguments: arguments, in: folder, isProcess: true)
    #expect(called.status == process.status)
    #expect(called.output == process.output)
    #expect(called.errors == process.errors)
    #expect(called.output + called.errors != "")
  }
}

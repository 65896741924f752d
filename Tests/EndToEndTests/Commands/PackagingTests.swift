import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel

@testable import vigil

/// The examples under `packaging` call commands, options, settings and metrics that there are.
@Suite struct PackagingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func lines(of name: String) throws -> [String] {
    let file = SharedFolder.repository.appending(path: "packaging").appending(path: name)
    return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
  }

  /// The words after the path of `vigil` in the lines of a file.
  private func commands(in name: String) throws -> [[String]] {
    try lines(of: name).filter { !$0.hasPrefix("#") }.compactMap { line in
      line.firstMatch(of: /(?:^ExecStart=|\s)\/usr\/local\/bin\/vigil\s+([^>|&;]+)/).map {
        $0.output.1.split(separator: " ").map(String.init)
      }
    }
  }

  /// Names and values of the settings in a file.
  ///
  /// - Parameter isComplete: Whether lines count that are switched off with a `#`.
  private func variables(in name: String, isComplete: Bool) throws -> [(String, String)] {
    try lines(of: name).compactMap { line in
      let pattern = isComplete ? /#?([A-Z_]+)=(\S*)/ : /([A-Z_]+)=(\S*)/
      return line.wholeMatch(of: pattern).map { (String($0.output.1), String($0.output.2)) }
    }
  }

  @Test(arguments: ["vigil.service", "vigil-prune.service", "vigil.crontab.example"])
  func commandsHaveTheOptionsThatTheyAreCalledWith(file: String) async throws {
    let commands = try commands(in: file)
    #expect(!commands.isEmpty)
    for command in commands {
      let name = command.prefix { !$0.hasPrefix("-") }
      let help = try await CommandRun.vigil(arguments: name + ["--help"], in: folder)
      #expect(help.status == 0, "\(command): \(help.errors)")
      for option in command where option.hasPrefix("-") {
        let isThere = help.output.split(whereSeparator: { $0.isWhitespace || $0 == "," })
          .contains { $0 == option.prefix { $0 != "=" } }
        #expect(isThere, "\(option) of \(command)")
      }
      // The command line as a whole: it fails over the database that is not there, not over itself.
      let run = try await CommandRun.vigil(arguments: command, in: folder)
      run.expectFailure(69, mentioning: "vigil.sqlite")
    }
  }

  @Test(arguments: [("vigil.env.example", ["PGPASSFILE"]), ("vigil.crontab.example", ["MAILTO"])])
  func variablesAreSettings(file: String, others: [String]) throws {
    let names = try variables(in: file, isComplete: true).map(\.0)
    #expect(names.contains("VIGIL_DATABASE"))
    #expect(names.contains("VIGIL_METRICS_FILE"))
    let known = SettingDeclarations.keys.map(\.environment)
    #expect(Set(names).subtracting(known).subtracting(others).isEmpty)
  }

  @Test(arguments: [true, false])
  func exampleEnvironmentIsInForceAsItStands(isComplete: Bool) async throws {
    let variables = try variables(in: "vigil.env.example", isComplete: isComplete)
    let environment = Dictionary(variables, uniquingKeysWith: { $1 })
    let run = try await CommandRun.vigil(
      "config", "--format", "json", in: folder, environment: environment)
    #expect(run.status == 0, "\(run.errors)")
    for name in environment.keys where name.hasPrefix("VIGIL_") {
      #expect(run.output.contains("\"environment \(name)\""), "\(name)")
    }
    // As installed it sends nothing.
    #expect(environment.keys.contains("VIGIL_SHADOW_MODE") == isComplete)
  }

  @Test func alertsAndTheirExplanationNameMetricsThatAreWritten() async throws {
    let sample = try SampleDatabase.imported()
    // Values that cannot be, so that every family has a series.
    try sample.database.execute(
      "UPDATE wearable_daily_metrics SET steps = 900000 WHERE metric_date = '2026-06-30'")
    let run = try await CommandRun.vigil(
      "run", "--date", "2026-06-30", "--thresholds", "v3", "--metrics-file", "vigil.prom",
      in: sample)
    #expect(run.status == 0, "\(run.errors)")
    let read = try PrometheusText(
      String(contentsOf: sample.url.appending(path: "vigil.prom"), encoding: .utf8))
    let written = Set(read.types.keys)
    let alerts = try lines(of: "prometheus-alerts.example.yml").filter { $0.contains("expr:") }
    #expect(alerts.count > 3)
    // Those of the sender are in a file of its own.
    let watched = Self.names(in: alerts).filter { !$0.hasPrefix("vigil_dispatch_") }
    #expect(!watched.isEmpty)
    #expect(watched.subtracting(written).isEmpty)
    // The table names all of them.
    #expect(try Self.names(in: lines(of: "README.md").filter(Self.isOfRuns)) == written)
  }

  @Test func tableOfTheSenderNamesMetricsThatAreWritten() async throws {
    let folder = try TemporaryFolder()
    try folder.database.fill(QueuedPeople(1, dueAt: TestClock.now.adding(seconds: -60)))
    try folder.write(
      #"{"channels": {"push": {"command": ["/bin/true"]}}, "escalation": {}}"#,
      to: "providers.json")
    let run = try await CommandRun.vigil(
      "dispatch", "--once", "--providers", "providers.json", "--metrics-file", "dispatch.prom",
      in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let text = try String(contentsOf: folder.url.appending(path: "dispatch.prom"), encoding: .utf8)
    let written = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.map(String.init)
    let table = try lines(of: "README.md").filter { $0.hasPrefix("| `vigil_dispatch_") }
    #expect(Self.names(in: table) == Self.names(in: written))
    let alerts = try lines(of: "prometheus-alerts.example.yml").filter { $0.contains("expr:") }
    let watched = Self.names(in: alerts).filter { $0.hasPrefix("vigil_dispatch_") }
    #expect(!watched.isEmpty)
    #expect(watched.isSubset(of: Self.names(in: written)))
  }

  /// Whether a line is of the table of what `vigil run` writes.
  private static func isOfRuns(_ line: String) -> Bool {
    line.hasPrefix("| `vigil_") && !line.hasPrefix("| `vigil_dispatch_")
  }

  private static func names(in lines: [String]) -> Set<String> {
    Set(lines.flatMap { line in line.matches(of: /vigil_[a-z_]+/).map { String($0.output) } })
  }
}

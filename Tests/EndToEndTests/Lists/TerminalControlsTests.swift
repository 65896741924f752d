import Foundation
import PostgresTestServer
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// Whatever comes from elsewhere may hold characters that a terminal obeys; none of them gets there.
@Suite struct TerminalControlsTests {
  /// One of every kind: escape sequences of 7 and 8 bits, bell, backspace, tab, line breaks, overrides and
  /// isolates of direction, separators, what has no width.
  static let hostile =
    "x\u{1B}[2J\u{7}\u{8}\t\u{B}\u{7F}\u{85}\u{9B}31m\u{61C}\u{200E}\u{202E}\u{2066}\u{2028}\u{2029}"
    + "\u{200B}\u{FEFF}\nforged"

  enum Input: CaseIterable {
    case argument, command, metric, user, usersFile, folderToImport, folderToGenerate
    case configKey, configValue, configFile, environment
    case thresholdsVersion, thresholdsKey, thresholdsFile
    case missingDatabase, newDatabase, lockHolder
    case column, csvFile, externalIDAndSource
  }

  @Test(arguments: Input.allCases)
  func inputNeverSteersTheTerminal(input: Input) async throws {
    let folder = try TemporaryFolder()
    var shown = ""
    for command in try await commands(for: input, in: folder) {
      let run = try await CommandRun.vigil(
        arguments: command, in: folder,
        environment: input == .environment ? ["VIGIL_TIME_ZONE": Self.hostile] : [:])
      expectHarmless(run, "\(input)")
      shown += run.output + run.errors
    }
    // Otherwise there was nothing to be careful about.
    #expect(shown.contains("x\u{FFFD}") || shown.contains("x\\u001b"), "\(input): \(shown)")
  }

  @Test func neitherDoWhatTheServerSaysAndItsNames() async throws {
    let folder = try TemporaryFolder(.postgres)
    guard case .postgres(let schema) = folder.database else { return }
    let allowed = CharacterSet.alphanumerics.intersection(.init(charactersIn: "\0"..."\u{7F}"))
    let name = try #require(Self.hostile.addingPercentEncoding(withAllowedCharacters: allowed))
    let url = try #require(URLComponents(string: schema.url))
    var other = url
    other.percentEncodedPath = "/\(name)"
    let unknown = try #require(other.string)
    for arguments in [
      ["runs", "--database", unknown], ["doctor", "--database", unknown],
      ["runs", "--schema", Self.hostile], ["doctor", "--schema", Self.hostile],
      ["migrate", "--status", "--schema", Self.hostile],
    ] {
      let run = try await CommandRun.vigil(arguments: arguments, in: folder)
      expectHarmless(run, "\(arguments)")
    }
  }

  private func expectHarmless(_ run: CommandRun, _ what: String) {
    for text in [run.output, run.errors] {
      let found = text.unicodeScalars.filter { $0.steersTerminals && $0 != "\n" }
      #expect(found.isEmpty, "\(what): \(text.debugDescription)")
      #expect(!text.split(separator: "\n").contains { $0.hasPrefix("forged") }, "\(what): \(text)")
    }
  }

  /// The commands that show `input`, in text and, where that is a result, as JSON.
  private func commands(for input: Input, in folder: TemporaryFolder) async throws -> [[String]] {
    let hostile = Self.hostile
    switch input {
    case .argument: return [["runs", "--limit", hostile], ["run", "--date", hostile]]
    case .command: return [[hostile], ["runs", hostile]]
    case .metric:
      _ = try await CommandRun.vigil("migrate", in: folder)
      return [["alerts", "list", "--metric", hostile], ["alerts", "list", "--user", hostile]]
    case .user:
      _ = try await CommandRun.vigil("migrate", in: folder)
      return [["adherence", "--user", hostile], ["alerts", "show", hostile]]
    case .usersFile: return [["run", "--users", hostile]]
    case .folderToImport: return [["import", "csv", hostile]]
    case .folderToGenerate:
      return [["generate", hostile, "--people", "1", "--days", "1", "--seed", "1"]]
    case .configKey, .configValue:
      let entry = input == .configKey ? [hostile: "1"] : ["log_level": hostile]
      try write(entry, to: "config.json", in: folder)
      return [["config", "--config", "config.json"]]
    case .configFile: return [["config", "--config", "\(hostile).json"]]
    case .environment: return [["config"]]
    case .thresholdsVersion, .thresholdsKey, .thresholdsFile:
      return try await commandsForThresholds(input, in: folder)
    case .missingDatabase: return [["runs", "--database", "sqlite:\(hostile)"]]
    case .newDatabase:
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: "in"), withIntermediateDirectories: false)
      try folder.write("id\np1\n", to: "in/users.csv")
      let database = ["--database", "sqlite:\(hostile)"]
      return [
        ["import", "csv", "in"] + database, ["migrate"] + database,
        ["migrate", "--format", "json"] + database, ["doctor"] + database, ["run"] + database,
      ]
    case .lockHolder:
      _ = try await CommandRun.vigil("migrate", in: folder)
      try holdLock(of: folder)
      return [["run", "--date", "2026-06-30"], ["doctor"]]
    case .column, .csvFile, .externalIDAndSource:
      return try commandsForCSV(input, in: folder)
    }
  }

  private func commandsForThresholds(
    _ input: Input, in folder: TemporaryFolder
  ) async throws -> [[String]] {
    let shipped = SharedFolder.repository.appending(path: "thresholds/v1.json")
    let text = try String(contentsOf: shipped, encoding: .utf8)
    var file = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let name = input == .thresholdsFile ? "\(Self.hostile).json" : "own.json"
    if input == .thresholdsVersion { file["version"] = Self.hostile }
    if input == .thresholdsKey { file[Self.hostile] = 1 }
    try JSONSerialization.data(withJSONObject: file).write(to: folder.url.appending(path: name))
    _ = try SampleDatabase.importWithoutDoses(into: folder)
    return [
      ["thresholds", "check", name], ["thresholds", "check", name, "--format", "json"],
      ["run", "--date", "2026-06-30", "--thresholds", name],
      ["runs"], ["doctor", "--thresholds", name],
    ]
  }

  private func commandsForCSV(_ input: Input, in folder: TemporaryFolder) throws -> [[String]] {
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "in"), withIntermediateDirectories: false)
    let quoted = "\"\(Self.hostile)\""
    let column = input == .column ? quoted : "steps"
    let person = input == .externalIDAndSource ? quoted : "p1"
    let days = (1...31).map { "2026-05-\($0 < 10 ? "0" : "")\($0)" }
    let rows = days.enumerated().map { "\(person),\($1),\(person),\($0 < 27 ? 9000 : 90)\n" }
    try folder.write(
      "user_id,metric_date,source,\(column)\n\(rows.joined())",
      to: "in/wearable_daily_metrics.csv")
    if input == .csvFile { try folder.write("x\n", to: "in/\(Self.hostile).csv") }
    let importing = ["import", "csv", "in"]
    guard input == .externalIDAndSource else {
      return [importing, importing + ["--format", "json"]]
    }
    return [
      importing, ["run", "--date", "2026-05-31"], ["alerts", "list"],
      ["alerts", "list", "--format", "json"], ["queue", "list", "--shadow"], ["insights"],
    ]
  }

  private func write(_ entry: [String: String], to name: String, in folder: TemporaryFolder) throws
  {
    try JSONSerialization.data(withJSONObject: entry).write(to: folder.url.appending(path: name))
  }

  /// Holds the lock of the folder's database until the test's process ends, and signs for it.
  private func holdLock(of folder: TemporaryFolder) throws {
    let path = folder.url.appending(path: "vigil.sqlite.lock").path
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let text = Array(Self.hostile.utf8)
    _ = Foundation.write(descriptor, text, text.count)
  }
}

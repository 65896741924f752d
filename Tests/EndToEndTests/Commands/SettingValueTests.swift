import Foundation
import Testing

@Suite struct SettingValueTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Entry: Decodable, Equatable {
    var name: String
    var value: String
    var source: String
  }

  private struct Document: Decodable {
    var settings: [Entry]
  }

  /// The entry of one setting in `vigil config`.
  private func entry(
    _ name: String, _ arguments: [String] = [], _ environment: [String: String] = [:]
  ) async throws -> Entry {
    let run = try await CommandRun.vigil(
      arguments: ["config", "--format", "json"] + arguments, in: folder, environment: environment)
    try #require(run.status == 0, "\(run.errors)")
    let document = try JSONDecoder().decode(Document.self, from: Data(run.output.utf8))
    return try #require(document.settings.first { $0.name == name })
  }

  @Test func flagWinsOverEnvironmentOverFileOverDefault() async throws {
    try folder.write("{\"log_level\": \"error\"}", to: "vigil.json")
    let environment = ["VIGIL_LOG_LEVEL": "debug"]
    #expect(
      try await entry("log_level") == .init(name: "log_level", value: "notice", source: "default"))
    #expect(
      try await entry("log_level", ["--config", "vigil.json"])
        == .init(name: "log_level", value: "error", source: "vigil.json"))
    #expect(
      try await entry("log_level", ["--config", "vigil.json"], environment)
        == .init(name: "log_level", value: "debug", source: "environment VIGIL_LOG_LEVEL"))
    #expect(
      try await entry("log_level", ["--config", "vigil.json", "--log-level", "info"], environment)
        == .init(name: "log_level", value: "info", source: "--log-level"))
  }

  @Test func yamlAndJSONFilesSayTheSame() async throws {
    try folder.write(
      """
      # nightly
      database: sqlite:clinic.sqlite
      shadow_mode: false
      max_bad_rows: 0.02
      """, to: "vigil.yaml")
    try folder.write(
      "{\"database\": \"sqlite:clinic.sqlite\", \"shadow_mode\": false, \"max_bad_rows\": 0.02}",
      to: "vigil.json")
    for file in ["vigil.yaml", "vigil.json"] {
      for (name, value) in [
        ("database", "sqlite:clinic.sqlite"), ("shadow_mode", "false"), ("max_bad_rows", "0.02"),
      ] {
        #expect(
          try await entry(name, ["--config", file])
            == .init(name: name, value: value, source: file))
      }
    }
    #expect(
      try await entry("shadow_mode", [], ["VIGIL_CONFIG": "vigil.yaml"]).source == "vigil.yaml")
  }

  @Test(arguments: [
    ("{\"databse\": \"sqlite:a\"}", "a.json", Int32(64), "did you mean database?"),
    ("frobnicate: 1\n", "a.yaml", 64, "known are database"),
    ("{\"log_level\": \"loud\", \"format\": \"xml\"}", "a.json", 64, "log_level (a.json): 'loud'"),
    ("{\"database\": [\"a\", \"b\"]}", "a.json", 64, "database has to be one value"),
    ("database: sqlite:a", "a.toml", 64, ".json, .yaml or .yml"),
    ("{\"database\": ", "a.json", 65, "fix its syntax"),
    ("[1, 2]", "a.json", 65, "fix its syntax"),
    ("database: [unclosed", "a.yml", 65, "fix its syntax"),
  ])
  func badConfigFileIsNamed(text: String, name: String, status: Int32, mention: String) async throws
  {
    try folder.write(text, to: name)
    let run = try await CommandRun.vigil("config", "--config", name, in: folder)
    #expect(run.status == status)
    #expect(run.output == "")
    #expect(run.errors.contains(name))
    #expect(run.errors.contains(mention), "\(run.errors)")
  }

  @Test func everyBadValueIsReportedAtOnce() async throws {
    let run = try await CommandRun.vigil(
      "runs", "--format", "xml", in: folder, environment: ["VIGIL_TIME_ZONE": "Nowhere"])
    #expect(run.status == 64)
    #expect(run.errors.contains("format (--format): 'xml'"))
    #expect(run.errors.contains("time_zone (environment VIGIL_TIME_ZONE): 'Nowhere'"))
  }

  @Test func unknownVariablesAreNamedInOneLine() async throws {
    let environment = [
      "VIGIL_DATABSE": "x", "VIGIL_FROBNICATE": "", "VIGIL_QUIET": "false", "VIGILANT": "x",
      "VIGIL_CONFIG": "",
    ]
    for arguments in [["config"], ["doctor"]] {
      let run = try await CommandRun.vigil(
        arguments: arguments, in: folder, environment: environment)
      #expect(
        run.errors.hasSuffix(
          "variables=\"VIGIL_DATABSE (did you mean VIGIL_DATABASE?), VIGIL_FROBNICATE\"\n"))
      #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
      let quiet = try await CommandRun.vigil(
        arguments: arguments + ["--quiet"], in: folder, environment: environment)
      #expect(quiet.errors == "")
    }
  }

  @Test func missingConfigFileEndsWith65() async throws {
    let run = try await CommandRun.vigil("config", "--config", "no.yaml", in: folder)
    #expect(run.status == 65)
    #expect(run.errors.contains("no.yaml: there is no such file"))
  }

  @Test func passwordsAreNeverPrinted() async throws {
    for url in ["postgres://u:secret@h/d", "postgres://h/d?user=u&password=secret"] {
      let run = try await CommandRun.vigil("config", "--database", url, in: folder)
      #expect(run.status == 0)
      #expect(run.output.contains("***"))
      #expect(!run.output.contains("secret"))
    }
  }

  @Test func colourIsOffInAPipeAndWithNOCOLOR() async throws {
    let piped = try await CommandRun.vigil("doctor", in: folder)
    #expect(piped.status == 69)
    #expect(!piped.output.contains("\u{1B}"))
    let forced = try await CommandRun.vigil(
      "doctor", in: folder, environment: ["VIGIL_COLOR": "always"])
    #expect(forced.output.contains("\u{1B}[1;31mfailure\u{1B}[0m"))
    let flag = try await CommandRun.vigil(
      "doctor", "--no-color", in: folder, environment: ["VIGIL_COLOR": "always"])
    #expect(!flag.output.contains("\u{1B}"))
    #expect(
      try await entry("color", [], ["NO_COLOR": "1"])
        == .init(name: "color", value: "never", source: "environment NO_COLOR"))
    #expect(try await entry("color", [], ["NO_COLOR": ""]).source == "default")
  }
}

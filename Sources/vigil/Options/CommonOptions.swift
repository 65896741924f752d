import ArgumentParser
import Foundation
import Logging
import VigilModel
import VigilZones

/// The options of every command.
struct CommonOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where the tables are: sqlite:PATH or postgres://... (default: sqlite:vigil.sqlite).",
      valueName: "url"))
  var database: String?

  @Option(
    help: ArgumentHelp(
      "Which schema of a PostgreSQL database (default: public).", valueName: "name"))
  var schema: String?

  @Option(
    help: ArgumentHelp("Settings as JSON or YAML, by the file's extension.", valueName: "file"),
    completion: .file(extensions: ["json", "yaml", "yml"]))
  var config: String?

  @Option(
    help: "How the result is written: text or json (default: text).",
    completion: .list(OutputFormat.allCases.map(\.rawValue)))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "The least important log lines to write (default: notice).", valueName: "level"),
    completion: .list(["trace", "debug", "info", "notice", "warning", "error", "critical"]))
  var logLevel: String?

  @Flag(help: "No progress, and only errors on stderr.")
  var quiet = false

  @Flag(help: "No colours; so does the environment variable NO_COLOR.")
  var noColor = false

  @Option(
    help: ArgumentHelp(
      "The instant to take for the present one; the clock goes on from there.",
      valueName: "instant", visibility: .hidden),
    transform: Timestamp.argument)
  var now: Timestamp?

  private var flags: [Setting: SettingValue] {
    var flags: [Setting: SettingValue] = [:]
    func set(_ setting: Setting, _ text: String?, _ flag: String) {
      flags[setting] = text.map { SettingValue(text: $0, source: .flag(flag)) }
    }
    set(.database, database, "--database")
    set(.schema, schema, "--schema")
    set(.format, format, "--format")
    set(.logLevel, logLevel, "--log-level")
    set(.quiet, quiet ? "true" : nil, "--quiet")
    set(.color, noColor ? "never" : nil, "--no-color")
    return flags
  }

  /// Returns the settings in force, without validating them.
  ///
  /// - Parameter own: Settings from options that not every command has.
  /// - Throws: `SettingsError` about the config file.
  func values(_ own: [Setting: SettingValue] = [:]) throws -> [Setting: SettingValue] {
    let environment = ProcessInfo.processInfo.environment
    let path = config ?? environment[ConfigFile.environment].flatMap { $0.isEmpty ? nil : $0 }
    return .resolved(
      flags: flags.merging(own) { $1 }, environment: environment,
      file: try path.map(ConfigFile.read) ?? [:])
  }

  /// - Throws: `SettingsError` about the config file or any value.
  func context(_ own: [Setting: SettingValue] = [:]) throws -> CommandContext {
    try context(of: try values(own))
  }

  /// The same from known values; warns of variables of the environment that are no settings.
  func context(of values: [Setting: SettingValue]) throws -> CommandContext {
    let tzdir = ProcessInfo.processInfo.environment["TZDIR"]
    let zones = ZoneCatalog(source: ZoneFolder.system(tzdir: tzdir))
    let context = CommandContext(
      settings: try Settings(values, zones: zones), clock: CommandClock(showing: now), zones: zones)
    if let unknown = UnknownVariables(in: ProcessInfo.processInfo.environment) {
      context.logger.warning(
        "Variables of the environment that are no settings are ignored; vigil --help lists those",
        metadata: ["variables": "\(unknown)"])
    }
    return context
  }
}

extension [Setting: SettingValue] {
  /// A setting given by an option of a command, or nothing where it was not given.
  static func flag(_ setting: Setting, _ text: String?, _ name: String) -> Self {
    text.map { [setting: SettingValue(text: $0, source: .flag(name))] } ?? [:]
  }
}

import ArgumentParser
import Foundation
import Logging
import VigilModel
import VigilZones

/// The options of every command.
struct CommonOptions: ParsableArguments {
  @Option(
    help: .setting(\.database, valueName: "url"))
  var database: String?

  @Option(
    help: .setting(\.schema, valueName: "name"))
  var schema: String?

  @Option(
    help: ArgumentHelp("Settings as JSON or YAML, by the file's extension.", valueName: "file"),
    completion: .file(extensions: ["json", "yaml", "yml"]))
  var config: String?

  @Option(
    help: .setting(\.format, valueName: "format"),
    completion: .list(OutputFormat.allCases.map(\.rawValue)))
  var format: String?

  @Option(
    help: .setting(\.logLevel, valueName: "level"),
    completion: .list(["trace", "debug", "info", "notice", "warning", "error", "critical"]))
  var logLevel: String?

  @Flag(help: "No progress, and only errors on stderr.")
  var quiet = false

  @Flag(help: "No colours; so does the environment variable NO_COLOR.")
  var noColor = false

  @Flag(help: "All columns of a list, however narrow the terminal.")
  var wide = false

  @Option(
    help: ArgumentHelp(
      "The instant to take for the present one; the clock goes on from there.",
      valueName: "instant", visibility: .hidden),
    transform: Timestamp.argument)
  var now: Timestamp?

  private var given: [SettingKey: SettingValue] {
    .option(\.database, database)
      .with(.option(\.schema, schema))
      .with(.option(\.format, format))
      .with(.option(\.logLevel, logLevel))
      .with(.option(\.isQuiet, quiet ? "true" : nil))
      .with(.option(\.color, noColor ? "never" : nil, by: "--no-color"))
  }

  /// Returns the settings in force, without validating them.
  ///
  /// - Parameter own: Settings from options that not every command has.
  /// - Throws: `SettingsError` about the config file.
  func values(_ own: [SettingKey: SettingValue] = [:]) throws -> [SettingKey: SettingValue] {
    let environment = CommandSurroundings.current.environment
    let path = config ?? environment[ConfigFile.environment].flatMap { $0.isEmpty ? nil : $0 }
    return .resolved(
      flags: given.with(own), environment: environment,
      file: try path.map(ConfigFile.read) ?? [:])
  }

  /// - Parameters:
  ///   - own: Settings from options that not every command has.
  ///   - formats: The formats that the command can write.
  /// - Throws: `SettingsError` about the config file or any value; `CommandFailure` (64) about a format that
  ///   the command cannot write.
  func context(
    _ own: [SettingKey: SettingValue] = [:], formats: Set<OutputFormat> = OutputFormat.ofReports
  ) throws -> CommandContext {
    try context(of: try values(own), formats: formats)
  }

  /// The same from known values; warns of variables of the environment that are no settings.
  func context(
    of values: [SettingKey: SettingValue], formats: Set<OutputFormat> = OutputFormat.ofReports
  ) throws -> CommandContext {
    let surroundings = CommandSurroundings.current
    let tzdir = surroundings.environment["TZDIR"].map(surroundings.path)
    let zones = ZoneCatalog(source: ZoneFolder.system(tzdir: tzdir))
    let context = CommandContext(
      settings: try Settings(values, zones: zones), clock: CommandClock(showing: now), zones: zones,
      width: wide ? nil : surroundings.standardOutput.width)
    let format = context.settings.format
    guard formats.contains(format) else {
      let allowed = OutputFormat.allCases.filter(formats.contains).map(\.rawValue)
      throw CommandFailure(
        .usage,
        "this command does not write \(format.rawValue); use --format"
          + " \(allowed.joined(separator: " or "))")
    }
    if let unknown = UnknownVariables(in: surroundings.environment) {
      context.logger.warning(
        "Variables of the environment that are no settings are ignored; vigil --help lists those",
        metadata: ["variables": "\(unknown)"])
    }
    return context
  }
}

extension OutputFormat {
  /// Of commands whose result is a report.
  static let ofReports: Set<OutputFormat> = [.text, .json]
  /// Of commands whose result is a list.
  static let ofLists: Set<OutputFormat> = [.text, .json, .csv]
}

extension ArgumentHelp {
  /// The help of the option that gives a setting.
  static func setting<Value>(
    _ setting: KeyPath<SettingDeclarations, Setting<Value>>, valueName: String
  ) -> ArgumentHelp {
    ArgumentHelp(
      "\(SettingDeclarations.standard[keyPath: setting].key.help)", valueName: valueName)
  }
}

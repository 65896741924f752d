import ArgumentParser
import VigilImport
import VigilReport

struct ImportPresets: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets",
    abstract: "Lists the presets that import csv takes, each for one device's files.",
    discussion: """
      Example:
        vigil import presets
      """)

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    try common.context().write(
      PresetsReport(
        presets: try ColumnPreset.shipped().map {
          .init(name: $0.name, about: $0.about, documentation: $0.documentation)
        }))
  }
}

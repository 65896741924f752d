import ArgumentParser
import VigilReport

struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Prints each setting, its value and where that came from.",
    discussion: """
      Example:
        vigil config --config vigil.yaml
      """)

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let values = try common.values()
    try CommandContext(settings: try Settings(values)).write(ConfigReport(values))
  }
}

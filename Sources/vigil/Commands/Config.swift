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
    try common.context(of: values).write(ConfigReport(values))
  }
}

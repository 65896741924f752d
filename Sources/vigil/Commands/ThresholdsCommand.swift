import ArgumentParser
import VigilReport

struct ThresholdsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thresholds",
    abstract: "Thresholds files: which metrics are watched, and when a day deviates.",
    discussion: """
      Example:
        vigil thresholds check v2
      """,
    subcommands: [ThresholdsCheck.self])
}

struct ThresholdsCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Shows the contents of a thresholds or vitality file, or all its faults.",
    discussion: """
      Example:
        vigil thresholds check my-thresholds.json
      """)

  @Argument(
    help: "The file, or v1, v2, vitality.v1 or vitality.v2 as shipped.",
    completion: .file(extensions: ["json"]))
  var file: String

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    guard let source = ThresholdsSource(file) else {
      throw CommandFailure(.usage, "the name of the file is empty; give v1, v2 or a path")
    }
    if let vitality = try source.loadVitality() {
      return try context.write(VitalityReport(vitality, file: file))
    }
    try context.write(ThresholdsReport(try source.load(), file: file))
  }
}

import ArgumentParser
import VigilImport

struct ImportAppleHealth: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apple-health",
    abstract: "Reads the export.xml that Apple's Health app writes of one person.",
    discussion: """
      Records become daily metrics, workouts exercise sessions. Each metric of a day comes from one \
      source, so that a phone and a watch are not added up. Standard error shows what was read.

      Example:
        vigil import apple-health apple_health_export/export.xml --user anna
      """)

  @Argument(
    help: "The file; gzip and zstd are decompressed.", completion: .file(extensions: ["xml"]))
  var file: String

  @Option(help: ArgumentHelp("The person whose export it is.", valueName: "id"))
  var user: String

  @OptionGroup var arguments: ImportArguments

  func validate() throws {
    if user.isEmpty { throw ValidationError("--user needs an id") }
  }

  func run() throws {
    try arguments.run(
      open: { try AppleHealthImport(path: file, user: user, options: $0) },
      interpretation: { $0.interpretation },
      load: { try $0.run(into: $1) })
  }
}

import ArgumentParser
import VigilImport

struct ImportAppleHealth: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apple-health",
    abstract: "Reads the export.xml that Apple's Health app writes of one person.",
    discussion: """
      Records become daily metrics, workouts exercise sessions. Each metric of a day comes from one \
      source, so that a phone and a watch are not added up. Standard error shows what was read.

      Apple writes all times by the clock of the moment of the export. Where a record names its own time \
      zone, its day is that of this zone; where not, that of --time-zone.

      Example:
        vigil import apple-health apple_health_export/export.xml --user anna
      """)

  @Argument(
    help: "The file; gzip and zstd are decompressed.", completion: .file(extensions: ["xml"]))
  var file: String

  @Option(help: ArgumentHelp("The person whose export it is.", valueName: "id"))
  var user: String

  @Option(
    help: ArgumentHelp(
      "The zone of records that name none (default: the person's, or else that of the export).",
      valueName: "zone"))
  var timeZone: String?

  @OptionGroup var arguments: ImportArguments

  func validate() throws {
    if user.isEmpty { throw ValidationError("--user needs an id") }
  }

  func run() throws {
    try arguments.run(
      open: { try AppleHealthImport(path: file, user: user, timeZone: timeZone, options: $0) },
      interpretation: { $0.interpretation },
      load: { try $0.run(into: $1) })
  }
}

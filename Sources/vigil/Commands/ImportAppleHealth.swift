import ArgumentParser
import VigilImport

struct ImportAppleHealth: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apple-health",
    abstract: "Reads the export.zip or export.xml that Apple's Health app writes of one person.",
    discussion: """
      Records become daily metrics, workouts exercise sessions. Each metric of a day comes from one \
      source, so that a phone and a watch are not added up. Standard error shows what was read.

      Apple writes all times by the clock of the moment of the export. Where a record names its own time \
      zone, its day is that of this zone; where not, that of --time-zone.

      Example:
        vigil import apple-health export.zip --user anna
      """)

  @Argument(
    help: "The archive, its folder, or export.xml, which may be compressed with gzip or zstd.",
    completion: .file(extensions: ["zip", "xml"]))
  var file: String

  @Option(help: ArgumentHelp("The person whose export it is.", valueName: "id"))
  var user: String

  @OptionGroup var archive: ArchiveArguments

  @OptionGroup var arguments: ImportArguments

  func validate() throws {
    if user.isEmpty { throw ValidationError("--user needs an id") }
  }

  func run() throws {
    try arguments.run(
      replacesMissingDays: archive.replace,
      open: {
        try AppleHealthImport(path: file, user: user, timeZone: archive.timeZone, options: $0)
      },
      interpretation: { $0.interpretation },
      preview: archive.dryRun ? { ImportPreview($0.contents) } : nil,
      load: { try $0.run(into: $1) })
  }
}

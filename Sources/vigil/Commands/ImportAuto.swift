import ArgumentParser
import VigilImport
import VigilModel
import VigilReport

struct ImportAuto: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auto",
    abstract: "Finds out what a folder, a ZIP archive or a file is, and imports it.",
    discussion: """
      Recognizes the exports of Apple Health, Fitbit (Google Takeout), Garmin (also FIT files), Oura, WHOOP, Withings, \
      Samsung Health, Polar and Health Connect, FHIR and Open mHealth, and Vigil's own tables and daily files. Archives and \
      compressed files are read without unpacking. Standard error shows what was recognized before anything is written.

      Example:
        vigil import auto takeout.zip --user anna --dry-run
      """)

  @Argument(
    help: "The folder, the archive or the file.",
    completion: .file(extensions: ["zip", "csv", "fit", "gz"]))
  var path: String

  @Option(help: ArgumentHelp("The person whose export it is.", valueName: "id"))
  var user: String?

  @Option(
    help: ArgumentHelp("The source of the rows of a file of daily metrics.", valueName: "name"))
  var source: String?

  @Option(
    help: ArgumentHelp(
      "The kind, where the files are of several; an unknown name lists all.", valueName: "name"))
  var kind: String?

  @OptionGroup var archive: ArchiveArguments
  @OptionGroup var arguments: ImportArguments

  func validate() throws {
    if user?.isEmpty ?? false { throw ValidationError("--user needs an id") }
    if source?.isEmpty ?? false { throw ValidationError("--source needs a name") }
  }

  func run() throws {
    let request = AutoImport.Request(
      user: user, source: source, timeZone: archive.timeZone, kind: kind)
    try arguments.run(
      replacesMissingDays: archive.replace,
      open: { try AutoImport(path: path, request: request, options: $0) },
      interpretation: { $0.interpretation },
      preview: archive.dryRun ? { ImportPreview($0.contents) } : nil,
      load: { try $0.run(into: $1) })
  }
}

/// The arguments of imports of a person's own export.
struct ArchiveArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The zone of times that name none (default: the person's, or else that of the export).",
      valueName: "zone"))
  var timeZone: String?

  @Flag(
    help:
      "Removes the values of stored days of the same person and source that lie within the export and are not in it."
  )
  var replace = false

  @Flag(help: "Shows what was recognized and the first days, and writes nothing.")
  var dryRun = false

  var isGiven: Bool { timeZone != nil || replace || dryRun }
}

import ArgumentParser
import VigilImport

struct ImportFHIR: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fhir",
    abstract: "Reads Observations of FHIR, such as those of a bulk export.",
    discussion: """
      Takes NDJSON, a Bundle or a list, in a file, a folder or a ZIP archive. Each Observation is of the person that its \
      subject names. docs/import.md has the LOINC codes that are read.

      Example:
        vigil import fhir Observation.ndjson --time-zone Europe/Berlin
      """)

  @OptionGroup var clinical: ClinicalArguments
  @OptionGroup var arguments: ImportArguments

  func run() throws { try clinical.run(.fhir, arguments) }
}

struct ImportOpenMHealth: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open-mhealth",
    abstract: "Reads data points of Open mHealth (IEEE 1752.1).",
    discussion: """
      Takes a data point a line, or a list, in a file, a folder or a ZIP archive. docs/import.md has the schemas that are \
      read.

      Example:
        vigil import open-mhealth points.json --user anna
      """)

  @OptionGroup var clinical: ClinicalArguments
  @OptionGroup var arguments: ImportArguments

  func run() throws { try clinical.run(.openMHealth, arguments) }
}

/// The arguments of imports of measurements of many persons.
struct ClinicalArguments: ParsableArguments {
  @Argument(
    help: "The file, the folder or the archive.", completion: .file(extensions: ["ndjson", "json"]))
  var path: String

  @Option(help: ArgumentHelp("The person of records that name none.", valueName: "id"))
  var user: String?

  @Option(
    help: ArgumentHelp(
      "The zone of times in UTC (default: that of each person).", valueName: "zone"))
  var timeZone: String?

  func validate() throws {
    if user?.isEmpty ?? false { throw ValidationError("--user needs an id") }
  }

  func run(_ form: ClinicalForm, _ arguments: ImportArguments) throws {
    let request = ClinicalImport.Request(user: user, timeZone: timeZone)
    try arguments.run(
      open: { try ClinicalImport(path: path, form: form, request: request, options: $0) },
      load: { try $0.run(into: $1) })
  }
}

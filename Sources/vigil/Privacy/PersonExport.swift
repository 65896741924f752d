import ArgumentParser
import Foundation
import VigilFiles
import VigilModel
import VigilReport
import VigilStorage

struct PersonExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes all that is stored about a person to a ZIP archive.",
    discussion: """
      The archive has each table as JSON Lines and as CSV, and manifest.json with the rows, bytes and \
      SHA-256 of each file. Of rows about other persons, which only name this one, it has what the \
      person did, and nothing about the others.

      Example:
        vigil person export participant-12 --out participant-12.zip
      """)

  @OptionGroup var argument: PersonArgument

  @Option(
    help: ArgumentHelp("The archive to write.", valueName: "file"),
    completion: .file(extensions: ["zip"]))
  var out: String

  @Flag(help: "Replaces a file that is there.")
  var force = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context(formats: [.text])
    let file = try context.newFile(out, option: "--out", replaces: force)
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    try storage.requireRightsToExportPersons()
    let person = try argument.person(in: storage)
    let tables = try storage.personalRows(of: person)
    if tables.isEmpty { _ = try argument.known(in: storage) }
    let files = try PersonExportFiles(
      tables, of: person, at: context.clock.now, version: engineVersion)
    try ZipFile.write(files.files.map { ($0.name, $0.contents) }, to: file, at: context.clock.now)
    if !context.settings.isQuiet {
      let rows = tables.reduce(0) { $0 + $1.rows.count }
      try context.surroundings.standardOutput.write(
        "\(rows) row\(rows == 1 ? "" : "s") of \(tables.count) table\(tables.count == 1 ? "" : "s")"
          + " written to \(out.terminalSafe).\n")
    }
  }
}

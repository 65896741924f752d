import ArgumentParser
import VigilReport
import VigilStorage

struct Quarantine: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quarantine",
    abstract: "Input rows that could not be used, and why.",
    discussion: """
      Example:
        vigil quarantine list
      """,
    subcommands: [QuarantineList.self], defaultSubcommand: QuarantineList.self)
}

struct QuarantineList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists rows that imports and runs have quarantined, the newest first.",
    discussion: """
      Example:
        vigil quarantine list --limit 20

      Of a row of a file it names the line, of a row of the database the key. It shows no value.
      """)

  @OptionGroup var limit: ListLimit

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let (rows, total) = try storage.quarantinedRows(limit: limit.rows ?? Int(Int32.max))
    try context.write(QuarantineReport(rows: rows, total: total))
  }
}

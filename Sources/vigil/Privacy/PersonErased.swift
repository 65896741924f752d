import ArgumentParser
import VigilReport
import VigilStorage

struct PersonErased: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erased",
    abstract: "Lists the digests of persons who were erased, and the persons who are to be.",
    discussion: """
      Keep the list as CSV beside your backups: a backup that is restored does not know of later \
      erasures, and vigil person check --list reads it.

      Example:
        vigil person erased
        vigil person erased --format csv > erased.csv
      """)

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context(formats: OutputFormat.ofLists)
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    try context.write(
      ErasedPersonsReport(
        erased: try storage.erasedPersons(), requests: try storage.erasureRequests()))
  }
}

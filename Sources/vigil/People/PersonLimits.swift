import ArgumentParser
import Foundation
import VigilBatch
import VigilModel
import VigilReport
import VigilStorage

struct PersonLimits: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limits",
    abstract: "Lists, sets and ends limits of values of single persons.",
    discussion: """
      A value beyond a limit opens an alert on the same day, whatever is usual for the person. Each limit \
      has the name of who set it, and an end.

      Example:
        vigil person limits
        vigil person limits set participant-12 --metric spo2_avg_pct --below 88 \\
          --days 2 --severity critical --until 2026-09-30 --by 'Dr. Lee' --yes
        vigil person limits end participant-12 --metric spo2_avg_pct --limit below --yes
      """,
    subcommands: [PersonLimitsList.self, PersonLimitsSet.self, PersonLimitsEnd.self],
    defaultSubcommand: PersonLimitsList.self)
}

struct PersonLimitsList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists limits that are set for persons.",
    discussion: """
      Example:
        vigil person limits list
        vigil person limits list participant-12 --all
      """)

  @Argument(
    help: ArgumentHelp(
      "The person, by UUID, its first 8 digits, or original id (default: all persons).",
      valueName: "id"))
  var id: String?

  @Flag(help: "Also limits that have ended.")
  var all = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context(formats: OutputFormat.ofLists)
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let persons = try id.map { id in
      try PersonList(option: "person", id: id).ids(in: storage).sorted {
        $0.lowercased < $1.lowercased
      }
    }
    let today = try context.today
    let wanted = try persons ?? storage.limitedPersons()
    let found = try ExplanationReading.limits(of: wanted, in: storage, logger: context.logger)
    let rows = wanted.flatMap { person in
      (found[person] ?? []).filter { all || $0.days.upperBound >= today }
        .map { PersonLimitsReport.Row($0, of: person) }
    }
    try context.write(
      PersonLimitsReport(
        rows: rows, today: today, externalIDs: storage.externalIDs(of: Set(rows.map(\.person)))))
  }
}

extension CommandContext {
  /// The limits of one person.
  func limits(of person: UUID, in storage: any Storage) throws -> [PersonLimit] {
    try ExplanationReading.limits(of: [person], in: storage, logger: logger)[person] ?? []
  }
}

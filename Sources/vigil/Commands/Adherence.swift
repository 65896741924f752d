import ArgumentParser
import VigilAdherence
import VigilModel
import VigilReport
import VigilStorage

struct Adherence: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adherence",
    abstract: "How much of what was expected was taken, as runs have found it.",
    discussion: """
      Example:
        vigil adherence --user participant-12 --period 90d

      For each person the newest period of that kind, all medications together and each by itself. \
      With --format json every figure comes with its definition: numerator, denominator and what is \
      left out. Medications are told by id, never by name.
      """)

  enum Period: String, ExpressibleByArgument, CaseIterable {
    case sevenDays = "7d"
    case thirtyDays = "30d"
    case ninetyDays = "90d"
    case month

    var kind: AdherencePeriod.Kind {
      switch self {
      case .sevenDays: .sevenDays
      case .thirtyDays: .thirtyDays
      case .ninetyDays: .ninetyDays
      case .month: .calendarMonth
      }
    }
  }

  @Option(help: ArgumentHelp("Only this person, by UUID or original id.", valueName: "id"))
  var user: String?

  @Option(help: "Which period; month is the last calendar month that was over.")
  var period = Period.thirtyDays

  @Option(
    help: ArgumentHelp(
      "Only periods that end on this day; without it each person's newest.", valueName: "date"),
    transform: Day.argument)
  var date: Day?

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let users = try user.map { try PersonList(option: "--user", id: $0).ids(in: storage) }
    let rows = try storage.doseAnalytics(
      of: users.map(Array.init), period: period.kind, endingOn: date)
    let hint =
      try !rows.isEmpty
      ? ""
      : storage.hasMedications()
        ? "vigil run evaluates a day." : "vigil import csv DIR reads medications.csv and the like."
    try context.write(
      AdherenceReport(
        rows: rows, period: period.kind,
        externalIDs: storage.externalIDs(of: Set(rows.map(\.analytics.user))), emptyHint: hint))
  }
}

import ArgumentParser
import Foundation
import VigilAdherence
import VigilModel
import VigilReport
import VigilStorage

struct Adherence: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adherence",
    abstract: "Shows how many of the expected doses were taken, as runs have measured it.",
    discussion: """
      Example:
        vigil adherence --user participant-12 --period 90d

      For each person the newest period of that kind, all medications together and each by itself. \
      With --format json every figure comes with its definition: numerator, denominator and what is \
      left out. Medications are shown by id, never by name.
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

  @Option(
    help: ArgumentHelp(
      "Only this person, by UUID, its first 8 digits, or original id.", valueName: "id"))
  var user: String?

  @Option(help: "Which period; month is the last calendar month that was over.")
  var period = Period.thirtyDays

  @Option(
    help: ArgumentHelp(
      "Only periods that end on this day; without it each person's newest.", valueName: "date"),
    transform: Day.argument)
  var date: Day?

  @Option(
    help: ArgumentHelp(
      "The order of the persons: attention (the smallest share of doses taken first), person or id.",
      valueName: "key"),
    completion: .list(AdherenceOrder.words), transform: AdherenceOrder.choice)
  var sort = AdherenceOrder.attention

  @OptionGroup var limit: ListLimit

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context(formats: OutputFormat.ofLists)
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let users = try user.map { try PersonList(option: "--user", id: $0).ids(in: storage) }
    let rows = try storage.doseAnalytics(
      of: users.map(Array.init), period: period.kind, endingOn: date)
    let hint = try rows.isEmpty ? whyNothing(of: users, in: storage) : ""
    try context.write(
      AdherenceReport(
        rows: rows, period: period.kind,
        externalIDs: storage.externalIDs(of: Set(rows.map(\.analytics.user))), order: sort,
        limit: limit.rows, emptyText: hint))
  }

  /// The reason why there is no row to show, and the next step.
  private func whyNothing(of users: Set<UUID>?, in storage: any Storage) throws -> String {
    guard try storage.hasMedications() else {
      return "No person has a medication. vigil import csv DIR reads them from medications.csv."
    }
    guard let lastDay = try storage.lastEvaluatedDay() else {
      return "No day is evaluated yet. vigil run evaluates one."
    }
    let newest = try users.flatMap {
      try storage.doseAnalytics(of: $0.sorted(), period: period.kind, endingOn: nil).first
    }?.analytics.period.days.upperBound
    if users != nil, newest == nil {
      return "No doses of this person are evaluated; the last evaluated day is \(lastDay)."
    }
    guard let date else { return "No dose is evaluated yet. vigil run evaluates a day." }
    let last = newest ?? lastDay
    if period == .month {
      return "No month that is evaluated ends on \(date); the last evaluated day is \(lastDay)."
    }
    return date > last
      ? "\(date) is not evaluated yet; the last evaluated day is \(last)."
      : "\(date) was not evaluated; the last evaluated day is \(last)."
        + " vigil backfill evaluates days that are past."
  }
}

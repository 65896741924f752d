import ArgumentParser
import Foundation
import VigilModel
import VigilReport
import VigilStorage

struct Insights: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insights",
    abstract: "Shows insights into persons' scores and doses, as runs have found them.",
    discussion: """
      Example:
        vigil insights
        vigil insights --user participant-12 --date 2026-06-30
        vigil insights --family f1 --viewer anna

      Without --date, the last evaluated day. --family and --viewer show what a member sees of the \
      others: at most two insights that ask for attention, or else one positive insight, and none \
      while there are alerts. Medications are shown by id, never by name.
      """)

  @Option(
    help: ArgumentHelp(
      "Only this person, by UUID, its first 8 digits, or original id.", valueName: "id"))
  var user: String?

  @Option(
    help: ArgumentHelp("The evaluated day (default: the last).", valueName: "date"),
    transform: Day.argument)
  var date: Day?

  @Flag(help: "Also those that are suppressed: recovered since, or not supported by later data.")
  var all = false

  @Option(
    help: ArgumentHelp(
      "The order: attention (what asks for it, then the largest drop), change, person or pillar.",
      valueName: "key"),
    completion: .list(InsightOrder.words), transform: InsightOrder.choice)
  var sort = InsightOrder.attention

  @OptionGroup var limit: ListLimit

  @OptionGroup(title: "As a member of a family")
  var familyView: FamilyOptions

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    if familyView.isGiven, user != nil || all {
      throw ValidationError(
        "--user and --all cannot be combined with --family, which shows what a member sees")
    }
  }

  func run() throws {
    let context = try common.context(formats: OutputFormat.ofLists)
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    if let (family, viewer) = try familyView.ids(in: storage) {
      let shown = try storage.familyInsights(
        of: family, for: viewer, on: date, today: context.today)
      return try context.write(
        InsightsReport(
          insights: shown, day: date ?? shown.first?.day,
          externalIDs: storage.externalIDs(of: Set(shown.map(\.user))),
          emptyHint: "Nothing stands out, or an alert takes precedence: vigil alerts list --family"
            + " F --viewer V."))
    }
    try context.write(report(from: storage))
  }

  private func report(from storage: some Storage) throws -> InsightsReport {
    let persons = try user.map { Array(try PersonList(option: "--user", id: $0).ids(in: storage)) }
    let known = try storage.trendCoverages(of: persons)
    guard let day = try date ?? known.map(\.day).max() ?? lastRunDay(in: storage) else {
      return InsightsReport(
        insights: [], day: nil, emptyHint: try FirstSteps.hint(storage) ?? Self.evaluates)
    }
    let insights = try insights(of: persons, on: day, in: storage)
    let coverages = known.filter { $0.day == day }
    let scores = try persons.map { try storage.vitalityScores(of: $0, in: (day - 6)...day) } ?? []
    let users = Set(insights.map(\.user)).union(coverages.map(\.user)).union(scores.map(\.user))
    return InsightsReport(
      insights: insights, day: day, coverages: coverages, scores: scores,
      externalIDs: try storage.externalIDs(of: users), order: sort, limit: limit.rows,
      emptyHint: insights.isEmpty ? try emptyHint(on: day, in: storage) : "")
  }

  private static let evaluates = "vigil run evaluates a day."

  /// The last day on which a run looked for missed doses and for no trends.
  private func lastRunDay(in storage: some Storage) throws -> Day? {
    try evaluations(in: storage).map(\.days.upperBound).max()
  }

  /// Runs that looked for insights; one whose notifications were held has found them all.
  private func evaluations(in storage: some Storage) throws -> [RunRecord] {
    try storage.runs(limit: .max).filter { $0.status != .running && $0.parts != [.patterns] }
  }

  /// Insights into two overlapping episodes belong to every day that both share.
  private func insights(
    of persons: [UUID]?, on day: Day, in storage: some Storage
  ) throws -> [TrendInsight] {
    let ofDay = try storage.trendInsights(
      matching: InsightFilter(
        users: persons, days: day...day,
        rules: Set(TrendRule.allCases).subtracting([.concurrentEpisodes]),
        includesSuppressed: all))
    let sideBySide = try storage.trendInsights(
      matching: InsightFilter(
        users: persons, coveredDay: day, rules: [.concurrentEpisodes], includesSuppressed: all))
    return (ofDay + sideBySide).sorted { left, right in
      (left.user, left.pillar.order, left.id) < (right.user, right.pillar.order, right.id)
    }
  }

  private func emptyHint(on day: Day, in storage: some Storage) throws -> String {
    if let hint = try FirstSteps.hint(storage) { return hint }
    guard try evaluations(in: storage).contains(where: { $0.days.contains(day) }) else {
      return "No recorded run has evaluated that day; \(Self.evaluates)"
    }
    return all ? "Nothing stands out." : "Nothing stands out; --all lists suppressed ones as well."
  }
}

extension Pillar {
  /// Its place in the order in which insights are listed.
  fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

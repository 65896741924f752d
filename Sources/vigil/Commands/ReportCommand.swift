import ArgumentParser
import Foundation
import VigilAnalysis
import VigilBatch
import VigilDetection
import VigilFiles
import VigilModel
import VigilReport
import VigilStorage
import VigilWords

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Writes a page with charts of the persons who need attention.",
    discussion: """
      Example:
        vigil report --out report.html
        vigil report --out shared.html --share
        vigil report --out smiths.html --family smith
        vigil report --out seite.html --language de
        vigil report --out june.html --to 2026-06-30 --compare v3-strict

      Alerts are shown as they stood on the last day. The page is one file: it needs no network and no script, and prints. It holds health data, so only \
      you can read the file (mode 0600).
      """)

  @Option(
    help: ArgumentHelp("The file to write.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var out: String

  @Flag(help: "Replaces the file where it is there already.")
  var force = false

  @Option(
    help: ArgumentHelp(
      "The first day of the charts (default: 59 days before the last).", valueName: "date"),
    transform: Day.argument)
  var from: Day?

  @Option(
    help: ArgumentHelp(
      "The last day of the charts (default: the last evaluated day).", valueName: "date"),
    transform: Day.argument)
  var to: Day?

  @Option(
    help: ArgumentHelp(
      "Only the persons of this file, one id a line; - reads standard input.", valueName: "file"),
    completion: .file())
  var users: String?

  @Option(
    help: ArgumentHelp(
      "Only the accepted members of this family, by UUID or original id.", valueName: "id"))
  var family: String?

  @Option(
    help: ArgumentHelp(
      "Also shows what these thresholds would find on the days of the charts: \(ThresholdsSource.names)"
        + " or a file.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var compare: String?

  @Option(
    help: ArgumentHelp(
      "The number of persons with charts; others are counted only.", valueName: "n"))
  var details = 50

  @Option(
    help: ArgumentHelp(
      "The language of the page: \(PageWords.shipped.keys.sorted().joined(separator: ", ")).",
      valueName: "code"))
  var language = "en"

  @Flag(help: "Names persons and medications by numbers of this page.")
  var pseudonymise = false

  @Flag(
    help: ArgumentHelp(
      "For others: no person, and counts that are rounded and left out where they would reveal few people."
        + " It needs at least \(ReportPage.smallestShared) people."))
  var share = false

  @Option(
    help: .setting(\.thresholds, valueName: "file"),
    completion: .file(extensions: ["json"]))
  var thresholds: String?

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  static let mostDays = 366

  func validate() throws {
    if let from, let to, from > to {
      throw ValidationError("--from \(from) is after --to \(to); swap them")
    }
    if family != nil, users != nil {
      throw ValidationError("--family and --users both choose persons; give one of them")
    }
    if family?.isEmpty ?? false { throw ValidationError("--family needs an id") }
    if share, compare != nil {
      throw ValidationError(
        "--compare counts the episodes of single persons, which --share leaves out; give one of them"
      )
    }
    if PageWords.shipped[language] == nil {
      let known = PageWords.shipped.keys.sorted().joined(separator: ", ")
      throw ValidationError("--language \(language) is not known; give one of \(known)")
    }
    if details < 0 { throw ValidationError("--details needs a number from 0 on") }
  }

  func run() throws {
    let context = try common.context(.option(\.thresholds, thresholds))
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let runs = try storage.runs(limit: Int(Int32.max)).filter { $0.kind != .person }
    let run = try newestRuns(of: runs, in: storage)
    let days = try days(upTo: run.newest.days.upperBound)
    let wanted = try persons(on: days, in: storage)
    let file = try context.newFile(out, option: "--out", replaces: force)
    var content = try PageContent(
      of: storage, days: days, today: days.upperBound + 1, madeOn: try context.today,
      among: wanted)
    content.scope = family.map(PageContent.Scope.family) ?? (users == nil ? .all : .list)
    content.courses = context.courses(
      of: content.openAlerts, in: storage, through: days.upperBound)
    let shortened = content.shortenPastAlerts()
    content.courses.merge(
      context.courses(of: shortened, in: storage, through: days.upperBound)
    ) { $1 }
    if share, content.persons.count < ReportPage.smallestShared {
      throw CommandFailure(
        .badData,
        "--share: a page on \(content.persons.count) people would reveal them; it needs at least"
          + " \(ReportPage.smallestShared)")
    }
    content.run = run.newest
    content.previousRun = run.previous
    content.evaluatedDays = runs.lastEvaluatedDays
    let shown = share ? [] : Array(content.peopleByAttention.prefix(details))
    if !shown.isEmpty || compare != nil {
      let thresholds = try context.thresholds(of: storage)
      content.thresholds = thresholds
      content.people = try context.people(shown, in: content, by: thresholds, from: storage)
      content.comparison = try compare.map {
        try comparison(of: thresholds, with: $0, on: days, of: wanted, context, storage)
      }
    }
    content.externalIDs =
      share ? [:] : try storage.externalIDs(of: Set(shown + content.peopleWithoutData))
    guard let words = PageWords.shipped[language] else { return }
    let page = ReportPage(content, isPseudonymous: pseudonymise, isShared: share, words: words)
    try file.write(try page.html())
    try context.write(
      PageWritten(
        file: out, days: days, peopleInNeed: content.peopleByAttention.count,
        peopleShown: shown.count))
  }

  // MARK: Persons

  /// The persons of the page; nil for all.
  private func persons(
    on days: ClosedRange<Day>, in storage: any Storage
  ) throws -> Set<UUID>? {
    if let users { return try PersonList(path: users).ids(in: storage) }
    guard let family else { return nil }
    // A family has no table of its own in which an original id could be looked up.
    let id = UUID(uuidString: family) ?? UUID(name: family)
    let persons = try storage.persons(withDataIn: days)
    let reader = try storage.makeReader()
    let members = try zip(persons, reader.familyMembers(of: persons)).filter { _, members in
      members.contains { $0.family == id }
    }
    guard !members.isEmpty else {
      throw CommandFailure(
        .badData,
        "--family \(family): no accepted member of such a family has data from \(days.lowerBound) to"
          + " \(days.upperBound) in \(storage.displayName)")
    }
    return Set(members.map(\.0))
  }

  // MARK: Comparison

  private func comparison(
    of own: Thresholds, with other: String, on days: ClosedRange<Day>, of persons: Set<UUID>?,
    _ context: CommandContext, _ storage: any Storage
  ) throws -> PageContent.Comparison {
    guard let source = ThresholdsSource(other) else {
      throw CommandFailure(.usage, "--compare is empty; give \(ThresholdsSource.names) or a file")
    }
    let profiles = ByProfile(first: own, second: try source.load())
    let found = try context.comparison(
      of: profiles, vitality: context.vitality(of: storage), on: days, of: persons, in: storage)
    return PageContent.Comparison(found, of: profiles.map(\.profile))
  }

  // MARK: Days

  /// The run that evaluated the last day of the page or, where there is none, days before, and the run before it.
  private func newestRuns(
    of runs: [RunRecord], in storage: some Storage
  ) throws -> (newest: RunRecord, previous: RunRecord?) {
    let evaluated = runs.filter { $0.status == .succeeded && $0.parts.contains(.patterns) }
      .sorted { $0.days.upperBound > $1.days.upperBound }
    guard let last = evaluated.last else {
      throw CommandFailure(
        .badData, "no run is recorded in \(storage.displayName); begin with vigil backfill")
    }
    let known = evaluated.filter { run in to.map { run.days.lowerBound <= $0 } ?? true }
    guard let newest = known.first else {
      let first = evaluated.map(\.days.lowerBound).min() ?? last.days.lowerBound
      throw CommandFailure(
        .usage,
        "\(storage.displayName) is evaluated from \(first) to \(evaluated[0].days.upperBound); give days"
          + " among those")
    }
    return (newest, known.first { $0.days.upperBound < newest.days.upperBound })
  }

  private func days(upTo newest: Day) throws -> ClosedRange<Day> {
    let last = min(to ?? newest, newest)
    let first = from ?? last - 59
    guard first <= last else {
      throw CommandFailure(.usage, "--from \(first) is after the last evaluated day, \(last)")
    }
    guard last - first < Self.mostDays else {
      throw CommandFailure(
        .usage, "\(first) to \(last) is more than \(Self.mostDays) days; give a later --from")
    }
    return first...last
  }
}

extension PageContent {
  /// The alerts of the days and the number of evaluated persons.
  fileprivate init(
    of storage: some Storage, days: ClosedRange<Day>, today: Day, madeOn: Day,
    among wanted: Set<UUID>?
  ) throws {
    let own = try storage.databaseProfiles().first { $0.part == .patterns }?.profile
    var pastAlerts: Set<UUID> = []
    let alerts = try storage.alertStates(matching: AlertFilter()).compactMap { row in
      guard row.profile == own, row.episode.resolution?.reason != .retracted,
        wanted?.contains(row.series.user) ?? true,
        let past = row.standing(on: days.upperBound),
        (past.episode.resolution?.day ?? days.upperBound) >= days.lowerBound
      else { return PatternAlertState?.none }
      if past != row { pastAlerts.insert(row.id) }
      return past
    }
    let persons = try storage.persons(withDataIn: days).filter { wanted?.contains($0) ?? true }
    self.init(days: days, today: today, madeOn: madeOn, persons: persons, alerts: alerts)
    self.pastAlerts = pastAlerts
    let silences = try storage.alertStates(matching: AlertFilter(metric: .inactivity))
      .filter { $0.profile == own && wanted?.contains($0.series.user) ?? true }
      .compactMap { $0.standing(on: days.upperBound) }
    left = try PersonsWhoLeft.among(silences, on: days.upperBound, in: storage)
  }
}

import ArgumentParser
import VigilBatch
import VigilModel
import VigilReport
import VigilStorage

struct Alerts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alerts",
    abstract: "Shows alerts, and lets members acknowledge, snooze or dismiss them.",
    discussion: """
      With a profile that follows metrics together, alerts of wearables that are going on at one time are one \
      event. Members are notified of it once, and what they set holds for all of its alerts.

      Example:
        vigil alerts list --level 7
        vigil alerts show 0f3a2b1c
        vigil alerts snooze 0f3a2b1c --by anna --until 2026-03-12
      """,
    subcommands: [
      AlertsList.self, AlertsShow.self, AlertsAcknowledge.self, AlertsSnooze.self,
      AlertsDismiss.self, AlertsRestore.self,
    ])
}

struct AlertsList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists alerts, the most severe and newest first.",
    discussion: """
      Alerts of one event come together; all but the first of them are indented. Alerts about a medication \
      (missed doses, a refill that is due) are among them.

      Example:
        vigil alerts list --level 7
        vigil alerts list --metric refill_due
        vigil alerts list --user participant-12 --status all --from 2026-03-01
        vigil alerts list --family f1 --viewer anna

      --family and --viewer give what a member reads of the others' alerts: those that call for \
      attention today, neither dismissed nor snoozed. --metric, --level and --limit narrow them down.
      """)

  enum Status: String, ExpressibleByArgument, CaseIterable {
    case active
    case resolved
    case all
  }

  @Option(
    help: ArgumentHelp(
      "Only this person, by UUID, its first 8 digits, or original id.", valueName: "id"))
  var user: String?

  @Option(
    help: ArgumentHelp(
      "Only this metric, such as resting_hr, or alerts about medications: missed_streak, missed_dose or refill_due.",
      valueName: "name"))
  var metric: String?

  @Option(help: ArgumentHelp("Only this level and higher: 3, 7, 14 or 21.", valueName: "level"))
  var level: Int?

  @Option(help: "Which alerts.")
  var status = Status.active

  @Option(
    help: ArgumentHelp("Only episodes that reach this day or later.", valueName: "date"),
    transform: Day.argument)
  var from: Day?

  @Option(
    help: ArgumentHelp("Only episodes that began on this day or earlier.", valueName: "date"),
    transform: Day.argument)
  var to: Day?

  @Flag(help: "Also alerts of candidates, which notify no one.")
  var candidates = false

  @Option(
    help: ArgumentHelp(
      "The order: attention (active ones first, then the highest level, then the newest), newest,"
        + " longest, change, metric or person.",
      valueName: "key"),
    completion: .list(AlertOrder.words), transform: AlertOrder.choice)
  var sort = AlertOrder.attention

  @OptionGroup var limit: ListLimit

  @OptionGroup(title: "As a member of a family")
  var familyView: FamilyOptions

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    let others = [
      user.map { _ in "--user" }, candidates ? "--candidates" : nil,
      status == .active ? nil : "--status", from.map { _ in "--from" },
      to.map { _ in "--to" },
    ].compactMap { $0 }
    if familyView.isGiven, !others.isEmpty {
      throw ValidationError(
        "\(others.joined(separator: ", ")) cannot be combined with --family, which gives what calls"
          + " for attention today")
    }
    if let level, AlertLevel(rawValue: level) == nil {
      throw ValidationError("--level \(level) is no level; levels are 3, 7, 14 and 21")
    }
    if let from, let to, from > to {
      throw ValidationError("--from \(from) is after --to \(to); swap them")
    }
  }

  func run() throws {
    let context = try common.context(formats: OutputFormat.ofLists)
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let today = try context.today
    let alerts = try alerts(in: storage, on: today)
    let persons = alerts.map(\.series.user)
    let hint = persons.isEmpty ? try emptyHint(storage) : ""
    var report = AlertsReport(
      alerts: alerts, externalIDs: try storage.externalIDs(of: Set(persons)), order: sort,
      limit: limit.rows,
      today: today, emptyHint: hint)
    report.evaluatedDay = try storage.lastEvaluatedDay(of: .patterns)
    if !familyView.isGiven, status == .active {
      report.left = try left(in: storage, on: report.evaluatedDay ?? today)
    }
    report.provisional = try storage.provisionalAlertIDs()
    report.limits = context.limits(in: storage)
    // A member of a family must not read the input of other members.
    if !familyView.isGiven {
      report.courses = context.courses(of: report.alerts, in: storage)
    }
    try context.write(report)
  }

  private func alerts(in storage: some Storage, on today: Day) throws -> [PatternAlertState] {
    guard let (family, viewer) = try familyView.ids(in: storage) else {
      let hidden = candidates ? [] : try storage.candidates()
      return try storage.alertStates(matching: try filter(in: storage)).filter { alert in
        !hidden.contains(alert.profile)
      }
    }
    return try storage.familyAlerts(of: family, for: viewer, on: today).filter { alert in
      (metric.map { alert.series.metric == MetricType($0) } ?? true)
        && (level.map { alert.episode.level.rawValue >= $0 } ?? true)
    }
  }

  /// The number of persons who have left; nil where the list is narrowed down.
  private func left(in storage: some Storage, on day: Day) throws -> Int? {
    guard metric.map({ MetricType($0) == .inactivity }) ?? true, level == nil, from == nil,
      to == nil
    else { return nil }
    var filter = try filter(in: storage)
    filter.metric = .inactivity
    filter.isActive = nil
    let hidden = candidates ? [] : try storage.candidates()
    let alerts = try storage.alertStates(matching: filter).filter { !hidden.contains($0.profile) }
    return try PersonsWhoLeft.among(alerts, on: day, in: storage).count
  }

  private func filter(in storage: some Storage) throws -> AlertFilter {
    let isBounded = from != nil || to != nil
    return AlertFilter(
      users: try user.map { Array(try PersonList(option: "--user", id: $0).ids(in: storage)) },
      metric: metric.map { MetricType($0) },
      isActive: status == .all ? nil : status == .active,
      minimumLevel: level.flatMap(AlertLevel.init(rawValue:)),
      days: isBounded ? (from ?? .earliest)...(to ?? .latest) : nil)
  }

  /// The likeliest reason why nothing matches, and the next step.
  private func emptyHint(_ storage: some Storage) throws -> String {
    if let hint = try FirstSteps.hint(storage) { return hint }
    let metrics =
      InputTable.wearableMetrics.map(\.rawValue)
      + ([.doseAdherence, .inactivity, .checkInOverdue] + MetricType.ofMedications).map(\.rawValue)
    if let metric, !metrics.contains(metric), let nearest = NearestName.of(metric, among: metrics) {
      return "Did you mean --metric \(nearest)?"
    }
    if familyView.isGiven, metric == nil, level == nil {
      return "No other member of the family has one that is neither dismissed nor snoozed."
    }
    return status == .active && !familyView.isGiven
      ? "--status all lists resolved ones as well."
      : "Fewer conditions may find some."
  }
}

extension Day {
  fileprivate static let earliest = Day(ordinal: -719_162)  // 0001-01-01
  fileprivate static let latest = Day(ordinal: 2_932_896)  // 9999-12-31
}

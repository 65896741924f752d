import ArgumentParser
import Foundation
import VigilAlerts
import VigilBatch
import VigilCharts
import VigilFiles
import VigilModel
import VigilReport
import VigilStorage

struct AlertsShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows an alert, its event, the actions of members and notifications.",
    discussion: """
      Example:
        vigil alerts show 0f3a2b1c
        vigil alerts show 0f3a2b1c --svg alert.svg
      """)

  @OptionGroup var id: IDArgument<PatternAlertState>

  @Option(
    help: ArgumentHelp(
      "Also writes a chart of its days to this file, which only you can read.", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var svg: String?

  @Flag(help: "Replaces the file of --svg where it is there already.")
  var force = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let file = try svg.map { try context.newFile($0, option: "--svg", replaces: force) }
    let alert = try id.alert(in: storage)
    guard file == nil || alert.series.medication == nil else {
      throw CommandFailure(
        .usage, "--svg draws alerts of metrics; \(alert.id.shortened) is about a medication")
    }
    let actions = try storage.actions(on: alert.id)
    let ofPerson = try storage.alertStates(matching: AlertFilter(users: [alert.series.user]))
    let event = ofPerson.filter { $0.eventID == alert.eventID }
    let notifications = try storage.notifications(of: event, in: .live)
    let shadowNotifications = try storage.notifications(of: event, in: .shadow)
    let calls = try event.flatMap { try storage.escalations(of: $0.id) }
    let persons =
      [alert.series.user, alert.acknowledgedBy].compactMap(\.self) + actions.map(\.actor)
      + (notifications + shadowNotifications).map(\.recipient) + calls.compactMap(\.caregiver)
    var report = AlertReport(
      alert: alert, others: event.filter { $0.id != alert.id }, actions: actions,
      notifications: notifications,
      shadowNotifications: shadowNotifications,
      externalIDs: try storage.externalIDs(of: Set(persons)))
    report.calls = calls
    report.medications = ofPerson.filter { $0.isCovered(by: alert) }
    report.provisional = try storage.provisionalAlertIDs()
    report.limits = context.limits(in: storage)
    if alert.series.pattern.isOfLimit {
      report.setter = try ExplanationReading.limits(
        of: [alert.series.user], in: storage, logger: context.logger)[alert.series.user]?
        .first { $0.decided(alert) }
    }
    report.course = context.courses(of: [alert], in: storage)[alert.id]
    try file?.write(drawing(of: alert, notifications, context, in: storage))
    try context.write(report)
  }

  /// The days from six weeks before the episode to its end, 120 days at most.
  private func drawing(
    of alert: PatternAlertState, _ notifications: [QueuedNotification], _ context: CommandContext,
    in storage: any Storage
  ) throws -> String {
    let episode = alert.episode
    let last = episode.resolution?.day ?? episode.lastEvaluated
    let days = max(episode.activeSince - 42, last - 119)...last
    let person = try context.personDays(
      of: [alert.series.user], on: days.lowerBound - 6...last, in: storage)[alert.series.user]
    let material = StripMaterial(
      drawn: days, person: person ?? PersonDays(days: days, series: [:]),
      thresholds: try context.thresholds(of: alert, in: storage), notifications: notifications,
      evaluated: try storage.runs(limit: Int(Int32.max)).lastEvaluatedDays)
    return alert.drawing(from: material).file
  }
}

extension PatternAlertState {
  /// Whether it is about a medication of which nothing is taken while `other`, an alert about all doses, is active.
  fileprivate func isCovered(by other: PatternAlertState) -> Bool {
    func days(_ alert: PatternAlertState) -> Range<Day> {
      alert.episode
        .openedOn..<max(
          alert.episode.openedOn, alert.episode.resolution?.day ?? Day.calendar.upperBound)
    }
    return other.series.metric == .doseAdherence && other.episode.doses != nil
      && series.metric == .missedStreak && episode.doses != nil
      && episode.resolution?.reason != .retracted && profile == other.profile
      && days(self).overlaps(days(other))
  }
}

extension QueueStorage {
  /// The rows of the alerts of an event.
  fileprivate func notifications(
    of event: [PatternAlertState], in queue: NotificationList
  ) throws -> [QueuedNotification] {
    try event.flatMap { alert in
      try notifications(matching: NotificationFilter(queue: queue, alert: alert.id))
    }
  }
}

extension EscalationRecord {
  /// The member who was called upon; nil for an emergency contact.
  fileprivate var caregiver: UUID? {
    if case .member(let user) = call.recipient { user } else { nil }
  }
}

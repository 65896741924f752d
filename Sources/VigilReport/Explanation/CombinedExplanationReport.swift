public import Foundation
public import VigilAnalysis
import VigilDetection
public import VigilModel
public import VigilStorage

/// The output of `vigil explain --metric combined`: the decision about one day of a person's metrics together.
public struct CombinedExplanationReport: Sendable {
  public let explanation: CombinedExplanation
  public let person: UUID
  let profile: Profile
  /// The person's own.
  public var sensitivity = PersonalSensitivity()
  /// The ids of persons in the system their data come from.
  public var externalIDs: [UUID: String] = [:]
  /// The alert that the database has of the episode.
  public var alert: PatternAlertState?
  /// Its course; nil where that is not known.
  public var course: EpisodeCourse?
  /// Notifications of the alert, or of its event, in the queue and in the shadow queue.
  public var notifications: [QueuedNotification] = []
  public var shadowNotifications: [QueuedNotification] = []
  /// The newest run that has evaluated the day with this profile; nil where none has.
  public var run: RunRecord?
  /// The last days as lines of text; nil where no metric has a baseline.
  public var chart: String?

  /// - Parameters:
  ///   - explanation: The decision.
  ///   - person: The person.
  ///   - profile: The profile that it was decided with.
  public init(_ explanation: CombinedExplanation, of person: UUID, profile: Profile) {
    self.explanation = explanation
    self.person = person
    self.profile = profile
  }
}

extension CombinedExplanationReport {
  /// Everybody whom the report names.
  public var persons: Set<UUID> {
    Set([person] + (notifications + shadowNotifications).map(\.recipient))
  }
}

extension CombinedExplanationReport: Report {
  public func text(style: TextStyle) -> String {
    let width = min(style.width ?? 79, 79)
    var parts = [explanation.sentence.wrapped(width: width) + "\n"]
    if let chart { parts.append(chart) }
    parts.append(TextTable(pairs: pairs, indent: "").render(style))
    switch explanation.figures {
    case .evidence(let windows): parts.append(contentsOf: sections(windows, style))
    case .recovery(let recovery): parts.append(section(recovery, style))
    case nil: break
    }
    if let alert {
      parts.append(
        NotificationsSection(
          alert: alert, notifications: notifications, shadowNotifications: shadowNotifications,
          externalIDs: externalIDs
        ).text(style))
    }
    parts.append(explanation.oppositeSentence.wrapped(width: width) + "\n")
    return parts.joined(separator: "\n")
  }

  private var pairs: [(String, String)] {
    let ran =
      run.map { "evaluated by run \($0.id.shortened)" }
      ?? "no run has evaluated it with these thresholds"
    return [
      ("Person", PersonText.full(person, externalIDs)), ("Day", "\(explanation.day), \(ran)"),
      ("Thresholds", profile.version.terminalSafe),
    ] + (sensitivity.wordsTogether.map { [("Sensitivity", $0)] } ?? []) + values + [
      ("Before", state(explanation.before)), ("After", state(explanation.after)),
    ] + stored.pairs(of: explanation.after, on: explanation.day)
  }

  private var values: [(String, String)] {
    let lines = explanation.values.keys.sorted().map { metric in
      let unit = metric.unitBesideName
      return "\(metric.words) \(NumberText.value(explanation.values[metric] ?? 0))"
        + (unit.isEmpty ? "" : " \(unit)")
    }
    let all =
      (lines.isEmpty ? ["none"] : lines) + (explanation.isWorkoutDay ? ["on a workout day"] : [])
    return all.enumerated().map { ($0.offset == 0 ? "Values" : "", $0.element) }
  }

  /// The rows that the database holds of the decision.
  var stored: StoredDecision {
    StoredDecision(
      alert: alert, course: course, run: run, notifications: notifications,
      shadowNotifications: shadowNotifications, externalIDs: externalIDs)
  }

  private func state(_ episode: Episode?) -> String {
    guard let episode else { return "no alert" }
    if let resolution = episode.resolution {
      return "the alert since \(episode.activeSince) has ended: \(resolution.reason.words)"
    }
    return "alert since \(episode.activeSince), level \(episode.level.rawValue),"
      + " \(NumberText.count(episode.duration, "day"))"
  }

  // MARK: Sections

  private func sections(_ windows: [CombinedDay.Window], _ style: TextStyle) -> [String] {
    guard !windows.isEmpty else { return [] }
    var table = TextTable([
      .init("Window", .right), .init("Metrics", .right), .init("Evidence", .right),
      .init("Needed", .right), .init("Of"),
    ])
    table.indent = "  "
    table.rows = windows.map { window in
      [
        .init("\(NumberText.count(window.days, "day"))\(window.decides ? " *" : "")"),
        .init(String(window.metrics.count)),
        .init(window.evidence.map(NumberText.decimals) ?? "–"),
        .init(NumberText.decimals(window.threshold)),
        .init(window.contributing.map(\.words).joined(separator: ", ")),
      ]
    }
    let note =
      "  Evidence: of the metrics that show most together; – where too few are worse.\n"
      + "  A window with as much as is needed makes an alert; * marks the one that\n"
      + "  decided.\n"
    var parts = ["Windows\n" + table.render(style) + note]
    if let window = CombinedExplanation.telling(windows) { parts.append(section(window, style)) }
    return parts
  }

  private func section(_ window: CombinedDay.Window, _ style: TextStyle) -> String {
    var table = TextTable([
      .init("Metric"), .init("Values", .right), .init("Mean", .right), .init("Usual", .right),
      .init("Spreads", .right), .init("z", .right), .init("Matters"), .init("Counts"),
    ])
    table.indent = "  "
    table.rows = window.metrics.map { metric in
      [
        .init(metric.metric.words), .init(String(metric.count)),
        .init(NumberText.value(metric.recent)), .init(NumberText.value(metric.baseline)),
        .init(NumberText.decimals(metric.shift)), .init(NumberText.decimals(metric.z)),
        .init(metric.matters ? "yes" : "no"), .init(metric.counts ? "yes" : "no"),
      ]
    }
    return "Metrics over \(NumberText.count(window.days, "day"))\n" + table.render(style)
      + "  Spreads: the mean shift in personal spreads, to the bad side.\n"
  }

  private func section(_ recovery: CombinedDay.Recovery, _ style: TextStyle) -> String {
    let pairs =
      (explanation.before?.combined?.pairs ?? []) + [
        ("Level", "\(NumberText.decimals(recovery.level)): 1 is as bad as at the opening, 0 usual"),
        (
          "Easing",
          recovery.isEasing
            ? "yes, \(NumberText.count(recovery.calmDays, "day")) with a value in a row" : "no"
        ),
        ("Recovery", "\(NumberText.decimals(recovery.evidence)) nats of evidence that it is over"),
      ]
    return "Course\n" + TextTable(pairs: pairs).render(style)
  }
}

public import Foundation
public import VigilAnalysis
public import VigilDetection
public import VigilModel
public import VigilStorage

/// The output of `vigil explain`: the decision about one day of one series, step by step.
public struct ExplanationReport: Sendable {
  public let explanation: Explanation
  public let person: UUID
  let profile: Profile
  /// The person's own for the metric.
  public var sensitivity = Sensitivity.normal
  /// The ids of persons in the system their data come from.
  public var externalIDs: [UUID: String] = [:]
  /// The days before the explained one, with the rows of each source; empty for adherence.
  public var observed: [ObservedDay] = []
  /// Whether a device was worn on the day; nil for adherence.
  public var wear: WearFinding?
  /// The alert that the database has of the episode.
  public var alert: PatternAlertState?
  /// Its course; nil where that is not known.
  public var course: EpisodeCourse?
  /// Notifications of the alert, or of its event, in the queue and in the shadow queue.
  public var notifications: [QueuedNotification] = []
  public var shadowNotifications: [QueuedNotification] = []
  /// The newest run that has evaluated the day with this profile; nil where none has.
  public var run: RunRecord?
  /// Days of the chart with their values, and its text.
  public var chart: String?

  /// - Parameters:
  ///   - explanation: The decision.
  ///   - person: The person.
  ///   - profile: The profile that it was decided with.
  public init(_ explanation: Explanation, of person: UUID, profile: Profile) {
    self.explanation = explanation
    self.person = person
    self.profile = profile
  }

  /// Everybody whom the report names.
  public var persons: Set<UUID> {
    Set([person] + (notifications + shadowNotifications).map(\.recipient))
  }
}

extension ExplanationReport: Report {
  public func text(style: TextStyle) -> String {
    let width = min(style.width ?? 79, 79)
    var parts = [explanation.sentence.wrapped(width: width) + "\n"]
    if let chart { parts.append(chart) }
    parts.append(TextTable(pairs: pairs, indent: "").render(style))
    parts.append(contentsOf: comparison(style))
    if let section = observationsSection(style) { parts.append(section) }
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
    var pairs = [
      ("Person", PersonText.full(person, externalIDs)),
      ("Metric", "\(explanation.metric.metric.words), \(explanation.patternText)"),
      ("Day", "\(explanation.day), \(runText)"),
      ("Thresholds", "\(profile.version.terminalSafe), \(explanation.detectorText)"),
    ]
    if let words = sensitivity.words(under: explanation.metric.detector) {
      pairs.append(("Sensitivity", words))
    }
    pairs.append(("Value", valueText))
    if let wear { pairs.append(("Device", wear.words)) }
    pairs.append(("Before", Self.state(explanation.before)))
    pairs.append(("After", afterText))
    return pairs + stored.pairs(of: explanation.after, on: explanation.day)
  }

  private var runText: String {
    guard let run else { return "no run has evaluated it with these thresholds" }
    return "evaluated by run \(run.id.shortened)"
  }

  private var valueText: String {
    let text = explanation.value.map { explanation.text($0) } ?? "none"
    return explanation.isSuppressed ? text + ", on a workout day" : text
  }

  private static func state(_ episode: Episode?) -> String {
    guard let episode else { return "no alert" }
    return "alert since \(episode.activeSince), level \(episode.level.rawValue),"
      + " \(NumberText.count(episode.duration, "day"))"
  }

  private var afterText: String {
    guard let after = explanation.after else { return Self.state(nil) }
    guard let resolution = after.resolution else {
      return [Self.state(after), explanation.wait?.words()].compactMap { $0 }.joined(
        separator: ", ")
    }
    return "the alert since \(after.activeSince) has ended: \(resolution.reason.words)"
  }

  /// The rows that the database holds of the decision.
  var stored: StoredDecision {
    StoredDecision(
      alert: alert, course: course, run: run, notifications: notifications,
      shadowNotifications: shadowNotifications, externalIDs: externalIDs,
      limits: AlertLimits(
        explanation.metric.limit, of: explanation.metric.metric, in: profile))
  }
}

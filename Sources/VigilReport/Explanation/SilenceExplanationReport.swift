public import Foundation
public import VigilAnalysis
public import VigilCharts
import VigilDetection
public import VigilModel
public import VigilStorage

/// The output of `vigil explain --metric inactivity`: the decision about one day of a person's silence.
public struct SilenceExplanationReport: Sendable {
  public let explanation: SilenceExplanation
  public let person: UUID
  let profile: Profile
  /// The ids of persons in the system their data come from.
  public var externalIDs: [UUID: String] = [:]
  /// The alert that the database has of the episode.
  public var alert: PatternAlertState?
  /// Notifications of the alert in the queue and in the shadow queue.
  public var notifications: [QueuedNotification] = []
  public var shadowNotifications: [QueuedNotification] = []
  /// The newest run that has evaluated the day with this profile; nil where none has.
  public var run: RunRecord?

  /// - Parameters:
  ///   - explanation: The decision.
  ///   - person: The person.
  ///   - profile: The profile that it was decided with.
  public init(_ explanation: SilenceExplanation, of person: UUID, profile: Profile) {
    self.explanation = explanation
    self.person = person
    self.profile = profile
  }

  /// The persons whom the report names.
  public var persons: Set<UUID> {
    Set([person] + (notifications + shadowNotifications).map(\.recipient))
  }

  /// The silent days in a row, of the 60 days up to the explained one.
  ///
  /// - Parameter evaluated: By run, its last evaluated day.
  public func strip(evaluated: [UUID: Day] = [:]) -> SeriesStrip {
    let day = explanation.day
    return SeriesStrip(
      of: explanation, on: (day - 59)...day, label: explanation.series.metric.words,
      unit: explanation.series.metric.unitBesideName, marks: notifications.marks(evaluated))
  }
}

extension SilenceExplanationReport: Report {
  public func text(style: TextStyle) -> String {
    let width = min(style.width ?? 79, 79)
    var parts = [explanation.sentence.wrapped(width: width) + "\n"]
    parts.append(TextTable(pairs: pairs, indent: "").render(style))
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
      ("Thresholds", profile.version.terminalSafe), ("Silent", silentText),
      ("Opens with", opensText),
      ("Before", state(explanation.before)), ("After", state(explanation.after)),
      ("Stored", storedText),
    ]
  }

  private var opensText: String {
    switch explanation.series {
    case .checkInOverdue(let settings):
      return "\(NumberText.count(settings.openAfterDays, "silent day")) or more, at most"
        + " \(settings.watchedDays)"
    case .inactivity(let settings):
      guard let habit = explanation.habit else {
        return
          "\(settings.minDays) to \(NumberText.count(settings.maxDays, "silent day")), by habit"
      }
      return "\(NumberText.count(habit.threshold, "silent day")); \(habit.words)"
    }
  }

  private var silentText: String {
    guard let count = explanation.count else { return "longer than was read" }
    guard count > 0, let since = explanation.silentSince else { return "no" }
    return "\(NumberText.count(count, "day")), since \(since)"
  }

  private func state(_ episode: Episode?) -> String {
    guard let episode else { return "no alert" }
    if let resolution = episode.resolution {
      return "the alert since \(episode.activeSince) has ended: \(resolution.reason.words)"
    }
    return "alert since \(episode.activeSince), level \(episode.level.rawValue),"
      + " \(NumberText.count(episode.duration, "day"))"
  }

  private var storedText: String {
    guard let alert else {
      return explanation.after == nil || run == nil ? "nothing" : "nothing yet; a run will write it"
    }
    let end =
      alert.episode.resolution.map { "ended \($0.day) (\($0.reason.words))" } ?? "active"
    return "alert \(alert.id.shortened), level \(alert.episode.level.rawValue), \(end)"
  }

  private struct Document: Encodable {
    var userId: String
    var externalId: OrNull<String>
    var metricType: MetricType
    var patternType = PatternType.silence
    var date: Day
    var thresholdsVersion: String
    var thresholdsDigest: String
    var sentence: String
    var isAlert: Bool
    /// Null where it is longer than was read.
    var silentDays: OrNull<Int>
    var silentSince: OrNull<Day>
    var openAfterDays: Int
    var watchedDays: Int
    /// Null where the day is not silent, or the series is of check-ins.
    var pauses: OrNull<[Int]>
    var habitDays: OrNull<Int>
    var activeSince: OrNull<Day>
    var currentLevel: OrNull<AlertLevel>
    var resolvedOn: OrNull<Day>
    var oppositeSentence: String
    var runId: OrNull<String>
    var storedAlert: OrNull<AlertsReport.Row>
    var notifications: [NotificationDocument]
    var shadowNotifications: [NotificationDocument]
  }

  public func encode(to encoder: any Encoder) throws {
    let (opening, after) = (explanation.opening, explanation.after)
    try Document(
      userId: person.lowercased, externalId: OrNull(externalIDs[person]),
      metricType: explanation.series.metric, date: explanation.day,
      thresholdsVersion: profile.version, thresholdsDigest: profile.digest,
      sentence: explanation.sentence, isAlert: explanation.isActive,
      silentDays: OrNull(explanation.count),
      silentSince: OrNull(explanation.count == nil ? nil : explanation.silentSince),
      openAfterDays: opening.first, watchedDays: opening.last,
      pauses: OrNull(explanation.habit?.value.pauses),
      habitDays: OrNull(explanation.habit?.value.days),
      activeSince: OrNull(after?.activeSince), currentLevel: OrNull(after?.level),
      resolvedOn: OrNull(after?.resolution?.day), oppositeSentence: explanation.oppositeSentence,
      runId: OrNull(run?.id.lowercased),
      storedAlert: OrNull(
        alert.map {
          AlertsReport.Row(
            $0, externalID: externalIDs[person], course: nil, limits: AlertLimits())
        }),
      notifications: notifications.map { NotificationDocument($0, externalIDs) },
      shadowNotifications: shadowNotifications.map { NotificationDocument($0, externalIDs) }
    ).encode(to: encoder)
  }
}

public import Foundation
import VigilAnalysis
public import VigilModel
public import VigilStorage

/// The rows that the database holds of an explained decision.
public struct StoredDecision: Sendable {
  /// The alert of the episode.
  public var alert: PatternAlertState?
  /// Its course; nil where that is not known.
  public var course: EpisodeCourse?
  /// The newest run that has evaluated the day with this profile; nil where none has.
  public var run: RunRecord?
  /// Notifications of the alert, or of its event, in the queue.
  public var notifications: [QueuedNotification] = []
  /// The same in the shadow queue.
  public var shadowNotifications: [QueuedNotification] = []
  /// The ids of persons in the system their data come from.
  public var externalIDs: [UUID: String] = [:]
  /// The absolute limits of the profile.
  var limits = AlertLimits()

  /// Nothing.
  public init() {}

  /// The members whom the rows name.
  public var recipients: Set<UUID> { Set((notifications + shadowNotifications).map(\.recipient)) }

  /// Whether the stored alert is of this very day and says something else, because the input has changed since.
  private func differs(from after: Episode?, on day: Day) -> Bool {
    guard let alert, let run, run.days.upperBound == day, alert.episode.lastEvaluated <= day else {
      return false
    }
    guard let after else { return alert.episode.isActive }
    return alert.episode != after
      && (alert.runID == run.id || alert.episode.lastEvaluated == after.lastEvaluated
        || alert.episode.activeSince != after.activeSince)
  }

  /// The lines about the stored alert: it in words, and its worst day.
  func pairs(of after: Episode?, on day: Day) -> [(String, String)] {
    [("Stored", text(of: after, on: day))] + (course?.worst.map { [("Worst", $0.words)] } ?? [])
  }

  /// The run that has evaluated the day, in words.
  var runText: String {
    run.map { "evaluated by run \($0.id.shortened)" }
      ?? "no run has evaluated it with these thresholds"
  }

  /// The stored alert in words.
  private func text(of after: Episode?, on day: Day) -> String {
    guard let alert else {
      return after == nil || run == nil ? "nothing" : "nothing yet; a run will write it"
    }
    let end =
      alert.episode.resolution.map { "ended \($0.day) (\($0.reason.words))" } ?? "active"
    let text = "alert \(alert.id.shortened), level \(alert.episode.level.rawValue), \(end)"
    return differs(from: after, on: day)
      ? text + "; the input has changed since then, and the next run will write the state above"
      : text
  }

  /// The section on the notifications of the alert; nil where there is none.
  func notificationsSection(_ style: TextStyle) -> String? {
    alert.map { alert in
      NotificationsSection(
        alert: alert, notifications: notifications, shadowNotifications: shadowNotifications,
        externalIDs: externalIDs
      ).text(style)
    }
  }

  /// The rows in JSON.
  func fields(of person: UUID, _ decision: some ExplainedDecision) -> JSONFields {
    [
      "external_id": externalIDs[person],
      "run_id": run?.id,
      "stored_alert": alert.map {
        $0.fields(externalIDs, course: course, limits: limits)
      },
      "differs_from_stored": differs(from: decision.after, on: decision.day),
      "notifications": notifications.map { $0.fields(externalIDs) },
      "shadow_notifications": shadowNotifications.map { $0.fields(externalIDs) },
    ]
  }
}

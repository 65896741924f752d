import Foundation
import VigilAnalysis
import VigilModel
import VigilStorage

/// The fields that explanations of one metric and of several together have in common in JSON.
struct ExplanationHead: Encodable {
  var userId: String
  var externalId: OrNull<String>
  var metricType: MetricType
  var patternType: PatternType
  var date: Day
  var thresholdsVersion: String
  var thresholdsDigest: String
  var sensitivity: Sensitivity
  var sentence: String
  var isAlert: Bool
  var change: String
  var previousLevel: OrNull<AlertLevel>
  var resolutionReason: OrNull<Episode.Resolution.Reason>
  var oppositeSentence: String
  var runId: OrNull<String>
  var storedAlert: OrNull<AlertsReport.Row>
  var differsFromStored: Bool
  var notifications: [NotificationDocument]
  var shadowNotifications: [NotificationDocument]

  /// The metric and what was decided about it.
  struct Decision {
    var metric: MetricType
    var pattern: PatternType
    var day: Day
    var sentence: String
    var isActive: Bool
    var change: Explanation.Change
    var before: Episode?
    var after: Episode?
    var oppositeSentence: String
  }

  init(
    _ decision: Decision, of person: UUID, by profile: Profile, _ sensitivity: Sensitivity,
    _ stored: StoredDecision
  ) {
    let externalIDs = stored.externalIDs
    userId = person.lowercased
    externalId = OrNull(externalIDs[person])
    metricType = decision.metric
    patternType = decision.pattern
    date = decision.day
    thresholdsVersion = profile.version
    thresholdsDigest = profile.digest
    self.sensitivity = sensitivity
    sentence = decision.sentence
    isAlert = decision.isActive
    change = decision.change.name
    previousLevel = OrNull(decision.before?.level)
    resolutionReason = OrNull(decision.after?.resolution?.reason)
    oppositeSentence = decision.oppositeSentence
    runId = OrNull(stored.run?.id.lowercased)
    storedAlert = OrNull(
      stored.alert.map {
        AlertsReport.Row(
          $0, externalID: externalIDs[person], course: stored.course, limits: stored.limits)
      })
    differsFromStored = stored.differs(from: decision.after, on: decision.day)
    notifications = stored.notifications.map { NotificationDocument($0, externalIDs) }
    shadowNotifications = stored.shadowNotifications.map { NotificationDocument($0, externalIDs) }
  }
}

/// The rows that the database holds of an explained decision.
struct StoredDecision {
  var alert: PatternAlertState?
  var course: EpisodeCourse?
  /// The newest run that has evaluated the day.
  var run: RunRecord?
  var notifications: [QueuedNotification]
  var shadowNotifications: [QueuedNotification]
  var externalIDs: [UUID: String]
  /// The absolute limits of the profile.
  var limits = AlertLimits()

  /// Whether the stored alert is of this very day and says something else, because the input has changed since.
  func differs(from after: Episode?, on day: Day) -> Bool {
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
}

public import Foundation
public import VigilModel
public import VigilStorage

/// The output of `vigil alerts ack`, `snooze`, `dismiss` and `restore`: the alert's present state.
public struct AlertActionReport: Sendable {
  public let outcome: AlertActionOutcome
  let externalIDs: [UUID: String]
  /// Nil where the course of the episode is not known.
  public var course: EpisodeCourse?
  /// The absolute limits of the alert's profile.
  public var limits = AlertLimits()

  /// - Parameters:
  ///   - outcome: What the action did.
  ///   - externalIDs: The ids of persons in the system their data come from.
  public init(outcome: AlertActionOutcome, externalIDs: [UUID: String] = [:]) {
    self.outcome = outcome
    self.externalIDs = externalIDs
  }
}

extension AlertActionReport: Report {
  public func text(style: TextStyle) -> String {
    let alert = outcome.alert
    let subject =
      "Alert \(alert.id.shortened) (\(alert.series.metric.words),"
      + " level \(alert.episode.level.rawValue))"
    let parts = [stateText, eventText, queueText, escalationText].compactMap(\.self)
    return "\(subject) is \(parts.joined(separator: "; ")).\n"
  }

  private var stateText: String {
    let alert = outcome.alert
    let actor = PersonText.short(outcome.action.actor, externalIDs)
    switch outcome.action.kind {
    case .acknowledge:
      guard let first = alert.acknowledgedBy, let at = alert.acknowledgedAt,
        first != outcome.action.actor || at != outcome.action.at
      else { return "acknowledged, by \(actor)" }
      return "acknowledged, by \(actor), and was before, by \(PersonText.short(first, externalIDs))"
        + " on \(at.minuteText)"
    case .snooze(let day):
      return "snoozed until \(day), by \(actor)"
        + (alert.dismissedAt == nil ? "" : ", and stays dismissed")
    case .dismiss: return "dismissed, by \(actor)"
    case .restore: return "neither snoozed nor dismissed, by \(actor)"
    }
  }

  private var eventText: String? {
    guard outcome.otherAlerts > 0 else { return nil }
    return NumberText.count(
      outcome.otherAlerts, "other alert of its event is too", "other alerts of its event are too")
  }

  private var queueText: String? {
    guard outcome.notifications > 0 else { return nil }
    let count = outcome.notifications
    switch outcome.action.kind {
    case .restore:
      return NumberText.count(count, "notification waits", "notifications wait") + " again"
    case .acknowledge, .snooze, .dismiss:
      return NumberText.count(
        count, "waiting notification was cancelled", "waiting notifications were cancelled")
    }
  }

  private var escalationText: String? {
    guard outcome.escalations > 0 else { return nil }
    let count = outcome.escalations
    switch outcome.action.kind {
    case .dismiss:
      return NumberText.count(
        count, "open escalation needs no answer any more",
        "open escalations need no answer any more")
    case .acknowledge, .snooze, .restore:
      return NumberText.count(
        count, "open escalation is answered", "open escalations are answered")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    let action = outcome.action
    let isRestored = action.kind == .restore
    let fields =
      action.fields(externalIDs).without(["snooze_until"]) + [
        "notifications_cancelled": isRestored ? 0 : outcome.notifications,
        "notifications_restored": isRestored ? outcome.notifications : 0,
        "escalations_answered": outcome.escalations,
        // Alerts of the same event for which the action holds too.
        "other_alerts": outcome.otherAlerts,
        "alert": outcome.alert.fields(externalIDs, course: course, limits: limits),
      ]
    try fields.encode(to: encoder)
  }
}

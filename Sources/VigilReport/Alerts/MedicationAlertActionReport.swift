public import Foundation
import VigilModel
public import VigilStorage

/// The output of `vigil alerts ack`, `snooze`, `dismiss` and `restore` for an alert about a medication.
public struct MedicationAlertActionReport: Sendable {
  public let outcome: MedicationAlertActionOutcome
  let externalIDs: [UUID: String]

  /// - Parameters:
  ///   - outcome: What the action did.
  ///   - externalIDs: The ids of persons in the system their data come from.
  public init(outcome: MedicationAlertActionOutcome, externalIDs: [UUID: String] = [:]) {
    self.outcome = outcome
    self.externalIDs = externalIDs
  }
}

extension MedicationAlertActionReport: Report {
  public func text(style: TextStyle) -> String {
    let alert = outcome.alert
    let actor = PersonText.short(outcome.action.actor, externalIDs)
    let state =
      switch outcome.action.kind {
      case .acknowledge: "acknowledged, by \(actor)"
      case .snooze(let day): "snoozed until \(day), by \(actor)"
      case .dismiss: "dismissed, by \(actor)"
      case .restore: "neither snoozed nor dismissed, by \(actor)"
      }
    var parts = [state]
    if outcome.notifications > 0 {
      parts.append(
        outcome.action.kind == .restore
          ? NumberText.count(outcome.notifications, "notification waits", "notifications wait")
            + " again"
          : NumberText.count(
            outcome.notifications, "waiting notification was cancelled",
            "waiting notifications were cancelled"))
    }
    if outcome.escalations > 0 {
      parts.append(
        NumberText.count(
          outcome.escalations, "open escalation is answered", "open escalations are answered"))
    }
    return
      "Alert \(alert.id.shortened) (\(alert.kind.words), level \(alert.level.rawValue)) is"
      + " \(parts.joined(separator: "; ")).\n"
  }

  private struct Document: Encodable {
    var action: String
    var actorUserId: String
    var actorExternalId: OrNull<String>
    var actedAt: Timestamp
    var notificationsCancelled: Int
    var notificationsRestored: Int
    var escalationsAnswered: Int
    var medicationAlert: MedicationAlertDocument
  }

  public func encode(to encoder: any Encoder) throws {
    let (action, alert) = (outcome.action, outcome.alert)
    let isRestored = action.kind == .restore
    try Document(
      action: action.kind.word.rawValue, actorUserId: action.actor.lowercased,
      actorExternalId: OrNull(externalIDs[action.actor]), actedAt: action.at,
      notificationsCancelled: isRestored ? 0 : outcome.notifications,
      notificationsRestored: isRestored ? outcome.notifications : 0,
      escalationsAnswered: outcome.escalations,
      medicationAlert: MedicationAlertDocument(alert, externalID: externalIDs[alert.user])
    ).encode(to: encoder)
  }
}

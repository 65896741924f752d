public import Foundation
public import VigilModel

/// An action of a person on an alert (specification, notifications.md section 5); a row of
/// `alert_actions`.
///
/// ```swift
/// guard let now = Timestamp("2026-06-30T12:00:00Z"), let day = Day("2026-07-07") else { return }
/// let action = AlertAction(
///   .snooze(until: day), alert: UUID(name: "an alert"), by: UUID(name: "ben"), at: now)
/// print(action.kind.word)  // snooze
/// ```
public struct AlertAction: Hashable, Sendable {
  public var alert: UUID
  public var kind: Kind
  /// The person who acts: the person of the alert, or a member of their family.
  public var actor: UUID
  public var at: Timestamp

  public init(_ kind: Kind, alert: UUID, by actor: UUID, at: Timestamp) {
    self.kind = kind
    self.alert = alert
    self.actor = actor
    self.at = at
  }

  public enum Kind: Hashable, Sendable {
    /// The actor has seen the alert; Vigil notifies again when it escalates.
    case acknowledge
    /// Vigil does not notify of the alert on days before `until`; on that day it does, if the level
    /// is still higher than notified.
    case snooze(until: Day)
    /// Vigil no longer notifies of the alert.
    case dismiss
    /// The alert is neither snoozed nor dismissed any more.
    case restore

    /// The word in the table.
    public var word: Word {
      switch self {
      case .acknowledge: .acknowledge
      case .snooze: .snooze
      case .dismiss: .dismiss
      case .restore: .restore
      }
    }
  }

  public enum Word: String, Sendable, CaseIterable {
    case acknowledge
    case snooze
    case dismiss
    case restore
  }

  /// UUIDv5 of alert, action, actor and instant, so that a repeated action is one row.
  public var id: UUID {
    UUID(
      name: "alert_actions:\(alert.lowercased):\(kind.word.rawValue):\(actor.lowercased):\(at)")
  }
}

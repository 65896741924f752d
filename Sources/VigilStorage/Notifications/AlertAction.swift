public import Foundation
public import VigilModel

/// What somebody says about an alert (specification, notifications.md section 5); a row of
/// `alert_actions`.
public struct AlertAction: Hashable, Sendable {
  public var alert: UUID
  public var kind: Kind
  /// Who says it: the person, or a member of their family.
  public var actor: UUID
  public var at: Timestamp

  public init(_ kind: Kind, alert: UUID, by actor: UUID, at: Timestamp) {
    self.kind = kind
    self.alert = alert
    self.actor = actor
    self.at = at
  }

  public enum Kind: Hashable, Sendable {
    /// They know of it; it is told all the same when it escalates.
    case acknowledge
    /// It is not told of any day before `until`; of that day it is, if its level is still higher than
    /// told.
    case snooze(until: Day)
    /// It is not told any more.
    case dismiss
    /// It is neither snoozed nor dismissed any more.
    case restore

    /// As it stands in the table.
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

  /// UUIDv5 of alert, action, actor and instant: said twice is said once.
  public var id: UUID {
    UUID(
      name: "alert_actions:\(alert.lowercased):\(kind.word.rawValue):\(actor.lowercased):\(at)")
  }
}

import Foundation
import VigilModel
import VigilStorage

/// The actions of members on an alert and its notifications, as `vigil alerts show` has them.
struct AlertHistory {
  let actions: [AlertAction]
  let notifications: [QueuedNotification]
  let shadowNotifications: [QueuedNotification]
  let externalIDs: [UUID: String]

  func text(_ style: TextStyle) -> String {
    var text = ""
    if !actions.isEmpty { text += "\nActions\n" + actionsTable.render(style) }
    if !notifications.isEmpty {
      text += "\nNotifications\n" + table(of: notifications).render(style)
    }
    if !shadowNotifications.isEmpty {
      text +=
        "\nNotifications that shadow nights would have sent\n"
        + table(of: shadowNotifications).render(style)
    }
    return text
  }

  func acknowledged(_ at: Timestamp?, by person: UUID?) -> String {
    guard let at else { return "–" }
    return at.minuteText + (person.map { " by \(PersonText.short($0, externalIDs))" } ?? "")
  }

  static func notified(_ level: AlertLevel?, _ at: Timestamp?) -> String {
    guard let level else { return "–" }
    return "level \(level.rawValue)" + (at.map { ", \($0.minuteText)" } ?? "")
  }

  private var actionsTable: TextTable {
    var table = TextTable([.init("When"), .init("Who"), .init("What")])
    table.indent = "  "
    table.rows = actions.map { action in
      let until = if case .snooze(let day) = action.kind { " until \(day)" } else { "" }
      return [
        .init(action.at.minuteText), .init(PersonText.short(action.actor, externalIDs)),
        .init(action.kind.word.rawValue + until),
      ]
    }
    return table
  }

  private func table(of notifications: [QueuedNotification]) -> TextTable {
    var table = TextTable([
      .init("Notification"), .init("Subject"), .init("Channel"), .init("Recipient", rank: 1),
      .init("Status"), .init("Due", rank: 2), .init("Expires", rank: 4), .init("Sent", rank: 3),
    ])
    table.indent = "  "
    table.rows = notifications.map { row in
      [
        .init(row.id.shortened), .init(row.subjectText), .init(row.channel.words),
        PersonText.cell(row.recipient, externalIDs), .init(row.statusText(in: .live)),
        .init(row.scheduledFor.minuteText), .init(row.expiresAt?.minuteText ?? "–"),
        .init(row.sentAt?.minuteText ?? "–"),
      ]
    }
    return table
  }
}

extension AlertAction {
  /// The action as JSON; names are those of the columns of `alert_actions`.
  func fields(_ externalIDs: [UUID: String]) -> JSONFields {
    let until: Day? = if case .snooze(let day) = kind { day } else { nil }
    return [
      "action": kind.word.rawValue,
      "actor_user_id": actor,
      "actor_external_id": externalIDs[actor],
      "acted_at": at,
      "snooze_until": until,
    ]
  }
}

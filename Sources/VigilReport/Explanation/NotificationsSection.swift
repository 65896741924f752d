import Foundation
import VigilModel
import VigilStorage

/// The section of an explanation on the notifications of a stored alert and of its event.
struct NotificationsSection {
  let alert: PatternAlertState
  let notifications: [QueuedNotification]
  let shadowNotifications: [QueuedNotification]
  let externalIDs: [UUID: String]

  func text(_ style: TextStyle) -> String {
    var lines: [String] = []
    if let until = alert.snoozeUntil { lines.append("  Snoozed until \(until).\n") }
    if alert.dismissedAt != nil { lines.append("  Dismissed by a member.\n") }
    if !alert.startsEvent {
      lines.append(
        "  It joined the event of alert \(alert.eventID.shortened), of which members are notified"
          + " once.\n")
    }
    var table = TextTable([
      .init("Subject"), .init("Recipient"), .init("Channel"), .init("Status"),
    ])
    table.indent = "  "
    for (rows, mark) in [(notifications, ""), (shadowNotifications, " (shadow)")] {
      table.rows += Self.grouped(rows).map { rows in
        [
          .init(rows[0].eventText + mark), PersonText.cell(rows[0].recipient, externalIDs),
          .init(rows.map(\.channel.words).joined(separator: ", ")),
          .init(rows[0].statusText(in: .live)),
        ]
      }
    }
    if table.rows.isEmpty {
      lines.append("  No queue has a notification of this alert.\n")
    } else {
      lines.append(table.render(style))
      let reasons = Set((notifications + shadowNotifications).compactMap(\.statusReason))
      lines += reasons.sorted { $0.rawValue < $1.rawValue }.map { "  \($0.sentence)\n" }
    }
    return "Notifications\n" + lines.joined()
  }

  /// Rows that differ in nothing but their channel, by subject and recipient.
  private static func grouped(_ rows: [QueuedNotification]) -> [[QueuedNotification]] {
    func key(_ row: QueuedNotification) -> (Int, Int, String, UUID, String) {
      // Level 7 comes before level 14.
      (
        row.createdAt.wholeSeconds, row.templateID.count, row.templateID, row.recipient,
        row.channel.rawValue
      )
    }
    let order = rows.sorted { key($0) < key($1) }
    var groups: [[QueuedNotification]] = []
    for row in order {
      let isSame =
        groups.last?.last.map { last in
          last.templateID == row.templateID && last.recipient == row.recipient
            && last.status == row.status && last.statusReason == row.statusReason
        } ?? false
      if isSame { groups[groups.count - 1].append(row) } else { groups.append([row]) }
    }
    return groups
  }
}

extension PlannedNotification.StatusReason {
  /// The reason as a sentence.
  var sentence: String {
    switch self {
    case .quietHours: "Quiet hours: it waits until the recipient's quiet hours are over."
    case .snoozed: "Snoozed: a member has put the alert off."
    case .dismissed: "Dismissed: a member has taken note of the alert."
    case .covered: "Covered: an alert about all doses of the person was active."
    case .excluded: "Excluded: the person does not want this member to be notified."
    case .preferenceOff: "Preference off: the recipient wants no such notifications."
    case .superseded: "Superseded: a higher level was notified in its place."
    case .resolved: "Resolved: the alert ended before it was sent."
    case .expired: "Expired: it was not sent in time."
    case .grouped: "Grouped: one notification of the night stands for several alerts."
    case .notRecipient: "Not a recipient: the recipient has left the person's family."
    case .rateLimited: "Rate limited: the recipient had as many notifications as a day allows."
    case .monthlyQuota:
      "Monthly quota: the recipient had as many text messages as a month allows."
    case .operator: "Operator: it was cancelled by hand."
    }
  }
}

import Foundation
public import VigilModel

/// Several alerts that one recipient is notified of together on one channel.
public struct NotificationGroup: Hashable, Sendable {
  /// The row that replaces them all.
  public let notification: PlannedNotification
  /// The keys of the rows that it replaces.
  public let members: [String]

  /// Groups what may be grouped: rows of one night, recipient and channel, where there are several.
  ///
  /// A group is as urgent as its gravest alert and due with it. Rows that are withheld, rows that may
  /// not join a group, and rows whose payload is not one of an alert are left out.
  ///
  /// - Parameter rows: In any order.
  /// - Returns: In the order of their keys.
  /// - Complexity: O(n log n)
  public static func groups(of rows: [PlannedNotification]) -> [NotificationGroup] {
    struct Address: Hashable {
      var recipient: UUID
      var channel: PlannedNotification.Channel
      var night: Day
    }
    var rowsByAddress: [Address: [Row]] = [:]
    for row in rows where row.status == .pending {
      guard let night = row.groupNight, let payload = AlertPayload(text: row.payload) else {
        continue
      }
      let address = Address(recipient: row.recipient, channel: row.channel, night: night)
      rowsByAddress[address, default: []].append(Row(notification: row, payload: payload))
    }
    return rowsByAddress.filter { $0.value.count > 1 }
      .map { NotificationGroup(night: $0.key.night, rows: $0.value) }
      .sorted { $0.notification.dedupeKey < $1.notification.dedupeKey }
  }

  private struct Row {
    var notification: PlannedNotification
    var payload: AlertPayload
  }

  /// - Parameter rows: At least one.
  private init(night: Day, rows: [Row]) {
    let rows = rows.sorted { left, right in
      let (left, right) = (left.notification, right.notification)
      return (right.level, left.dedupeKey) < (left.level, right.dedupeKey)
    }
    members = rows.map(\.notification.dedupeKey)
    var group = rows[0].notification
    group.kind = .patternAlertGroup(
      night: night, members: UUID(name: members.sorted().joined(separator: " ")))
    group.groupNight = nil
    group.payload = canonicalText(
      of: GroupPayload(
        alerts: rows.map(\.payload), level: group.level, kind: group.kind.notificationType,
        template: group.templateID))
    notification = group
  }
}

/// The payload of a group: `alerts` holds those of its alerts, the gravest first, and it says as much as
/// that one.
private struct GroupPayload: Encodable {
  var alerts: [AlertPayload]
  var detail: PayloadDetail
  var level: AlertLevel
  /// The members of a standard payload.
  var kind: String?
  var severity: Severity?
  /// The member of a reference.
  var template: String?

  private enum CodingKeys: String, CodingKey {
    case alerts
    case detail
    case level
    case kind
    case severity
    case template = "template_id"
  }

  /// - Parameter alerts: At least one.
  init(alerts: [AlertPayload], level: AlertLevel, kind: String, template: String) {
    self.alerts = alerts
    self.level = level
    detail = alerts[0].detail
    switch detail {
    case .standard: (self.kind, severity) = (kind, level.severity)
    case .reference: self.template = template
    }
  }
}

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
  /// A group is as urgent as its gravest alert and due with it. Rows that are withheld, and rows
  /// that may not join a group, are left out.
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
    var rowsByAddress: [Address: [PlannedNotification]] = [:]
    for row in rows where row.status == .pending {
      guard let night = row.groupNight else { continue }
      let address = Address(recipient: row.recipient, channel: row.channel, night: night)
      rowsByAddress[address, default: []].append(row)
    }
    let groups = rowsByAddress.filter { $0.value.count > 1 }
      .map { NotificationGroup(night: $0.key.night, rows: $0.value) }
      .sorted { $0.notification.dedupeKey < $1.notification.dedupeKey }
    _checkInvariants(groups, of: rows)
    return groups
  }

  /// - Parameter rows: At least one.
  private init(night: Day, rows: [PlannedNotification]) {
    let rows = rows.sorted { ($1.level, $0.dedupeKey) < ($0.level, $1.dedupeKey) }
    members = rows.map(\.dedupeKey)
    var group = rows[0]
    group.kind = .patternAlertGroup(
      night: night, members: UUID(name: members.sorted().joined(separator: " ")))
    group.groupNight = nil
    group.payload = canonicalText(
      of: GroupPayload(
        alerts: rows.map { GroupPayload.Member(text: $0.payload) }, level: group.level,
        kind: group.kind.notificationType, template: group.templateID))
    notification = group
  }
}

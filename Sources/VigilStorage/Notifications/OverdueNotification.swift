public import Foundation
public import VigilModel

/// A notification whose time has passed while it was held.
public struct OverdueNotification: Sendable, Hashable {
  public var dedupeKey: String
  public var recipient: UUID
  public var channel: PlannedNotification.Channel
  public var priority: PlannedNotification.Priority

  /// In the order in which `decode` reads them.
  static let columns = ["dedupe_key", "recipient_user_id", "channel", "priority"]

  static func decode(_ row: some RowReader) throws -> OverdueNotification {
    var row = row
    return try OverdueNotification(
      dedupeKey: row.text(), recipient: row.uuid(), channel: row.word(), priority: row.word())
  }
}

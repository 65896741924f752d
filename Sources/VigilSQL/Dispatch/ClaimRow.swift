import VigilModel
import VigilStorage

/// The columns of the part `claim_columns`.
enum ClaimRow {
  static let table = "notification_queue"

  static func decode(_ row: inout some RowReader) throws -> ClaimedNotification {
    try ClaimedNotification(
      id: row.uuid(), recipient: row.uuid(), member: row.uuid(), type: row.text(),
      templateID: row.text(), level: row.level(), channel: row.word(), payload: row.json(),
      priority: row.word(), scheduledFor: row.timestamp(), expiresAt: row.timestamp(),
      attempts: row.count(), maxAttempts: row.count(), dedupeKey: row.text(),
      fencingToken: row.int(), contact: row.uuidIfPresent())
  }
}

extension RowReader {
  /// A level that may be missing.
  fileprivate mutating func level() throws -> AlertLevel? {
    guard let days = try intIfPresent() else { return nil }
    guard let level = AlertLevel(rawValue: days) else { throw refusal(expected: "a level") }
    return level
  }
}

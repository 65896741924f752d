import VigilModel
import VigilStorage

/// The columns of the part `claim_columns`.
enum ClaimRow {
  static let table = "notification_queue"

  static let columnCount = 16

  /// Reads a row, or only its lease where it has a value that no sender can use.
  static func decodeOrLease(
    _ row: inout some RowReader
  ) throws -> (row: ClaimedNotification?, unreadable: DispatchLease?) {
    var again = row
    do {
      return (try decode(&row), nil)
    } catch {
      let id = try again.uuid()
      for _ in 0..<13 { again.skip() }
      return (nil, DispatchLease(id: id, fencingToken: try again.int()))
    }
  }

  static func decode(_ row: inout some RowReader) throws -> ClaimedNotification {
    try ClaimedNotification(
      id: row.uuid(), recipient: row.uuid(), member: row.uuid(), type: row.text(),
      templateID: row.text(), level: row.level(), channel: row.word(), payload: row.json(),
      priority: row.word(), scheduledFor: row.timestamp(), expiresAt: row.timestampIfPresent(),
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

public import Foundation
public import VigilModel
public import VigilStorage

extension SQLStorage {
  public func retryNotification(_ id: UUID, at now: Timestamp) throws {
    try change(id, to: "sent again", only: "failed, expired, cancelled by hand or tried before") {
      let changed = try $0.execute(
        DispatchStatement.retryNotification, id, now, now.adding(seconds: 24 * 3600))
      // An operator tries again what they have corrected.
      if changed > 0 { try $0.execute(DispatchStatement.endRestOfNotification, id) }
      return changed
    }
  }

  public func cancelNotification(_ id: UUID, at now: Timestamp) throws {
    try change(id, to: "cancelled", only: "waiting") {
      try $0.execute(DispatchStatement.cancelNotification, id, now)
    }
  }

  public func sendingState(of id: UUID) throws -> SendingState? {
    try withSession { session in
      try session.rows(DispatchStatement.findSendingState, id) { row in
        SendingState(
          owner: try row.textIfPresent(), leaseUntil: try row.timestampIfPresent(),
          takings: try row.int(), nextAttempt: try row.timestampIfPresent())
      }.first
    }
  }

  private func change(
    _ id: UUID, to state: String, only condition: String, _ body: (Session) throws -> Int
  ) throws {
    try withTransaction(on: ClaimRow.table) { session in
      if try body(session) > 0 { return }
      let found = try session.rows(DispatchStatement.findNotificationStatus, id) {
        (status: try $0.text(), channel: try $0.text())
      }
      guard let row = found.first else {
        throw StorageError(
          .notFound, "\(displayName) has no notification \(id.lowercased)",
          remedy: "give an id that the queue has")
      }
      throw StorageError(
        .ended,
        "notification \(id.lowercased) on channel \(row.channel) is \(row.status); only one that is"
          + " \(condition) can be \(state)")
    }
  }
}

import Foundation
public import VigilModel
import VigilSQL
public import VigilStorage

/// The delivery of text messages. On PostgreSQL the function that the operator's endpoint calls does the same.
extension SQLiteStorage {
  public func recordDelivery(
    _ report: MessageReport, at now: Timestamp
  ) throws -> MessageDelivery {
    try report.requirePast(at: now)
    let found: [MessageDelivery] = try withTransaction(on: "sms_log") { session in
      let messages = try session.rows(ActionStatement.findMessage, report.message) {
        (notification: try $0.uuid(), month: try $0.day())
      }
      guard let message = messages.first else { return [] }
      try session.execute(
        ActionStatement.recordMessageDelivery, message.notification, message.month,
        report.delivery.rawValue, report.at, now)
      return try session.rows(
        ActionStatement.findMessageDelivery, message.notification, message.month
      ) { try $0.word() }
    }
    guard let delivery = found.first else { throw StorageError.noMessage(in: displayName) }
    return delivery
  }
}

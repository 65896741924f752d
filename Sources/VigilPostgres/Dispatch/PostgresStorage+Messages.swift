public import VigilModel
import VigilSQL
public import VigilStorage

/// The delivery of text messages, by the function that the operator's endpoint calls.
extension PostgresStorage {
  public func recordDelivery(
    _ report: MessageReport, at now: Timestamp
  ) throws -> MessageDelivery {
    try report.requirePast(at: now)
    let found: [MessageDelivery] = try withTransaction(on: "sms_log") { session in
      do {
        return try session.rows(
          ActionStatement.recordMessageDelivery, report.message, report.delivery.rawValue, report.at
        ) { try $0.word() }
      } catch let error as PostgresError where error.sqlState == "P0002" {
        return []
      }
    }
    guard let delivery = found.first else { throw StorageError.noMessage(in: displayName) }
    return delivery
  }
}

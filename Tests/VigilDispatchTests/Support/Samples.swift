import Foundation
import Testing
import VigilModel
import VigilStorage

@testable import VigilDispatch

/// A row about another person, on push, that expires the next morning.
func sampleRow(
  template: String = "pattern_alert.level_7", payload: String = standardPayload(),
  isOwn: Bool = false
) throws -> ClaimedNotification {
  let (ben, anna) = (UUID(name: "ben"), UUID(name: "anna"))
  return ClaimedNotification(
    id: UUID(name: "row"), recipient: isOwn ? anna : ben, member: anna, type: "pattern_alert",
    templateID: template, level: .day7, channel: .push, payload: payload, priority: .high,
    scheduledFor: try #require(Timestamp("2026-07-01T07:00:00Z")),
    expiresAt: Timestamp("2026-07-02T07:00:00Z"), attempts: 1, maxAttempts: 3,
    dedupeKey: "anna:alert:ben:push:7", fencingToken: 1)
}

/// The payload of an alert, with detail `standard`.
func standardPayload(
  metric: String = "steps", pattern: String = "drop_vs_baseline", level: Int = 7,
  days: Int? = nil, deviation: String = "-0.3624", direction: String? = "lower", more: String = ""
) -> String {
  """
  {"active_since":"2026-05-07","detail":"standard","deviation":\(deviation),\
  \(direction.map { "\"direction\":\"\($0)\"," } ?? "")"duration_days":\(days ?? level),\
  "evaluated_end_date":"2026-05-09","kind":"pattern_alert","level":\(level),\
  "member_user_id":"7db5ae13-09a3-52aa-8eef-dd3c54786dcd","metric_type":"\(metric)",\
  "pattern_type":"\(pattern)","severity":"attention"\(more)}
  """
}

let referencePayload = """
  {"alert_state_id":"7db5ae13-09a3-52aa-8eef-dd3c54786dcd","detail":"reference","level":7,\
  "template_id":"pattern_alert.level_7"}
  """

/// The payload of an alert about a medication, with detail `standard`.
func medicationPayload(_ metric: MetricType, level: Int) -> String {
  standardPayload(
    metric: metric.rawValue, pattern: "medication", level: level, deviation: "null",
    direction: nil,
    more: #","medication_id":"6db5ae13-09a3-52aa-8eef-dd3c54786dcd""#)
}

/// A notification with words in German, to an address.
func mailDelivery(to address: String, _ message: Message? = nil) throws -> Delivery {
  Delivery(
    row: try sampleRow(),
    message: message
      ?? Message(
        language: "de", subject: "Schritte: 7 Tage", text: "Weniger als üblich.\n.\nEnde"),
    addresses: [DeliveryAddress(address)])
}

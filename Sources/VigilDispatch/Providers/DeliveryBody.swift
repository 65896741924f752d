public import Foundation
import VigilAlerts
import VigilModel
import VigilStorage

/// The JSON that webhooks and commands get; each attempt at a row sends the same.
///
/// ```json
/// {"channel": "email", "dedupe_key": "...", "id": "...", "level": 7, "message": {"language": "en",
///  "subject": "...", "text": "..."}, "payload": {"detail": "reference"}, "priority": "high", ...}
/// ```
public struct DeliveryBody: Encodable {
  private let delivery: Delivery

  public init(_ delivery: Delivery) {
    self.delivery = delivery
  }

  /// The bytes of the object, keys ascending.
  public var data: Data {
    // Its parts are words, numbers and JSON that was read.
    return (try? JSONEncoder.ofBodies.encode(self)) ?? Data()
  }

  private enum CodingKeys: String, CodingKey {
    case addresses
    case channel
    case contact = "emergency_contact_id"
    case dedupeKey = "dedupe_key"
    case expiresAt = "expires_at"
    case id
    case level
    case member = "member_user_id"
    case message
    case payload
    case priority
    case recipient = "recipient_user_id"
    case scheduledFor = "scheduled_for"
    case template = "template_id"
    case type = "notification_type"
  }

  private static let payloadOfCall = #"{"detail":"reference"}"#

  private struct Address: Encodable {
    var address: String
    var platform: String?
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let row = delivery.row
    if !delivery.addresses.isEmpty {
      try container.encode(
        delivery.addresses.map { Address(address: $0.address, platform: $0.platform) },
        forKey: .addresses)
    }
    try container.encode(row.channel, forKey: .channel)
    try container.encodeIfPresent(row.contact?.lowercased, forKey: .contact)
    try container.encode(row.dedupeKey, forKey: .dedupeKey)
    try container.encodeIfPresent(row.expiresAt?.description, forKey: .expiresAt)
    try container.encode(row.id.lowercased, forKey: .id)
    try container.encodeIfPresent(row.level, forKey: .level)
    try container.encode(row.member.lowercased, forKey: .member)
    try container.encodeIfPresent(delivery.message, forKey: .message)
    // A voice says nothing about health, and its provider need not know.
    let payload = row.channel == .call ? Self.payloadOfCall : row.payload
    try container.encode(ForeignJSON(text: payload), forKey: .payload)
    try container.encode(row.priority, forKey: .priority)
    try container.encode(row.recipient.lowercased, forKey: .recipient)
    try container.encode(row.scheduledFor.description, forKey: .scheduledFor)
    try container.encode(row.templateID, forKey: .template)
    try container.encode(row.type, forKey: .type)
  }
}

import Foundation
import VigilAlerts
import VigilModel
import VigilStorage

/// The calls about an alert that was escalated, as `vigil alerts show` has them.
struct EscalationCalls {
  let records: [EscalationRecord]
  let externalIDs: [UUID: String]

  /// Whether a call has followed those of the nights.
  var hasEscalated: Bool { records.contains { $0.call.step > 0 } }

  func text(_ style: TextStyle) -> String {
    guard hasEscalated else { return "" }
    var table = TextTable([
      .init("Level", .right), .init("Step", .right), .init("Called"), .init("When"),
      .init("Status"), .init("Outcome"),
    ])
    table.indent = "  "
    table.rows = records.map { record in
      [
        .init(String(record.level.rawValue)), .init(String(record.call.step)),
        .init(name(record.call.recipient)), .init(record.call.triggeredAt.minuteText),
        .init(record.call.status.rawValue),
        .init(
          record.resolution?.replacing("_", with: " ")
            ?? (record.acknowledgedAt ?? record.resolvedAt)?.minuteText ?? "–"),
      ]
    }
    return "\nCalls\n" + table.render(style)
  }

  var documents: [EscalationCallDocument]? {
    hasEscalated ? records.map { EscalationCallDocument($0, externalIDs) } : nil
  }

  private func name(_ recipient: EscalationCall.Recipient) -> String {
    switch recipient {
    case .member(let user): PersonText.short(user, externalIDs)
    case .contact(let id): "emergency contact \(id.shortened)"
    }
  }
}

/// The JSON of a call; names are those of the columns of `escalation_log`.
struct EscalationCallDocument: Encodable {
  var id: String
  var level: AlertLevel
  var step: Int
  var caregiverId: OrNull<String>
  var caregiverExternalId: OrNull<String>
  var emergencyContactId: OrNull<String>
  var status: String
  var triggeredAt: Timestamp
  var expiresAt: Timestamp
  var acknowledgedAt: OrNull<Timestamp>
  var resolvedAt: OrNull<Timestamp>
  var resolution: OrNull<String>

  init(_ record: EscalationRecord, _ externalIDs: [UUID: String]) {
    let (caregiver, contact): (UUID?, UUID?) =
      switch record.call.recipient {
      case .member(let user): (user, nil)
      case .contact(let id): (nil, id)
      }
    id = record.id.lowercased
    level = record.level
    step = record.call.step
    caregiverId = OrNull(caregiver?.lowercased)
    caregiverExternalId = OrNull(caregiver.flatMap { externalIDs[$0] })
    emergencyContactId = OrNull(contact?.lowercased)
    status = record.call.status.rawValue
    triggeredAt = record.call.triggeredAt
    expiresAt = record.call.expiresAt
    acknowledgedAt = OrNull(record.acknowledgedAt)
    resolvedAt = OrNull(record.resolvedAt)
    resolution = OrNull(record.resolution)
  }
}

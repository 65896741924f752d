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

  /// The calls as JSON; nil where none has followed those of the nights.
  var fields: [JSONFields]? { hasEscalated ? records.map { $0.fields(externalIDs) } : nil }

  private func name(_ recipient: EscalationCall.Recipient) -> String {
    switch recipient {
    case .member(let user): PersonText.short(user, externalIDs)
    case .contact(let id): "emergency contact \(id.shortened)"
    }
  }
}

extension EscalationRecord {
  /// The call as JSON; names are those of the columns of `escalation_log`.
  fileprivate func fields(_ externalIDs: [UUID: String]) -> JSONFields {
    let (caregiver, contact): (UUID?, UUID?) =
      switch call.recipient {
      case .member(let user): (user, nil)
      case .contact(let id): (nil, id)
      }
    return [
      "id": id,
      "level": level.rawValue,
      "step": call.step,
      "caregiver_id": caregiver,
      "caregiver_external_id": caregiver.flatMap { externalIDs[$0] },
      "emergency_contact_id": contact,
      "status": call.status.rawValue,
      "triggered_at": call.triggeredAt,
      "expires_at": call.expiresAt,
      "acknowledged_at": acknowledgedAt,
      "resolved_at": resolvedAt,
      "resolution": resolution,
    ]
  }
}

public import Foundation
public import VigilModel
public import VigilStorage

extension SQLStorage {
  public func circumstances(
    of rows: [ClaimedNotification], countingSince day: Timestamp?
  ) throws -> [UUID: ClaimCircumstances] {
    guard !rows.isEmpty else { return [:] }
    let ids = rows.map(\.id)
    let recipients = Array(Set(rows.map(\.recipient)))
    var found: [UUID: ClaimCircumstances] = [:]
    var deliveries: [UUID: (number: Int, first: Timestamp?)] = [:]
    try withSession { session in
      let settings = try session.rows(DispatchStatement.listRecipientSettings, ids) {
        (id: try $0.uuid(), isExcluded: try $0.int() != 0, isRecipient: try $0.int() != 0)
      }
      for row in settings {
        found[row.id] = ClaimCircumstances(
          isExcluded: row.isExcluded, isRecipient: row.isRecipient)
      }
      let alerts = try session.rows(DispatchStatement.listAlertSettings, ids) { row in
        let id = try row.uuid()
        return (
          id: id,
          settings: ClaimCircumstances.AlertSettings(
            isDismissed: try row.int() != 0, snoozedUntil: try row.dayIfPresent(),
            hasEnded: try row.int() != 0)
        )
      }
      for alert in alerts { found[alert.id]?.alerts.append(alert.settings) }
      if let day {
        let counted = try session.rows(DispatchStatement.countDeliveries, ids, recipients, day) {
          (recipient: try $0.uuid(), number: try $0.int(), first: try $0.timestampIfPresent())
        }
        for row in counted {
          let known = deliveries[row.recipient]
          deliveries[row.recipient] = ((known?.number ?? 0) + row.number, known?.first ?? row.first)
        }
      }
    }
    let profiles = try profiles(of: recipients)
    for row in rows {
      found[row.id]?.profile = profiles[row.recipient]
      found[row.id]?.deliveries = deliveries[row.recipient]?.number ?? 0
      found[row.id]?.firstDelivery = deliveries[row.recipient]?.first
    }
    return found
  }
}

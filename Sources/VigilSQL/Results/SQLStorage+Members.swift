public import Foundation
public import VigilModel
public import VigilStorage

extension SQLStorage {
  public func markRead(
    _ alert: UUID, by member: UUID, at now: Timestamp
  ) throws -> [AlertRead] {
    try requirePerson(member)
    guard let found = try alertStates(matching: AlertFilter(id: UUIDPrefix(alert))).first else {
      throw StorageError(
        .notFound, "\(displayName) has no alert \(alert.lowercased)", remedy: .listAlerts)
    }
    try require(member, ofFamilyOf: found.series.user, toActOn: alert)
    let event = try withSession { session in
      try session.rows(AlertStatement.listAlertsOfEvent, alert) { row in
        let id = try row.uuid()
        _ = try row.text()
        return id
      }
    }
    try withTransaction(on: "alert_reads") { session in
      for alert in event {
        let read = AlertRead(alert: alert, member: member, at: now)
        try session.execute(
          MemberStatement.insertAlertRead, read.id, read.alert, read.member, read.at)
      }
    }
    let reads = try alertReads(by: member).filter { event.contains($0.alert) }
    return reads.sorted { $0.alert.lowercased < $1.alert.lowercased }
  }

  public func alertReads(by member: UUID) throws -> [AlertRead] {
    try withSession { session in
      try session.rows(MemberStatement.listAlertReads, member) {
        AlertRead(alert: try $0.uuid(), member: try $0.uuid(), at: try $0.timestamp())
      }
    }
  }

  public func record(_ checkIn: CheckIn) throws {
    try requirePerson(checkIn.person)
    _ = try withTransaction(on: "check_ins") { session in
      try session.execute(
        MemberStatement.insertCheckIn, checkIn.person, checkIn.at, checkIn.kind.rawValue)
    }
  }
}

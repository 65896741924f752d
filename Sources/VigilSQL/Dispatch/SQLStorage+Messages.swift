public import Foundation
public import VigilModel
public import VigilStorage

extension SQLStorage {
  public func messageCounts(
    of rows: [ClaimedNotification], in month: Day
  ) throws -> [UUID: MessageCount] {
    guard !rows.isEmpty else { return [:] }
    let found = try withSession { session in
      try session.rows(DispatchStatement.countMessages, rows.map(\.id), month) { row in
        (
          try row.uuid(),
          MessageCount(
            others: try row.int(), underWay: try row.int(), includesRow: try row.int() > 0)
        )
      }
    }
    return Dictionary(found) { first, _ in first }
  }

  public func record(_ allowance: MessageAllowance?, at now: Timestamp) throws {
    _ = try withTransaction(on: "sms_quota") { session in
      if let allowance {
        try session.execute(
          DispatchStatement.putMessageAllowance, allowance.perMonth, allowance.warningPercent, now)
      } else {
        try session.execute(DispatchStatement.endMessageAllowance)
      }
    }
  }

  public func messageUse(of person: UUID, at now: Timestamp) throws -> MessageUse {
    try requirePerson(person)
    let month = now.utcDay.firstOfMonth
    let found = try withSession { session in
      try session.rows(MemberStatement.findMessageUse, person, month) {
        MessageUse(month: month, used: try $0.int(), allowed: try $0.intIfPresent())
      }
    }
    return found.first ?? MessageUse(month: month, used: 0, allowed: nil)
  }

  public func logMessages(
    _ messages: [LoggedMessage], in month: Day, quota: Int?, at now: Timestamp
  ) throws -> Set<UUID> {
    guard !messages.isEmpty else { return [] }
    return try withTransaction(on: ClaimRow.table) { session in
      try session.execute(DispatchStatement.lockMessages)
      var logged: Set<UUID> = []
      for message in messages {
        logged.formUnion(
          try session.rows(
            DispatchStatement.logMessage, message.row.id, month, message.row.fencingToken, now,
            quota ?? Int(Int32.max), message.kind.rawValue, message.numberDigest,
            message.segments, message.cost?.micros, message.cost?.currency
          ) { try $0.uuid() })
      }
      return logged
    }
  }
}

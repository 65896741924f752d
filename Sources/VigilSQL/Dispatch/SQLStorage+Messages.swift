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

  public func logMessages(
    _ rows: [ClaimedNotification], in month: Day, quota: Int?, at now: Timestamp
  ) throws -> Set<UUID> {
    guard !rows.isEmpty else { return [] }
    return try withTransaction(on: ClaimRow.table) { session in
      try session.execute(DispatchStatement.lockMessages)
      var logged: Set<UUID> = []
      for row in rows {
        logged.formUnion(
          try session.rows(
            DispatchStatement.logMessage, row.id, month, row.fencingToken, now,
            quota ?? Int(Int32.max)
          ) { try $0.uuid() })
      }
      return logged
    }
  }
}

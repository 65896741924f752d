public import Foundation
public import VigilModel
public import VigilStorage

extension SQLStorage {
  public func notifications(
    matching filter: NotificationFilter, limit: Int?
  ) throws -> [QueuedNotification] {
    try withSession { session in
      let statement = session.statements.statement(filter.queue.listing)
      let values = filter.values + [limit.map { max(0, $0) }.sqlValue]
      return try session.rows(statement, values) { try NotificationRow.decode(&$0) }
    }
  }

  public func notificationCounts(
    matching filter: NotificationFilter
  ) throws -> [PlannedNotification.Status: Int] {
    let counts = try withSession { session in
      let statement = session.statements.statement(filter.queue.counting)
      return try session.rows(statement, filter.values) { row in
        let status: PlannedNotification.Status = try row.word()
        return (status, try row.int())
      }
    }
    return Dictionary(counts) { $0 + $1 }
  }

  public func readCount(matching filter: NotificationFilter) throws -> Int {
    guard filter.queue == .live else { return 0 }
    return try withSession { session in
      let statement = session.statements.statement(QueueStatement.countReadNotifications)
      return try session.rows(statement, filter.values) { try $0.int() }.first ?? 0
    }
  }

  public func notificationsWaitingForDecision() throws -> [(run: UUID, notifications: Int)] {
    try withSession { session in
      try session.rows(HeldStatement.listRunsWaitingForDecision) {
        (run: try $0.uuid(), notifications: try $0.int())
      }
    }
  }

  public func hasDiscardedNotifications() throws -> Bool {
    try withSession { try $0.count(HeldStatement.countDiscardedNotifications) > 0 }
  }

  public func alertsNeverNotified() throws -> Int {
    try withSession { try $0.count(AlertStatement.countAlertsNeverNotified) }
  }
}

extension NotificationFilter {
  /// The parameters of every list and count: NULL where any row will do.
  fileprivate var values: [SQLValue] {
    [
      (id?.lowest).sqlValue, (id?.highest).sqlValue, (status?.rawValue).sqlValue,
      (reason?.rawValue).sqlValue, recipient.sqlValue, member.sqlValue, alert.sqlValue,
    ]
  }
}

extension NotificationList {
  fileprivate var listing: QueueStatement {
    switch self {
    case .live: .listNotifications
    case .shadow: .listShadowNotifications
    case .held: .listWaitingNotifications
    }
  }

  fileprivate var counting: QueueStatement {
    switch self {
    case .live: .countNotifications
    case .shadow: .countShadowNotifications
    case .held: .countWaitingNotifications
    }
  }
}

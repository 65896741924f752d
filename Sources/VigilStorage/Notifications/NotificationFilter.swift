public import Foundation
public import VigilModel

/// Which rows of a queue to list; nil means any.
public struct NotificationFilter: Sendable {
  public var queue: NotificationList
  public var id: UUIDPrefix?
  public var status: PlannedNotification.Status?
  public var reason: PlannedNotification.StatusReason?
  public var recipient: UUID?
  /// Whom the alert is about.
  public var member: UUID?
  /// The alert, or one of those that a group tells.
  public var alert: UUID?

  public init(
    queue: NotificationList = .live, id: UUIDPrefix? = nil,
    status: PlannedNotification.Status? = nil, reason: PlannedNotification.StatusReason? = nil,
    recipient: UUID? = nil, member: UUID? = nil, alert: UUID? = nil
  ) {
    self.queue = queue
    self.id = id
    self.status = status
    self.reason = reason
    self.recipient = recipient
    self.member = member
    self.alert = alert
  }
}

extension Storage {
  /// Rows of a queue: first what is pending, in the order in which it is due, then the newest.
  ///
  /// - Parameter limit: How many at most; nil for all.
  /// - Complexity: O(rows of the queue); rows that leave it keep it short.
  public func notifications(
    matching filter: NotificationFilter, limit: Int? = nil
  ) throws -> [QueuedNotification] {
    try rows(filter.rows(limit: limit)) { try QueuedNotification.decode($0) }
  }

  /// How many rows match, by status.
  public func notificationCounts(
    matching filter: NotificationFilter
  ) throws -> [PlannedNotification.Status: Int] {
    let counts = try rows(filter.counts) { row in
      var row = row
      let status: PlannedNotification.Status = try row.word()
      return (status, try row.int())
    }
    return Dictionary(counts) { $0 + $1 }
  }

  /// The runs whose notifications the brake has held back until somebody decides, with their number; the
  /// newest first.
  public func notificationsWaitingForDecision() throws -> [(run: UUID, notifications: Int)] {
    try rows(HeldNotifications.countsOfWaiting) { row in
      var row = row
      return (run: try row.uuid(), notifications: try row.int())
    }
  }
}

extension Storage {
  /// Whether a person has decided not to send what a run held.
  public func hasDiscardedNotifications() throws -> Bool {
    try rows(HeldNotifications.countDiscarded) { row in
      var row = row
      return try row.int() > 0
    }.first ?? false
  }
}

// MARK: Statements

extension NotificationFilter {
  private var condition: (sql: String, values: [InputValue]) {
    var conditions: [String] = []
    var values: [InputValue] = []
    func require(_ value: InputValue, _ condition: (_ parameter: String) -> String) {
      values.append(value)
      conditions.append(condition("$\(values.count)"))
    }
    if let id {
      require(.uuid(id.lowest)) { "id >= \($0)" }
      require(.uuid(id.highest)) { "id <= \($0)" }
    }
    if let status { require(.text(status.rawValue)) { "status = \($0)" } }
    if let reason { require(.text(reason.rawValue)) { "status_reason = \($0)" } }
    if let recipient { require(.uuid(recipient)) { "recipient_user_id = \($0)" } }
    if let member { require(.uuid(member)) { "member_user_id = \($0)" } }
    if let alert {
      require(.uuid(alert)) { parameter in
        """
        (alert_state_id = \(parameter) OR id IN (
          SELECT own.group_id FROM {{schema}}.\(queue.rawValue) AS own
          WHERE own.alert_state_id = \(parameter) AND own.group_id IS NOT NULL
        ))
        """
      }
    }
    return (conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))", values)
  }

  fileprivate func rows(limit: Int?) -> BoundStatement {
    let (condition, values) = condition
    return BoundStatement(
      """
      SELECT \(QueuedNotification.columns.joined(separator: ", ")) FROM \(queue.rows)
      \(condition)
      ORDER BY
        CASE WHEN status = 'pending' THEN 0 ELSE 1 END,
        CASE WHEN status = 'pending' THEN scheduled_for END,
        created_at DESC, id
      \(limit == nil ? "" : "LIMIT $\(values.count + 1)")
      """, values + (limit.map { [.integer(Int64(max(0, $0)))] } ?? []), table: queue.rawValue,
      columns: QueuedNotification.columns)
  }

  fileprivate var counts: BoundStatement {
    let (condition, values) = condition
    return BoundStatement(
      "SELECT status, count(*) FROM \(queue.rows) \(condition) GROUP BY status", values,
      table: queue.rawValue, columns: ["status", "count"])
  }
}

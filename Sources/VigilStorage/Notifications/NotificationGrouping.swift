import Foundation
import VigilModel
import VigilNotifications

/// Where rows lie that may be grouped: what a live run is about to let go, or what a shadow run has
/// written into its queue.
///
/// In every statement `$1` is the run.
private struct NotificationGrouping {
  var table: String
  /// Which rows of the run may be grouped.
  var condition: String
  var dialect: SQLDialect
  /// What a row that stands for others has besides the columns of its gravest one.
  var ownColumns: [String]
  /// What a row that another stands for is given besides `group_id`.
  var memberUpdates: String

  static func ofRelease(_ dialect: SQLDialect) -> NotificationGrouping {
    NotificationGrouping(
      table: HeldNotifications.table,
      condition: """
        outcome = 'released' AND decided_at = $2
          AND (CAST($3 AS integer) IS NULL OR shard = CAST($3 AS integer))
        """,
      dialect: dialect, ownColumns: ["level", "shard", "outcome", "decided_at"], memberUpdates: "")
  }

  static func ofShadow(_ dialect: SQLDialect) -> NotificationGrouping {
    NotificationGrouping(
      table: DeliveryQueue.shadow.rawValue, condition: "status = 'pending'", dialect: dialect,
      ownColumns: ["status"], memberUpdates: ", status = 'skipped', status_reason = 'grouped'")
  }

  private static let columns = [
    "recipient_user_id", "member_user_id", "alert_state_id", "dedupe_key", "channel", "payload",
    "priority", "scheduled_for", "expires_at", "status_reason", "group_night",
  ]

  func candidates(_ run: UUID, shard: Int?, decidedAt: Timestamp) -> BoundStatement {
    BoundStatement(
      """
      SELECT \(Self.columns.joined(separator: ", ")) FROM {{schema}}.\(table)
      WHERE run_id = $1 AND group_night IS NOT NULL AND group_id IS NULL AND \(condition)
      """,
      [.uuid(run), .timestamp(decidedAt), shard.map { .integer(Int64($0)) } ?? .null],
      table: table, columns: Self.columns)
  }

  static func decode(_ row: some RowReader) throws -> PlannedNotification {
    var row = row
    let (recipient, member, alert) = try (row.uuid(), row.uuid(), row.uuid())
    let level = try row.text().split(separator: ":").last.flatMap { Int($0) }
      .flatMap(AlertLevel.init(rawValue:))
    guard let level else { throw row.refusal(expected: "the key of an alert") }
    return try PlannedNotification(
      recipient: recipient, member: member, alertStateID: alert, level: level, channel: row.word(),
      payload: row.json(), priority: row.word(), scheduledFor: row.timestamp(),
      expiresAt: row.timestamp(), statusReason: row.wordIfPresent(), groupNight: row.dayIfPresent())
  }

  /// Inserts what stands for a group, with what its gravest alert has.
  func put(_ group: NotificationGroup, of run: UUID) -> BoundStatement {
    let notification = group.notification
    let columns = QueueRow.columns + ownColumns
    let values = columns.map { column in
      switch column {
      case "id": "$3"
      case "dedupe_key": "$4"
      case "notification_type": "$5"
      case "template_id": "$6"
      case "payload": dialect.json("$7")
      case "group_night": "NULL"
      default: column
      }
    }
    return BoundStatement(
      """
      INSERT INTO {{schema}}.\(table) (\(columns.joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM {{schema}}.\(table)
      WHERE run_id = $1 AND dedupe_key = $2
      ON CONFLICT DO NOTHING
      """,
      [
        .uuid(run), .text(group.members[0]), .uuid(notification.id), .text(notification.dedupeKey),
        .text(notification.kind.notificationType), .text(notification.templateID),
        .text(notification.payload),
      ], table: table)
  }

  func join(_ member: String, to group: NotificationGroup, of run: UUID) -> BoundStatement {
    BoundStatement(
      """
      UPDATE {{schema}}.\(table) SET group_id = $3\(memberUpdates)
      WHERE run_id = $1 AND dedupe_key = $2
      """, [.uuid(run), .text(member), .uuid(group.notification.id)], table: table)
  }
}

extension RunTransaction {
  /// Groups what is about to be let go.
  func group(_ held: HeldNotifications) throws {
    try group(
      .ofRelease(dialect), of: held.run, shard: held.shard, decidedAt: held.decidedAt
    ) { _ in true }
  }

  /// Groups what a shadow run has planned for the persons of its shard, as a live run would; gives by how
  /// many notifications they have become fewer.
  func groupShadowNotifications(of run: RunRecord, _ shard: ShardRecord) throws -> Int {
    guard let part = RunShard(shard.index, of: run.shards) else { return 0 }
    return try group(
      .ofShadow(dialect), of: run.id, shard: shard.index, decidedAt: shard.startedAt
    ) { part.contains($0.member) }
  }

  @discardableResult
  private func group(
    _ grouping: NotificationGrouping, of run: UUID, shard: Int?, decidedAt: Timestamp,
    where concerns: (PlannedNotification) -> Bool
  ) throws -> Int {
    let candidates = try rows(grouping.candidates(run, shard: shard, decidedAt: decidedAt)) {
      try NotificationGrouping.decode($0)
    }
    var fewer = 0
    for group in NotificationGroup.groups(of: candidates.filter(concerns)) {
      try execute(grouping.put(group, of: run))
      for member in group.members { try execute(grouping.join(member, to: group, of: run)) }
      fewer += group.members.count - 1
    }
    return fewer
  }
}

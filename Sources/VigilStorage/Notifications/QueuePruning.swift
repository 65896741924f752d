import Foundation
import VigilModel

/// Which rows of the queues have had their time; the statements that find and remove them.
///
/// In every statement `$1` is the instant before which they must have ended, and `$2` the present.
struct QueuePruning {
  let cutoff: Timestamp
  let now: Timestamp

  private func statement(
    _ sql: String, _ more: [InputValue] = [], of table: String, columns: [String] = []
  ) -> BoundStatement {
    BoundStatement(
      sql, [.timestamp(cutoff), .timestamp(now)] + more, table: table, columns: columns)
  }

  // MARK: Live queue

  private static let live = DeliveryQueue.live.rawValue

  /// Nobody sends it any more.
  ///
  /// What a snooze or a dismissal has cancelled can be restored until it has
  /// expired.
  private static func hasEnded(_ row: String) -> String {
    """
    (\(row).updated_at < $1 AND (
      \(row).status IN ('sent', 'failed', 'skipped')
      OR (\(row).status = 'cancelled' AND \(row).expires_at <= $2)
    ))
    """
  }

  /// Rows that stand for themselves or for a group, all of which has ended.
  private static let roots = """
    SELECT root.id FROM {{schema}}.\(live) AS root
    WHERE \(hasEnded("root"))
      AND NOT EXISTS (SELECT 1 FROM {{schema}}.\(live) AS parent WHERE parent.id = root.group_id)
      AND NOT EXISTS (
        SELECT 1 FROM {{schema}}.\(live) AS member
        WHERE member.group_id = root.id AND NOT \(hasEnded("member"))
      )
    """

  /// What has to be remembered of a row: what could replace it is planned anew, whatever else comes
  /// again must find that it was told.
  private static func isSpent(_ row: String) -> String {
    "CASE WHEN \(QueueRow.canBeReplaced(row)) THEN 0 ELSE 1 END"
  }

  /// One query for each: with OR between them PostgreSQL compares every row with every root.
  private static let rootsAndMembers = """
    SELECT own.id AS root, own.id, \(isSpent("own")) AS is_spent FROM {{schema}}.\(live) AS own
    WHERE own.id IN (SELECT id FROM roots)
    UNION ALL
    SELECT member.group_id, member.id, \(isSpent("member")) FROM {{schema}}.\(live) AS member
    WHERE member.group_id IN (SELECT id FROM roots)
    """

  /// Roots whose ids are above `id`, at most `limit`, in ascending order, and the members of their groups;
  /// as `decode` reads them.
  func page(after id: UUID, limit: Int) -> BoundStatement {
    statement(
      """
      WITH roots AS (\(Self.roots) AND root.id > $3 ORDER BY root.id LIMIT $4)
      \(Self.rootsAndMembers)
      """, [.uuid(id), .integer(Int64(limit))], of: Self.live,
      columns: ["id", "id", "status_reason"])
  }

  struct Ended {
    var root: UUID
    var id: UUID
    var isSpent: Bool

    static func decode(_ row: some RowReader) throws -> Ended {
      var row = row
      return try Ended(root: row.uuid(), id: row.uuid(), isSpent: row.int() == 1)
    }
  }

  /// How many rows of the live queue have ended, and how many of them have to be remembered.
  var liveCounts: BoundStatement {
    statement(
      """
      WITH roots AS (\(Self.roots))
      SELECT count(*), coalesce(sum(ended.is_spent), 0) FROM (\(Self.rootsAndMembers)) AS ended
      """, of: Self.live, columns: ["count", "count"])
  }

  /// How many pending rows nobody has sent in time.
  var expiredCount: BoundStatement {
    statement(
      """
      SELECT count(*) FROM {{schema}}.\(Self.live)
      WHERE status = 'pending' AND scheduled_for <= $2 AND expires_at <= $2
      """, of: Self.live, columns: ["count"])
  }

  func remember(_ ids: [UUID], _ dialect: SQLDialect) -> BoundStatement {
    // WHERE tells SQLite that ON does not belong to a join.
    statement(
      """
      INSERT INTO {{schema}}.spent_notifications (id, pruned_at)
      SELECT spent.id, $2 FROM (\(dialect.ids(listedIn: "$3"))) AS spent WHERE TRUE
      ON CONFLICT (id) DO NOTHING
      """, [Self.list(ids)], of: "spent_notifications")
  }

  /// A sender knows nothing of the transaction that has found them, so the status is looked at again.
  func remove(_ ids: [UUID], _ dialect: SQLDialect) -> BoundStatement {
    statement(
      """
      DELETE FROM {{schema}}.\(Self.live)
      WHERE id IN (\(dialect.ids(listedIn: "$3"))) AND status NOT IN ('pending', 'processing')
      """, [Self.list(ids)], of: Self.live)
  }

  private static func list(_ ids: [UUID]) -> InputValue {
    .text("[\(ids.map { "\"\($0.lowercased)\"" }.joined(separator: ","))]")
  }

  // MARK: Shadow queue

  private static let shadow = DeliveryQueue.shadow.rawValue

  /// Nobody sends these, so what is over is what would have expired.
  ///
  /// A group lies in one run, whose rows are of one age; a run that is going on may still group its rows.
  private static let shadowCondition = """
    row.updated_at < $1 AND row.expires_at <= $2
    AND NOT EXISTS (
      SELECT 1 FROM {{schema}}.batch_runs AS run
      WHERE run.id = row.run_id AND run.status = 'running'
    )
    """

  func shadowPage(after id: UUID, limit: Int) -> BoundStatement {
    statement(
      """
      SELECT row.id FROM {{schema}}.\(Self.shadow) AS row
      WHERE \(Self.shadowCondition) AND row.id > $3 ORDER BY row.id LIMIT $4
      """, [.uuid(id), .integer(Int64(limit))], of: Self.shadow, columns: ["id"])
  }

  var shadowCount: BoundStatement {
    statement(
      "SELECT count(*) FROM {{schema}}.\(Self.shadow) AS row WHERE \(Self.shadowCondition)",
      of: Self.shadow, columns: ["count"])
  }

  func removeShadow(_ ids: [UUID], _ dialect: SQLDialect) -> BoundStatement {
    statement(
      "DELETE FROM {{schema}}.\(Self.shadow) WHERE id IN (\(dialect.ids(listedIn: "$3")))",
      [Self.list(ids)], of: Self.shadow)
  }
}

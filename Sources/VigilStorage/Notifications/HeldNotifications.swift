import Foundation
import VigilModel

/// Notifications that a live run has planned lie in `held_notifications` until the run has seen them
/// all; these are the statements that take them from there, the same on every database.
///
/// In every statement `$1` is the run, `$2` the instant of the decision and `$3` the shard, or NULL for
/// all of them.
public struct HeldNotifications: Sendable {
  public static let table = "held_notifications"

  /// Columns that a run fills: those of the queue, and what a decision needs.
  ///
  /// `shard` names the process that planned the row. The same night run again in other shards has another
  /// value there and the same in every other column.
  public static let columns = QueueRow.columns + ["level", "shard", "escalation_id"]

  /// What somebody decides about the notifications that a run holds.
  public enum Decision: String, Sendable {
    /// They go out.
    case release = "released"
    /// They never go out; their alerts count as notified at this level.
    case discard = "discarded"
  }

  let run: UUID
  let decidedAt: Timestamp
  let shard: Int?
  let dialect: SQLDialect

  init(of run: UUID, shard: Int?, decidedAt: Timestamp, dialect: SQLDialect) {
    self.run = run
    self.decidedAt = decidedAt
    self.shard = shard
    self.dialect = dialect
  }

  func statement(_ sql: String, columns: [String] = []) -> BoundStatement {
    BoundStatement(
      sql,
      [.uuid(run), .timestamp(decidedAt), shard.map { .integer(Int64($0)) } ?? .null],
      table: Self.table, columns: columns)
  }

  static let ofShard =
    "(CAST($3 AS integer) IS NULL OR held.shard = CAST($3 AS integer))"

  /// What becomes of a held row: what was told already is not repeated; whom the person has excluded
  /// meanwhile is not told; an alert that has ended, that somebody has set aside, that late data have
  /// taken below the level, or of which a higher level is held, is not told any more; nor is the end of
  /// what was never told.
  private static func outcome(of decision: Decision) -> String {
    // What is given up is given up, whoever has set it aside.
    let setAside =
      decision == .discard
      ? ""
      : """
      WHEN alert.dismissed_at IS NOT NULL THEN 'dismissed'
      WHEN alert.snooze_until > run.to_date THEN 'snoozed'
      """
    let isRecovery = "held.notification_type = 'pattern_recovery'"
    let isExcluded = """
      EXISTS (
        SELECT 1 FROM {{schema}}.alert_recipient_exclusions AS exclusion
        WHERE exclusion.subject_user_id = held.member_user_id
          AND exclusion.excluded_user_id = held.recipient_user_id
      )
      """
    return """
      CASE
        WHEN \(wasEnqueued(id: "held.id", dedupeKey: "held.dedupe_key")) THEN 'repeated'
        WHEN \(isRecovery)
          AND (alert.episode_status = 'active' OR alert.last_notified_level IS NULL)
          THEN 'superseded'
        WHEN NOT \(isRecovery) AND alert.episode_status <> 'active' THEN 'resolved'
        WHEN held.status_reason = 'preference_off' AND NOT \(isExcluded) THEN 'preference_off'
        \(setAside)
        WHEN \(isExcluded) THEN 'excluded'
        WHEN \(isRecovery) THEN '\(decision.rawValue)'
        WHEN alert.current_level < held.level THEN 'superseded'
        WHEN (held.alert_state_id, held.level) IN (\(overtakenLevels)) THEN 'superseded'
        WHEN coalesce(alert.last_notified_level, 0) >= held.level THEN 'repeated'
        ELSE '\(decision.rawValue)'
      END
      """
  }

  /// A query for the levels of alerts of which a higher one is held that the alert still has.
  ///
  /// It is the same for every row, so that a database goes through what is held once; asking each row for
  /// higher ones would go through all rows of its alert.
  private static let overtakenLevels = """
    SELECT highest.alert_state_id, lower.column1
    FROM (
      SELECT waiting.alert_state_id, max(waiting.level) AS level
      FROM {{schema}}.\(table) AS waiting
      JOIN {{schema}}.pattern_alert_state AS present ON present.id = waiting.alert_state_id
      WHERE waiting.outcome IS NULL AND waiting.level <= present.current_level
      GROUP BY waiting.alert_state_id
    ) AS highest
    CROSS JOIN (VALUES (3), (7), (14)) AS lower
    WHERE lower.column1 < highest.level
    """

  /// Whether the queue has, or had, a notification that nothing takes the place of, as SQL.
  static func wasEnqueued(id: String, dedupeKey: String) -> String {
    """
    (EXISTS (
      SELECT 1 FROM {{schema}}.notification_queue AS queued
      WHERE queued.dedupe_key = \(dedupeKey) AND NOT \(QueueRow.canBeReplaced("queued"))
    ) OR EXISTS (SELECT 1 FROM {{schema}}.spent_notifications AS spent WHERE spent.id = \(id)))
    """
  }

  private static let sources = """
    {{schema}}.pattern_alert_state AS alert, {{schema}}.batch_runs AS run
    WHERE alert.id = held.alert_state_id AND run.id = held.run_id
      AND held.run_id = $1 AND held.outcome IS NULL AND \(ofShard)
    """

  /// How many would go out now.
  var countDue: BoundStatement {
    statement(
      """
      SELECT count(*) FROM {{schema}}.\(Self.table) AS held, \(Self.sources)
        AND \(Self.outcome(of: .release)) = '\(Decision.release.rawValue)'
      """, columns: ["count"])
  }

  /// How many went out before.
  var countReleased: BoundStatement {
    statement(
      """
      SELECT count(*) FROM {{schema}}.\(Self.table) AS held
      WHERE held.run_id = $1 AND held.outcome = '\(Decision.release.rawValue)'
        AND held.group_id IS NULL AND \(Self.ofShard)
      """, columns: ["count"])
  }

  /// Gives every row its outcome.
  func decide(_ decision: Decision) -> BoundStatement {
    statement(
      """
      UPDATE {{schema}}.\(Self.table) AS held
      SET outcome = \(Self.outcome(of: decision)), decided_at = $2
      FROM \(Self.sources)
      """)
  }

  static let decided = "held.run_id = $1 AND held.decided_at = $2 AND \(ofShard)"
}

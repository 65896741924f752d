import Foundation
import VigilModel

/// What waits for a decision.
extension HeldNotifications {
  /// How many that would be sent wait for a decision, and how many were sent, of a run.
  static func count(of run: UUID) -> BoundStatement {
    BoundStatement(
      """
      SELECT
        coalesce(sum(
          CASE WHEN outcome IS NULL AND coalesce(status_reason, '') IN ('', 'quiet_hours')
            THEN 1 ELSE 0 END
        ), 0),
        coalesce(sum(
          CASE WHEN outcome = '\(Decision.release.rawValue)' AND group_id IS NULL
            THEN 1 ELSE 0 END
        ), 0)
      FROM {{schema}}.\(table) WHERE run_id = $1
      """, [.uuid(run)], table: table, columns: ["count", "count"])
  }

  /// Whether a row `held` of a shard `part` waits for a decision.
  static let isWaiting = "held.outcome IS NULL AND part.status = 'held'"

  /// Whether nothing but the decision keeps a row `held` from being sent, now or after quiet hours.
  static let wouldBeSent = "coalesce(held.status_reason, '') IN ('', 'quiet_hours')"

  /// How many rows a person has decided not to send.
  static let countDiscarded = BoundStatement(
    "SELECT count(*) FROM {{schema}}.\(table) WHERE outcome = '\(Decision.discard.rawValue)'", [],
    table: table, columns: ["count"])

  /// Runs that the brake has stopped, each with how many notifications of its shards would be sent.
  static let countsOfWaiting = BoundStatement(
    """
    SELECT held.run_id, count(*)
    FROM {{schema}}.\(table) AS held
    JOIN {{schema}}.batch_runs AS run ON run.id = held.run_id
    JOIN {{schema}}.run_shards AS part ON part.run_id = held.run_id AND part.shard = held.shard
    WHERE \(isWaiting) AND \(wouldBeSent)
    GROUP BY held.run_id, run.started_at ORDER BY run.started_at DESC, held.run_id
    """, [], table: table, columns: ["run_id", "count"])

  /// What of a run or one of its shards was due before `now` and still waits, as `OverdueNotification`
  /// reads it.
  static func overdue(of run: UUID, shard: Int?, at now: Timestamp) -> BoundStatement {
    BoundStatement(
      """
      SELECT \(OverdueNotification.columns.joined(separator: ", ")) FROM {{schema}}.\(table) AS held
      WHERE run_id = $1 AND outcome IS NULL AND scheduled_for < $2 AND \(ofShard)
      ORDER BY dedupe_key
      """, [.uuid(run), .timestamp(now), shard.map { .integer(Int64($0)) } ?? .null],
      table: table, columns: OverdueNotification.columns)
  }

  /// Gives a row another time and expiry.
  static func reschedule(
    _ notification: OverdueNotification, of run: UUID, for due: Timestamp, until expiry: Timestamp,
    isQuiet: Bool
  ) -> BoundStatement {
    BoundStatement(
      """
      UPDATE {{schema}}.\(table) SET scheduled_for = $3, expires_at = $4, status_reason = CASE
        WHEN coalesce(status_reason, 'quiet_hours') <> 'quiet_hours' THEN status_reason
        WHEN CAST($5 AS integer) = 1 THEN 'quiet_hours'
      END
      WHERE run_id = $1 AND dedupe_key = $2
      """,
      [
        .uuid(run), .text(notification.dedupeKey), .timestamp(due), .timestamp(expiry),
        .integer(isQuiet ? 1 : 0),
      ], table: table)
  }

  /// What runs hold of alerts that are notified at this level by now.
  static func supersede(at now: Timestamp) -> BoundStatement {
    BoundStatement(
      """
      UPDATE {{schema}}.\(table) AS held SET outcome = 'superseded', decided_at = $1
      FROM {{schema}}.pattern_alert_state AS alert
      WHERE held.outcome IS NULL AND alert.id = held.alert_state_id
        AND held.notification_type = 'pattern_alert' AND alert.last_notified_level >= held.level
      """, [.timestamp(now)], table: table)
  }

  /// Makes every running episode count as notified at its present level.
  static func markActiveAsNotified(at now: Timestamp) -> BoundStatement {
    BoundStatement(
      """
      UPDATE {{schema}}.pattern_alert_state SET last_notified_level = current_level, updated_at = $1
      WHERE episode_status = 'active' AND coalesce(last_notified_level, 0) < current_level
      """, [.timestamp(now)], table: AlertStateRow.table)
  }
}

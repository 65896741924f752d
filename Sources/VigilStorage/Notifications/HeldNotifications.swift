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
  private let dialect: SQLDialect

  init(of run: UUID, shard: Int?, decidedAt: Timestamp, dialect: SQLDialect) {
    self.run = run
    self.decidedAt = decidedAt
    self.shard = shard
    self.dialect = dialect
  }

  private func statement(_ sql: String, columns: [String] = []) -> BoundStatement {
    BoundStatement(
      sql,
      [.uuid(run), .timestamp(decidedAt), shard.map { .integer(Int64($0)) } ?? .null],
      table: Self.table, columns: columns)
  }

  // MARK: Deciding

  private static let ofShard =
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
        SELECT 1 FROM alert_recipient_exclusions AS exclusion
        WHERE exclusion.subject_user_id = held.member_user_id
          AND exclusion.excluded_user_id = held.recipient_user_id
      )
      """
    return """
      CASE
        WHEN EXISTS (
          SELECT 1 FROM notification_queue AS queued
          WHERE queued.dedupe_key = held.dedupe_key AND NOT \(QueueRow.canBeReplaced("queued"))
        ) OR EXISTS (SELECT 1 FROM spent_notifications AS spent WHERE spent.id = held.id)
          THEN 'repeated'
        WHEN \(isRecovery)
          AND (alert.episode_status = 'active' OR alert.last_notified_level IS NULL)
          THEN 'superseded'
        WHEN NOT \(isRecovery) AND alert.episode_status <> 'active' THEN 'resolved'
        WHEN held.status_reason = 'preference_off' AND NOT \(isExcluded) THEN 'preference_off'
        \(setAside)
        WHEN \(isExcluded) THEN 'excluded'
        WHEN \(isRecovery) THEN '\(decision.rawValue)'
        WHEN alert.current_level < held.level THEN 'superseded'
        WHEN EXISTS (
          SELECT 1 FROM \(table) AS higher
          WHERE higher.alert_state_id = held.alert_state_id AND higher.outcome IS NULL
            AND higher.level > held.level AND higher.level <= alert.current_level
        ) THEN 'superseded'
        WHEN coalesce(alert.last_notified_level, 0) >= held.level THEN 'repeated'
        ELSE '\(decision.rawValue)'
      END
      """
  }

  private static let sources = """
    pattern_alert_state AS alert, batch_runs AS run
    WHERE alert.id = held.alert_state_id AND run.id = held.run_id
      AND held.run_id = $1 AND held.outcome IS NULL AND \(ofShard)
    """

  /// How many would go out now.
  var countDue: BoundStatement {
    statement(
      """
      SELECT count(*) FROM \(Self.table) AS held, \(Self.sources)
        AND \(Self.outcome(of: .release)) = '\(Decision.release.rawValue)'
      """, columns: ["count"])
  }

  /// How many went out before.
  var countReleased: BoundStatement {
    statement(
      """
      SELECT count(*) FROM \(Self.table) AS held
      WHERE held.run_id = $1 AND held.outcome = '\(Decision.release.rawValue)'
        AND held.group_id IS NULL AND \(Self.ofShard)
      """, columns: ["count"])
  }

  /// Gives every row its outcome.
  func decide(_ decision: Decision) -> BoundStatement {
    statement(
      """
      UPDATE \(Self.table) AS held SET outcome = \(Self.outcome(of: decision)), decided_at = $2
      FROM \(Self.sources)
      """)
  }

  private static let decided = "held.run_id = $1 AND held.decided_at = $2 AND \(ofShard)"

  /// Puts what was decided into the queue: what goes out, and what does not with its reason.
  var enqueue: BoundStatement {
    let released = "held.outcome = '\(Decision.release.rawValue)'"
    let values = QueueRow.columns.map { column in
      switch column {
      case "created_at", "updated_at": "$2"
      case "status_reason":
        """
        CASE
          WHEN NOT \(released) THEN held.outcome
          WHEN held.group_id IS NOT NULL THEN 'grouped'
          WHEN held.status_reason = 'quiet_hours' THEN 'quiet_hours'
          WHEN held.status_reason IN ('snoozed', 'dismissed') AND held.scheduled_for > $2
            THEN 'quiet_hours'
        END
        """
      default: "held.\(column)"
      }
    }
    return statement(
      """
      INSERT INTO notification_queue (
        \(QueueRow.columns.joined(separator: ", ")), status, group_id
      )
      SELECT \(values.joined(separator: ", ")),
        CASE WHEN \(released) AND held.group_id IS NULL THEN 'pending' ELSE 'skipped' END,
        held.group_id
      FROM \(Self.table) AS held
      WHERE \(Self.decided) AND held.outcome NOT IN ('discarded', 'repeated')
      ON CONFLICT (dedupe_key) \(QueueRow.replacement(in: "notification_queue"))
      """)
  }

  /// Cancels what of lower levels has not been due yet: the higher level says it all.
  var supersedeLowerLevels: BoundStatement {
    let key = ["member_user_id", "alert_state_id", "recipient_user_id", "channel"]
      .map { "CAST(held.\($0) AS text)" }.joined(separator: " || ':' || ")
    return statement(
      """
      UPDATE notification_queue
      SET status = 'cancelled', status_reason = 'superseded', updated_at = $2
      WHERE status = 'pending' AND scheduled_for > $2 AND dedupe_key IN (
        SELECT \(key) || ':' || lower.column1
        FROM \(Self.table) AS held CROSS JOIN (VALUES (3), (7), (14)) AS lower
        WHERE \(Self.decided) AND held.outcome = '\(Decision.release.rawValue)'
          AND held.notification_type = 'pattern_alert' AND lower.column1 < held.level
      )
      """)
  }

  /// Opens a row of `escalation_log` for every caregiver who is told of a level.
  ///
  /// It waits for an answer from when the last of its channels is due, or from now on where all of them
  /// were due before.
  var logEscalations: BoundStatement {
    let due = "max(CASE WHEN told.scheduled_for > $2 THEN told.scheduled_for ELSE $2 END)"
    let expiry = dialect.adding(hours: EscalationLog.hoursToAnswer, to: due)
    return statement(
      """
      INSERT INTO \(EscalationLog.table) (
        id, patient_id, caregiver_id, escalation_type, related_blob_id, triggered_at,
        window_minutes, channels_used, created_at, expires_at
      )
      SELECT told.escalation_id, told.member_user_id, told.recipient_user_id, 'pattern_anomaly',
        told.alert_state_id, $2, told.level * 1440, \(dialect.list(of: "told.channel")), $2,
        \(expiry)
      FROM (
        SELECT held.* FROM \(Self.table) AS held
        WHERE \(Self.decided) AND held.outcome = '\(Decision.release.rawValue)'
          AND held.escalation_id IS NOT NULL
        ORDER BY held.escalation_id, held.channel
      ) AS told
      GROUP BY told.escalation_id, told.member_user_id, told.recipient_user_id,
        told.alert_state_id, told.level
      ON CONFLICT (id) DO NOTHING
      """)
  }

  /// Makes alerts count as notified at the level that was decided about.
  ///
  /// Somebody who cannot be told has not been, as long as the alert is set aside for everybody else.
  func markNotified(_ decision: Decision) -> BoundStatement {
    let setAside =
      decision == .discard
      ? "1 = 0" : "alert.dismissed_at IS NOT NULL OR alert.snooze_until > run.to_date"
    return statement(
      """
      UPDATE pattern_alert_state SET last_notified_level = told.level
        \(decision == .release ? ", last_notified_at = $2" : "")
      FROM (
        SELECT held.alert_state_id, max(held.level) AS level FROM \(Self.table) AS held
        JOIN pattern_alert_state AS alert ON alert.id = held.alert_state_id
        JOIN batch_runs AS run ON run.id = held.run_id
        WHERE \(Self.decided) AND held.notification_type = 'pattern_alert'
          AND (
            held.outcome = '\(decision.rawValue)'
            OR held.outcome = 'preference_off' AND (\(setAside)) IS NOT TRUE
          )
        GROUP BY held.alert_state_id
      ) AS told
      WHERE told.alert_state_id = pattern_alert_state.id
        AND coalesce(pattern_alert_state.last_notified_level, 0) < told.level
      """)
  }

  // MARK: Waiting

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
      FROM \(table) WHERE run_id = $1
      """, [.uuid(run)], table: table, columns: ["count", "count"])
  }

  /// Runs that the brake has stopped, each with how many notifications of its shards would be sent.
  static let countsOfWaiting = BoundStatement(
    """
    SELECT held.run_id, count(*)
    FROM \(table) AS held
    JOIN batch_runs AS run ON run.id = held.run_id
    JOIN run_shards AS part ON part.run_id = held.run_id AND part.shard = held.shard
    WHERE held.outcome IS NULL AND part.status = 'held'
      AND coalesce(held.status_reason, '') IN ('', 'quiet_hours')
    GROUP BY held.run_id, run.started_at ORDER BY run.started_at DESC, held.run_id
    """, [], table: table, columns: ["run_id", "count"])

  /// What of a run or one of its shards was due before `now` and still waits, as `OverdueNotification`
  /// reads it.
  static func overdue(of run: UUID, shard: Int?, at now: Timestamp) -> BoundStatement {
    BoundStatement(
      """
      SELECT \(OverdueNotification.columns.joined(separator: ", ")) FROM \(table) AS held
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
      UPDATE \(table) SET scheduled_for = $3, expires_at = $4, status_reason = CASE
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
      UPDATE \(table) AS held SET outcome = 'superseded', decided_at = $1
      FROM pattern_alert_state AS alert
      WHERE held.outcome IS NULL AND alert.id = held.alert_state_id
        AND held.notification_type = 'pattern_alert' AND alert.last_notified_level >= held.level
      """, [.timestamp(now)], table: table)
  }

  /// Makes every running episode count as notified at its present level.
  static func markActiveAsNotified(at now: Timestamp) -> BoundStatement {
    BoundStatement(
      """
      UPDATE pattern_alert_state SET last_notified_level = current_level, updated_at = $1
      WHERE episode_status = 'active' AND coalesce(last_notified_level, 0) < current_level
      """, [.timestamp(now)], table: AlertStateRow.table)
  }
}

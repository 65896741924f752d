/// Notifications that a live run has planned lie in `held_notifications` until the run has seen them
/// all; these are the statements that take them from there, the same on every database.
///
/// Parameters: `$1` the run, `$2` the instant of the decision, `$3` the shard or NULL for all of them.
public enum HeldNotifications {
  public static let table = "held_notifications"

  /// Columns that a run fills: those of the queue, and what a decision needs.
  public static let columns = QueueRow.columns + ["level", "shard"]

  /// What somebody decides about the notifications that a run holds.
  public enum Decision: String, Sendable {
    /// They go out.
    case release = "released"
    /// They never go out; their alerts count as notified at this level.
    case discard = "discarded"
  }

  private static let ofRun = """
    held.run_id = $1 AND held.outcome IS NULL
      AND (CAST($3 AS integer) IS NULL OR held.shard = CAST($3 AS integer))
    """

  /// What becomes of a held row: an alert that has ended, that somebody has taken note of, that was told
  /// at this level already, that late data have taken below it, or of which a higher level is held, is
  /// not told any more.
  private static func outcome(of decision: Decision) -> String {
    // What is given up is given up, whoever has set it aside.
    let setAside =
      decision == .discard
      ? ""
      : """
      WHEN alert.dismissed_at IS NOT NULL THEN 'dismissed'
      WHEN alert.snooze_until > run.to_date THEN 'snoozed'
      """
    return """
      CASE
        WHEN alert.episode_status <> 'active' THEN 'resolved'
        \(setAside)
        WHEN alert.current_level < held.level THEN 'superseded'
        WHEN EXISTS (
          SELECT 1 FROM \(table) AS higher
          WHERE higher.alert_state_id = held.alert_state_id AND higher.outcome IS NULL
            AND higher.level > held.level AND higher.level <= alert.current_level
        ) THEN 'superseded'
        WHEN coalesce(alert.last_notified_level, 0) >= held.level THEN 'superseded'
        WHEN EXISTS (
          SELECT 1 FROM notification_queue AS queued WHERE queued.dedupe_key = held.dedupe_key
        ) THEN 'superseded'
        ELSE '\(decision.rawValue)'
      END
      """
  }

  private static let sources = """
    pattern_alert_state AS alert, batch_runs AS run
    WHERE alert.id = held.alert_state_id AND run.id = held.run_id AND \(ofRun)
    """

  /// How many would go out now.
  static let countDue = """
    SELECT count(*) FROM \(table) AS held, \(sources)
      AND \(outcome(of: .release)) = '\(Decision.release.rawValue)'
    """

  /// How many went out before.
  static let countReleased = """
    SELECT count(*) FROM \(table) AS held
    WHERE held.run_id = $1 AND held.outcome = '\(Decision.release.rawValue)'
      AND (CAST($3 AS integer) IS NULL OR held.shard = CAST($3 AS integer))
    """

  /// How many wait for a decision, and how many went out, of a run: `$1`.
  public static let count = """
    SELECT
      coalesce(sum(CASE WHEN outcome IS NULL THEN 1 ELSE 0 END), 0),
      coalesce(sum(CASE WHEN outcome = '\(Decision.release.rawValue)' THEN 1 ELSE 0 END), 0)
    FROM \(table) WHERE run_id = $1
    """

  /// Run one after the other, in one transaction.
  static func statements(_ decision: Decision) -> [String] {
    let decided = """
      held.run_id = $1 AND held.outcome = '\(decision.rawValue)' AND held.decided_at = $2
        AND (CAST($3 AS integer) IS NULL OR held.shard = CAST($3 AS integer))
      """
    let decide = """
      UPDATE \(table) AS held SET outcome = \(outcome(of: decision)), decided_at = $2
      FROM \(sources)
      """
    let markNotified = """
      UPDATE pattern_alert_state SET last_notified_level = told.level
        \(decision == .release ? ", last_notified_at = $2" : "")
      FROM (
        SELECT held.alert_state_id, max(held.level) AS level FROM \(table) AS held
        WHERE \(decided) GROUP BY held.alert_state_id
      ) AS told
      WHERE told.alert_state_id = pattern_alert_state.id
        AND coalesce(pattern_alert_state.last_notified_level, 0) < told.level
      """
    return decision == .release
      ? [decide, enqueue(decided), markNotified, supersede] : [decide, markNotified, supersede]
  }

  private static func enqueue(_ decided: String) -> String {
    let values = QueueRow.columns.map { column in
      ["created_at", "updated_at"].contains(column) ? "$2" : column
    }
    return """
      INSERT INTO notification_queue (\(QueueRow.columns.joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM \(table) AS held
      WHERE \(decided)
      ON CONFLICT (dedupe_key) DO NOTHING
      """
  }

  /// What of a run was due before `$2` and still waits, as `OverdueNotification` reads it.
  public static let overdue = """
    SELECT dedupe_key, recipient_user_id, channel, priority FROM \(table)
    WHERE run_id = $1 AND outcome IS NULL AND scheduled_for < $2
    ORDER BY dedupe_key
    """

  /// Gives the row `$2` of the run `$1` another time, `$3`, and expiry, `$4`.
  public static let reschedule = """
    UPDATE \(table) SET scheduled_for = $3, expires_at = $4
    WHERE run_id = $1 AND dedupe_key = $2
    """

  /// What other runs hold of alerts that are notified at this level by now.
  static let supersede = """
    UPDATE \(table) AS held SET outcome = 'superseded', decided_at = $2
    FROM pattern_alert_state AS alert
    WHERE held.outcome IS NULL AND alert.id = held.alert_state_id
      AND alert.last_notified_level >= held.level
    """

  /// Makes every running episode count as notified at its present level; `$1` is the time now.
  public static let markActiveAsNotified = """
    UPDATE pattern_alert_state SET last_notified_level = current_level, updated_at = $1
    WHERE episode_status = 'active' AND coalesce(last_notified_level, 0) < current_level
    """
}

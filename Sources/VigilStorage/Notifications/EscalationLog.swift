import VigilModel

/// Who of a family was called upon and whether they answered: `escalation_log`, whose columns are those
/// of the MedTime model; no health value is in it.
///
/// Rows come with the release of what a run holds (`HeldNotifications.logEscalations`).
public enum EscalationLog {
  public static let table = "escalation_log"

  /// How long somebody has to answer.
  static let hoursToAnswer = 4

  private static let open = "status IN ('pending', 'notified')"

  /// Ends what nobody has answered in time.
  static func expire(at now: Timestamp) -> BoundStatement {
    BoundStatement(
      "UPDATE {{schema}}.\(table) SET status = 'expired' WHERE \(open) AND expires_at <= $1",
      [.timestamp(now)], table: table)
  }

  /// Ends what needs no answer any more, because its alert has ended.
  static func resolve(at now: Timestamp) -> BoundStatement {
    BoundStatement(
      """
      UPDATE {{schema}}.\(table) SET status = 'resolved', resolved_at = $1
      WHERE \(open) AND related_blob_id IN (
        SELECT id FROM {{schema}}.pattern_alert_state WHERE episode_status = 'resolved'
      )
      """, [.timestamp(now)], table: table)
  }
}

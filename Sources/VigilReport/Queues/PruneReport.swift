public import VigilModel
public import VigilStorage

/// The output of `vigil queue prune`: the removed rows, or those it would remove, by table.
public struct PruneReport: Sendable {
  public let rows: PrunedRows
  /// The instant before which the removed rows had ended.
  public let cutoff: Timestamp
  /// The name of the database in messages.
  public let database: String
  public let isDryRun: Bool

  public init(rows: PrunedRows, cutoff: Timestamp, database: String, isDryRun: Bool) {
    self.rows = rows
    self.cutoff = cutoff
    self.database = database
    self.isDryRun = isDryRun
  }
}

extension PruneReport: Report {
  public func text(style: TextStyle) -> String {
    let since = "that had ended before \(cutoff.minuteText) UTC"
    var text: String
    if rows.total == 0 {
      text = "Nothing to remove from \(database.terminalSafe) \(since).\n"
    } else {
      let count = NumberText.count(rows.total, "row")
      text =
        "\(isDryRun ? "Would remove" : "Removed") \(count) \(since)"
        + " (\(database.terminalSafe))\n"
        + table.render(style)
    }
    if rows.expired > 0 {
      let expired = NumberText.count(
        rows.expired, "pending notification that was not sent in time",
        "pending notifications that were not sent in time")
      text += "\(isDryRun ? "Would cancel" : "Cancelled") \(expired).\n"
    }
    return text
  }

  private var table: TextTable {
    let kept = NumberText.count(rows.remembered, "of their ids is kept", "of their ids are kept")
    let remembered = rows.remembered > 0 ? "; \(kept), so that nothing is sent again" : ""
    return TextTable(pairs: [
      (DeliveryQueue.live.rawValue, NumberText.count(rows.notifications) + remembered),
      (DeliveryQueue.shadow.rawValue, NumberText.count(rows.shadowNotifications)),
      ("sms_log", NumberText.count(rows.messages)),
      ("dose_analytics", NumberText.count(rows.measures)),
      ("escalation_log", NumberText.count(rows.calls)),
      (NotificationList.held.rawValue, NumberText.count(rows.held)),
      ("batch_checkpoints", NumberText.count(rows.checkpoints)),
      ("outbox", NumberText.count(rows.events)),
    ])
  }

  public func encode(to encoder: any Encoder) throws {
    let removed: JSONFields = [
      "notification_queue": rows.notifications,
      "shadow_notification_queue": rows.shadowNotifications,
      "sms_log": rows.messages,
      "dose_analytics": rows.measures,
      "escalation_log": rows.calls,
      "held_notifications": rows.held,
      "batch_checkpoints": rows.checkpoints,
      "outbox": rows.events,
    ]
    let fields: JSONFields = [
      "database": database,
      "ended_before": cutoff,
      "dry_run": isDryRun,
      "removed": removed,
      "ids_remembered": rows.remembered,
      "expired": rows.expired,
    ]
    try fields.encode(to: encoder)
  }
}

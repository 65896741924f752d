import Foundation
import VigilModel
public import VigilStorage

extension ExportColumns {
  /// Rows of a queue, without the payload: `vigil queue show` shows it.
  public static let notifications: [ExportColumn<Exported<QueuedNotification>>] = [
    .uuid("id", "The notification; the same one has the same id in every database.") { $0.id },
    .uuid("recipient_user_id", "The person who is notified.") { $0.recipient },
    .text("recipient_external_id", "The recipient's id in the system the data come from.") {
      $0.externalIDs[$0.recipient]
    },
    .uuid("member_user_id", "The person whom it is about.") { $0.member },
    .text("member_external_id", "That person's id in the system the data come from.") {
      $0.externalIDs[$0.member]
    },
    .uuid("alert_state_id", "The alert; of a group, its gravest. Empty for a prompt.") {
      $0.alertStateID
    },
    .text(
      "notification_type",
      "pattern_alert, pattern_recovery, pattern_alert_group, escalation, emergency_contact or a kind of prompt."
    ) {
      $0.type
    },
    .text("template_id", "Template of the text for the app.") { $0.templateID },
    .text(
      "channel",
      PlannedNotification.Channel.list(PlannedNotification.Channel.allCases, last: "or") + "."
    ) {
      $0.channel.rawValue
    },
    .text("priority", "low, normal, high or critical.") { $0.priority.rawValue },
    .instant("scheduled_for", "When it is due.") { $0.scheduledFor },
    .instant(
      "expires_at",
      "When it is no longer to be sent. Empty in the app, where that is the only channel."
    ) { $0.expiresAt },
    .text("status", "pending, processing, sent, failed, cancelled or skipped.") {
      $0.status.rawValue
    },
    .text("status_reason", "Why it is not sent, or not at once, such as quiet_hours or snoozed.") {
      $0.statusReason?.rawValue
    },
    .uuid("group_id", "The group notification that it was merged into.") { $0.groupID },
    .date("group_night", "The night whose group it may join.") { $0.groupNight },
    .integer("attempts", "How often a sender has tried.") { $0.attempts },
    .integer("max_attempts", "How often a sender tries at most.") { $0.maxAttempts },
    .instant("last_attempt_at", "When a sender last tried.") { $0.lastAttemptAt },
    .text("last_error", "The sender's message about its last attempt.") { $0.lastError },
    .instant("sent_at", "When it was sent.") { $0.sentAt },
    .instant("delivered_at", "When the app first had it; for in_app only.") { $0.deliveredAt },
    .instant("read_at", "When the recipient first read it in the app.") { $0.readAt },
    .text("dedupe_key", "The key of which one row at most is sent.") { $0.dedupeKey },
  ]
}

extension QueuedNotification {
  /// A row of a queue as JSON, without its payload; names are those of its columns.
  func fields(_ externalIDs: [UUID: String]) -> JSONFields {
    ExportColumns.notifications.fields(of: Exported(self, externalIDs)) + [
      "run_id": runID, "created_at": createdAt, "updated_at": updatedAt,
    ]
  }
}

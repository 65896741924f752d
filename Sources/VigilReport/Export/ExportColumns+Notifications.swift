import Foundation
import VigilModel
public import VigilStorage

extension ExportColumns {
  /// Rows of a queue, without the payload: `vigil queue show` shows it.
  public static let notifications: [ExportColumn<Exported<QueuedNotification>>] = [
    .uuid("id") { $0.id },
    .uuid("recipient_user_id") { $0.recipient },
    .text("recipient_external_id", "The recipient's id in the system the data come from.") {
      $0.externalIDs[$0.recipient]
    },
    .uuid("member_user_id") { $0.member },
    .text("member_external_id", "That person's id in the system the data come from.") {
      $0.externalIDs[$0.member]
    },
    .uuid("alert_state_id") { $0.alertStateID },
    .text("notification_type") { $0.type },
    .text("template_id") { $0.templateID },
    .text(
      "channel",
      PlannedNotification.Channel.list(PlannedNotification.Channel.allCases, last: "or") + "."
    ) {
      $0.channel.rawValue
    },
    .text("priority") { $0.priority.rawValue },
    .instant("scheduled_for") { $0.scheduledFor },
    .instant("expires_at") { $0.expiresAt },
    .text("status") { $0.status.rawValue },
    .text("status_reason") { $0.statusReason?.rawValue },
    .uuid("group_id") { $0.groupID },
    .date("group_night") { $0.groupNight },
    .integer("attempts") { $0.attempts },
    .integer("max_attempts") { $0.maxAttempts },
    .instant("last_attempt_at") { $0.lastAttemptAt },
    .text("last_error") { $0.lastError },
    .instant("sent_at") { $0.sentAt },
    .instant("delivered_at") { $0.deliveredAt },
    .instant("read_at") { $0.readAt },
    .text("dedupe_key") { $0.dedupeKey },
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
